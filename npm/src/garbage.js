// Trees that nobody has disposed of, and that are garbage, are freed.
//
// A registration of each tree would take as long as a small parse. So trees share one object, so many of them at a time,
// and that is registered: when all of them are garbage, so is the object.

const AT_A_TIME = 64;

const registry = new FinalizationRegistry(({ handles, instance }) => {
    const found = instance.deref();
    if (found === undefined) return;
    for (const handle of handles) found.free(handle);
});

/** The handles of some trees that have not been disposed of. */
export class Garbage {
    constructor(instance) {
        this.handles = new Set();
        this.count = 0;
        // Not the instance itself: it is garbage before its trees are freed one by one.
        registry.register(this, { handles: this.handles, instance: new WeakRef(instance) });
    }

    get isFull() {
        return this.count === AT_A_TIME;
    }

    add(handle) {
        this.count++;
        this.handles.add(handle);
    }

    delete(handle) {
        this.handles.delete(handle);
    }
}
