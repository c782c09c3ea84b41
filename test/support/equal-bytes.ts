import { expect } from "vitest";

/**
 * Typed arrays of one kind with the same bytes are equal: vitest would compare them element by element, which takes a second for a few
 * megabytes. Arrays that differ are left to it, so that a failure shows the difference.
 */
function haveSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.constructor !== b.constructor || a.byteLength !== b.byteLength) return undefined;
  const bytesOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? true : undefined;
}

// Setup files run for each test file; the testers are those of the process.
const state = globalThis as { equalBytes?: boolean };
if (!state.equalBytes) expect.addEqualityTesters([haveSameBytes]);
state.equalBytes = true;
