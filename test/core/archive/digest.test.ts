import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/core/archive/digest.ts";
import type { EventRow } from "../../../src/core/archive/event-row.ts";

const rowOf = (number: number): EventRow => {
  const id = String(number).padStart(6, "0");
  return { id, time: number, type: "t", user: "u", doc: `{"n":${number}}` };
};

/** Pieces of a thousand rows, each hashed after the digest of those before. */
function chained(rows: readonly EventRow[]): string {
  let chain: Uint8Array = new Uint8Array(32);
  for (let first = 0; first < rows.length; first += 1000) {
    const piece = rows.slice(first, first + 1000).map(({ id, time, type, user, doc }) => [id, time, type, user, doc]);
    chain = createHash("sha256").update(chain).update(JSON.stringify(piece)).digest();
  }
  return Buffer.from(chain).toString("hex");
}

describe("the digest of rows", () => {
  it.each([0, 1, 999, 1000, 1001, 2000])("covers all of %i, in any order", async (count) => {
    const rows = Array.from({ length: count }, (_, number) => rowOf(number));
    expect(await digestOf(rows)).toBe(chained(rows));
    expect(await digestOf(rows.toReversed())).toBe(chained(rows));
  });

  it.each([0, 1, 999, 1000])("changes with any column of row %i", async (changed) => {
    const rows = Array.from({ length: 1001 }, (_, number) => rowOf(number));
    const before = await digestOf(rows);
    for (const change of [{ id: `${rows[changed].id}x` }, { time: -1 }, { type: "x" }, { user: "x" }, { doc: "{}" }])
      expect(await digestOf(rows.with(changed, { ...rows[changed], ...change }))).not.toBe(before);
  });
});
