import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isWritten } from "../../../src/server/make/client-files.ts";

/** A source file in a folder at second 10, and a file written from it at second 20. */
let root: string;
const set = (path: string, second: number) => utimesSync(join(root, path), second, second);
const isCurrent = () => isWritten(root, ["out.ts"], ["src/**"]);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "graticule-generate-"));
  mkdirSync(join(root, "src/http"), { recursive: true });
  for (const path of ["src/http/a.ts", "src/http/b.ts", "out.ts"]) writeFileSync(join(root, path), "");
  for (const path of ["src/http/a.ts", "src/http/b.ts", "src/http", "src"]) set(path, 10);
  set("out.ts", 20);
});
afterEach(() => rmSync(root, { recursive: true }));

it("files that are newer than their sources are not written again", () => expect(isCurrent()).toBe(true));

it("files are written again after a source changed, came or went, and if one is missing", () => {
  set("src/http/a.ts", 21);
  expect(isCurrent()).toBe(false);
  set("src/http/a.ts", 10);
  rmSync(join(root, "src/http/b.ts"));
  expect(isCurrent()).toBe(false);
  set("src/http", 10);
  expect(isCurrent()).toBe(true);
  rmSync(join(root, "out.ts"));
  expect(isCurrent()).toBe(false);
});
