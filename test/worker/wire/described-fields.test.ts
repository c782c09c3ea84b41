import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describedIn, SHAPES } from "./described-fields.ts";

/* described-fields.txt has the fields that the reference explains. Their words may change; a field may only be added. */
const EXPLAINED = readFileSync(join(import.meta.dirname, "described-fields.txt"), "utf8")
  .trim()
  .split("\n");

it.each(Object.entries(SHAPES))("the reference explains the fields of %s that their names do not", (name, shape) => {
  const own = EXPLAINED.filter((path) => path === name || path.startsWith(`${name}.`)).map((path) =>
    path.slice(name.length),
  );
  const explained = new Set(describedIn(shape));
  expect(own.filter((path) => !explained.has(path))).toEqual([]);
});

it("each of them is a field of some shape", () => {
  const names = new Set(Object.keys(SHAPES));
  expect(EXPLAINED.filter((path) => !names.has(path.split(".")[0]))).toEqual([]);
});
