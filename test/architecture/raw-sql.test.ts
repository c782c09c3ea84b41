import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/**
 * Drizzle is the way to D1: its builder, or its template with the tables of the schema. A statement that is a string of
 * its own is listed here with the reason.
 */

const DB = join(ROOT, "src/worker/db");

/** Strings with SQL by file: how many statements are prepared from them, and why. */
const RAW: Record<string, { places: number; why: string }> = {
  "database.ts": { places: 2, why: "makes statements of what Drizzle has written" },
  "local-databases.ts": { places: 1, why: "runs statements again that a lock prevented, and those of other processes" },
  "customers/tracked.ts": {
    places: 1,
    why: "reads nine columns from one bound list of a megabyte; a template would bind it nine times",
  },
  "moves/move-rows.ts": { places: 5, why: "copies every table by its names, 100 values a statement, row for row" },
};
const MOST = 25;

/** `prepare` and `exec` of a database, and `sql.raw`, which puts a string into a template. */
const PLACES = /\.prepare\(|\b(?:db|DB|database)\.exec\(|\bsql\.raw\(/g;

describe("queries of D1", () => {
  const found = sourcesBelow(DB)
    .map((path) => [relative(DB, path), readFileSync(path, "utf8").match(PLACES)?.length ?? 0] as const)
    .filter(([, places]) => places > 0);

  it("are written with Drizzle, but for the listed ones", () => {
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(RAW).map(([file, { places }]) => [file, places])),
    );
    expect(found.reduce((sum, [, places]) => sum + places, 0)).toBeLessThanOrEqual(MOST);
  });

  it("outside of src/worker/db are none but those of Durable Objects, which read what D1 has of them", () => {
    const others = sourcesBelow(join(ROOT, "src/worker")).filter(
      (path) => !path.startsWith(`${DB}/`) && /\b(?:db|DB)\s*\.prepare\(/.test(readFileSync(path, "utf8")),
    );
    expect(others.map((path) => relative(join(ROOT, "src/worker"), path)).sort()).toEqual([
      "objects/moves/moved-objects.ts",
      "objects/recovery/recoverable-objects.ts",
    ]);
  });
});
