// Trees that nobody has disposed of, and that are garbage, are freed.
//
// A registration of each tree would take as long as a small parse. So trees share one object, so many of them at a time,
// and that is registered: when all of them are garbage, so is the object.

const AT_A_TIME = 64;

/**
 * Returns the registry of an instance. It is the instance's own: they are garbage together, before trees are freed one by one. A
 * `WeakRef` in a common one would keep the instance until the program waits for something.
 */
export function registryOf(instance) {
    return new FinalizationRegistry((handles) => {
        try {
            for (const handle of handles) if (handle !== 0) instance.free(handle);
        } catch {
            // It is broken now, and the next call makes another one. Nobody could catch the error here.
        }
    });
}

/** The handles of some trees; 0 for one that has been disposed of. */
export class Garbage {
    constructor(registry) {
        this.handles = [];
        registry.register(this, this.handles);
    }

    get isFull() {
        return this.handles.length === AT_A_TIME;
    }

    /** Returns the place of a handle. */
    add(handle) {
        return this.handles.push(handle) - 1;
    }

    delete(place) {
        this.handles[place] = 0;
    }
}
