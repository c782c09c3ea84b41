import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** More files than this do not fit on a screen, and are rarely about one thing. */
const MAX_FILES = 30;

it.each(["src", "test"])("no folder of %s holds more than 30 files", (top) => {
  const files = new Map<string, number>();
  for (const path of sourcesBelow(join(ROOT, top))) {
    const folder = relative(ROOT, dirname(path));
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  expect(files.size).toBeGreaterThan(50);
  expect([...files].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});
