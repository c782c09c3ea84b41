import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** Most lines of src with a cast that the compiler does not check. Whoever adds one removes another. */
const MOST = { double: 15, never: 8 };
const PATTERNS = { double: /\bas unknown as\b/, never: /[\w)\]}"'] as never\b/ };

/** "path:line" of the lines of code, without comments, that match. */
const linesWith = (pattern: RegExp) =>
  sourcesBelow(join(ROOT, "src")).flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, i) =>
        pattern.test(line.replace(/^\s*(\*|\/\*|\/\/).*| \/\/ .*/, "")) ? [`${relative(ROOT, path)}:${i + 1}`] : [],
      ),
  );

it.each(["double", "never"] as const)("src has no more casts of the kind %s than its budget", (kind) => {
  const found = linesWith(PATTERNS[kind]);
  expect(found.length > MOST[kind] ? found : []).toEqual([]);
  expect(found).not.toEqual([]);
});
