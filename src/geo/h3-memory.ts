/**
 * h3-js is H3's C code in JavaScript, with one array as its memory: 32 MB, set aside at its start in every isolate, which has
 * 128 MB for everything. Its stack and tables fill 5.3 MB, a call needs some kilobytes more, and it grows by itself where that
 * is not enough. The size can be asked for, but only as a property of an object it makes itself; so every object has that
 * property while h3-js starts. Imported before it, by `h3.ts` alone, which takes the property away again.
 */
export const H3_MEMORY = 8 * 2 ** 20;

export const H3_MEMORY_NAME = "TOTAL_MEMORY";

Object.defineProperty(Object.prototype, H3_MEMORY_NAME, { value: H3_MEMORY, configurable: true });
