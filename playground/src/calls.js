// Calls of the worker.

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let last = 0;

worker.onmessage = ({ data: { id, result, error, times } }) => {
    const { resolve } = waiting.get(id);
    waiting.delete(id);
    resolve({ result, error, times });
};

// It could not be loaded.
worker.onerror = ({ message }) => {
    for (const { resolve } of waiting.values()) resolve({ error: { message: message ?? "the worker could not be loaded" }, times: [] });
    waiting.clear();
};

/** Calls the worker: returns the result or the error, and the times of its parts. */
export function call(name, input) {
    return new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, { resolve });
        worker.postMessage({ id, call: name, ...input });
    });
}

/**
 * Returns a function that makes one call at a time: while one runs, only the last of the following ones waits, and the others
 * are dropped.
 */
export function latest(f) {
    let running = false;
    let next;
    return async function start(...input) {
        next = input;
        if (running) return;
        running = true;
        try {
            while (next !== undefined) {
                const now = next;
                next = undefined;
                await f(...now);
            }
        } finally {
            running = false;
        }
    };
}
