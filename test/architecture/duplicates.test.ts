import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { duplicatesIn, textsBelow } from "../support/duplicates.ts";
import { ROOT } from "../support/imports.ts";

/** Pairs that stand twice for a measured reason: the files, the reason, and the bench that tells it. */
const MEASURED: [files: string, reason: string][] = [];

describe("what is written in src", () => {
  it("is written once: no more than twelve lines stand in two places", () => {
    const files = ({ places }: { places: string[] }) => places.map((place) => place.replace(/:.*/, "")).join(" ~ ");
    const found = duplicatesIn(textsBelow(join(ROOT, "src")), 13);
    expect(found.filter((pair) => !MEASURED.some(([named]) => named === files(pair)))).toEqual([]);
  });
});

describe("lines that stand in two places", () => {
  const body = (count: number) => Array.from({ length: count }, (_, i) => `  total += part${i};`);

  it("are found where only indentation, comments and imports differ", () => {
    const files = new Map([
      ["a.ts", ['import { x } from "./x.ts";', "function a() {", ...body(13), "}"].join("\n")],
      [
        "b.ts",
        ["/** Why.\n */", "const b = () => {", "  // how", ...body(13).map((line) => `  ${line}`), "};"].join("\n"),
      ],
    ]);
    expect(duplicatesIn(files, 13)).toEqual([{ places: ["a.ts:3", "b.ts:5"], lines: 13 }]);
    expect(duplicatesIn(files, 14)).toEqual([]);
  });

  it("are told once, from where they begin", () => {
    const files = new Map([["a.ts", [...body(20), "between", ...body(20)].join("\n")]]);
    expect(duplicatesIn(files, 13)).toEqual([{ places: ["a.ts:1", "a.ts:22"], lines: 20 }]);
  });
});
