/**
 * h3-js is H3's C code in JavaScript, with one array as its memory: 32 MB, reserved when it starts in every isolate,
 * which has 128 MB for everything. Its stack and tables fill 5.3 MB, a call needs some kilobytes more, and the array
 * grows automatically if that is not enough. Another size can be set, but only as a property of an object that h3-js
 * creates itself, so every object has that property while h3-js starts. Only `h3.ts` imports this file, before h3-js,
 * and then removes the property again.
 */
export const H3_MEMORY = 8 * 2 ** 20;

export const H3_MEMORY_NAME = "TOTAL_MEMORY";

Object.defineProperty(Object.prototype, H3_MEMORY_NAME, { value: H3_MEMORY, configurable: true });
