import { describe, expect, it } from "vitest";
import { restoringPatch } from "../../src/server/docs/project-records.ts";

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const out = { ...(typeof target === "object" && !Array.isArray(target) ? target : {}) } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else out[name] = merged(out[name], value);
  }
  return out;
}

describe("the settings after a run of examples", () => {
  it.each([
    [{}, { a: 1 }],
    [
      { a: 1, b: { c: [1], d: true } },
      { a: 2, b: { c: [1, 2] } },
    ],
    [{ b: { c: 1 } }, { b: { c: 1, d: { e: 2 } }, f: [3] }],
  ])("are %j again after they were %j", (before, after) => {
    expect(merged(after, restoringPatch(before, after))).toEqual(before);
  });

  it("need no patch when nothing changed", () => {
    expect(restoringPatch({ a: [1] }, { a: [1] })).toBeUndefined();
  });
});
