import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packPage, unpackPage } from "../../../../src/core/tracking/history/packed/packed-page.ts";
import { WORDS } from "../../../../src/core/tracking/history/packed/words.ts";
import { random } from "../../../../src/demo/world/random.ts";
import { TrackerStore } from "../../../../src/worker/objects/tracker/tracker-store.ts";
import { LIVES, lifeOf } from "../../../bench/scale/lives.ts";
import { memorySql } from "../../../bench/support/sqlite.ts";
import { samples } from "../../../support/night.ts";
import { applied } from "./applied.ts";

function comesBack(entries: string, after: string): void {
  expect(unpackPage(packPage({ entries, after }))).toEqual({ entries, after });
}

/** Numbers as clients send them, and as they should not. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: 1e11, max: 2e12 }),
  fc.integer({ min: -18_000, max: 18_000 }).map((n) => n / 100),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((n) => n / 1e7),
  fc.constantFrom(
    0,
    -0,
    1e21,
    1e-7,
    -1e-7,
    5e-324,
    1.7976931348623157e308,
    2 ** 53,
    -(2 ** 53),
    0.1 + 0.2,
    1e11,
    2 ** 51,
  ),
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    '"',
    "\\",
    '\\"',
    "12",
    '{"u":[1]}',
    "\u0001",
    "\n",
    "\u2028",
    "\ud800",
    "東京都渋谷区 1-2-3",
    "\ufeff",
  ),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: "small" }, number, text, fc.boolean(), fc.constant(null), tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 6 }),
  object: fc.dictionary(text, tie("any"), { maxKeys: 6 }),
})).any;

describe("a packed page", () => {
  it("gives back the very texts, whatever JSON they are", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), value, (entries, after) => {
        comesBack(entries.map((entry) => JSON.stringify(entry)).join(), JSON.stringify(after));
      }),
      { numRuns: samples(300, 3_000) },
    );
  });

  it("gives back texts that are no JSON", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (entries, after) => comesBack(entries, after)),
      { numRuns: samples(200, 2_000) },
    );
    for (const odd of [
      "",
      "1",
      "-",
      "-0",
      "01",
      "1.0",
      "1e5",
      "1E5",
      "--1",
      "1.2.3",
      '"',
      '"\\',
      "0.10",
      "\u0001",
      "\n",
      "\ufeff1",
    ])
      for (const other of ["", "7", odd]) comesBack(odd, other);
  });

  it("is a fourth of the texts of a life, and of a device whose clock or place jumps no more than a half", () => {
    for (const life of LIVES) {
      const { raw, packed } = sizesOf(pagesOf(lifeOf(life, 1, 200, random(life, 59).next)));
      expect(packed / raw, life).toBeLessThan(0.28);
    }
    const { next } = random("jumps", 59);
    const jumping = lifeOf("riding", 1, 200, next).map(({ update, surroundings }) => {
      const location = { latitude: next() * 180 - 90, longitude: next() * 360 - 180 };
      return { update: { ...update, location, updatedAt: Math.floor(next() * 2e12) }, surroundings };
    });
    const { raw, packed } = sizesOf(pagesOf(jumping));
    expect(packed / raw).toBeLessThan(0.5);
  });

  it("is refused if it is damaged or of a later version, and never ends in a loop", () => {
    const [page] = pagesOf(lifeOf("riding", 1, 40, random("damage", 59).next));
    const bytes = packPage(page);
    expect(() => unpackPage(Uint8Array.of(9, ...bytes.subarray(1)))).toThrow("Unknown version 9");
    const { below } = random("damage", 60);
    for (let i = 0; i < samples(300, 3_000); i++) {
      const damaged = bytes.slice(0, i % 3 === 0 ? below(bytes.length) : bytes.length);
      for (let k = 0; k < 3; k++) damaged[below(damaged.length)] = below(256);
      try {
        expect(typeof unpackPage(damaged).entries).toBe("string");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });

  it("is read as releases have written it, with their words", () => {
    const page = {
      entries:
        '{"u":[1793520640408,-290,37.8827938,-122.07559192676577,7.2]},{"u":[1793520660408,-3,37.8827939,-122.0755,7],"e":[3,2]}',
      after: '{"_id":"60","deviceId":"東京","speed":-0.5,"regions":{"country":{"region":{"_id":"c-us"}}}}',
    };
    expect(unpackPage(Uint8Array.from(Buffer.from(VERSION_1, "base64")))).toEqual(page);
    expect(createHash("sha256").update(WORDS).digest("hex").slice(0, 16)).toBe("c750cb32e703373f");
  });
});

/** Bytes of version 1. A writer may choose other copies; a reader must not read them otherwise. */
const VERSION_1 =
  "AQ2IARoKAAcYAQoABwQAAAABGdoPIewPC94QC90JBDYwA4AHC8YJDuadseS6rCIRpggF5gMBchHgAwUWAQoFSRJjLXVzIn19fX2whsnismjDBMTSo+kCwF6E1n+FUz2QAcC4AgXG0qPpAgIABgQJ";

interface Page {
  entries: string;
  after: string;
}

/** What a tracker has stored of a life. */
function pagesOf(life: ReturnType<typeof lifeOf>): Page[] {
  const sql = memorySql();
  const store = new TrackerStore(sql);
  for (const one of life) applied(store, one);
  const rows = sql.exec("SELECT data FROM past ORDER BY id").toArray();
  return rows.map(({ data }) => unpackPage(data as Uint8Array));
}

function sizesOf(pages: readonly Page[]): { raw: number; packed: number } {
  const raw = pages.reduce((sum, { entries, after }) => sum + entries.length + after.length, 0);
  return { raw, packed: pages.reduce((sum, page) => sum + packPage(page).length, 0) };
}
