import { expect, it } from "vitest";

it.each<[what: string, a: unknown, b: unknown]>([
  ["another byte", Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
  ["another length", new Uint8Array(8), new Uint8Array(9)],
  ["another kind of array", Uint8Array.of(1, 2), Int8Array.of(1, 2)],
  ["another place in its buffer", Uint8Array.of(1, 2, 3).subarray(1), Uint8Array.of(1, 2, 3).subarray(0, 2)],
  ["another key", new Map([["a", Uint8Array.of(1)]]), new Map([["b", Uint8Array.of(1)]])],
])("arrays with %s are not equal", (_, a, b) => {
  expect(a).not.toEqual(b);
  expect([{ a }]).not.toEqual([{ a: b }]);
});

it("arrays with the same bytes are equal, wherever these are", () => {
  expect(Uint8Array.of(9, 1, 2).subarray(1)).toEqual(Uint8Array.of(1, 2));
  expect(new Map([["a", [new Float64Array(3)]]])).toEqual(new Map([["a", [new Float64Array(3)]]]));
});
