import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExternalSort } from "../../../src/importer/sort/external-sort.ts";
import { isNight, samples } from "../../support/night.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sort-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function sorted(records: readonly [key: number, payload: Uint8Array][], memory: number) {
  const sort = new ExternalSort({ path: join(folder, "sort"), memory });
  try {
    for (const [key, payload] of records) sort.add(key, payload);
    const out: [number, string][] = [];
    for (const { key, bytes, start, end } of sort.sorted()) out.push([key, hash(bytes.subarray(start, end))]);
    return { out, onDisk: sort.bytesOnDisk };
  } finally {
    sort.close();
  }
}

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A plain generator of numbers, the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state;
  }
}

describe("an external sort", () => {
  it("gives every record once by ascending key, equal keys in the order in which they came", () => {
    const key = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.maxSafeNat(),
      fc.constant(2 ** 53 - 1),
      fc.constant(2 ** 32),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.uint8Array({ maxLength: 40 }))), (records) => {
        const expected = records
          .map(([key, payload], i) => ({ key, payload: hash(payload), i }))
          .sort((a, b) => a.key - b.key || a.i - b.i)
          .map(({ key, payload }) => [key, payload]);
        expect(sorted(records, 0).out).toEqual(expected);
      }),
    );
  });

  it("gives the same whether everything fits into memory, some, or runs are merged in several rounds", () => {
    const random = numbers(1);
    const count = samples(24_000, 60_000);
    const records = Array.from({ length: count }, (_, i): [number, Uint8Array] => {
      const payload = new Uint8Array(8 + (random.next().value % 700)).fill(i % 251);
      new DataView(payload.buffer).setUint32(0, i);
      return [(random.next().value % 5000) * 2 ** 30, payload];
    });
    const whole = sorted(records, 2 ** 30);
    expect(whole.onDisk).toBe(0);
    expect(whole.out).toHaveLength(records.length);
    // 8 or 21 MB of payload at 1 MB: some twenty or fifty runs, four of which are merged at a time.
    for (const memory of [0, 3 << 20, ...(isNight ? [16 << 20] : [])]) {
      const bounded = sorted(records, memory);
      expect(bounded.onDisk).toBeGreaterThan(250 * count);
      expect(bounded.out).toEqual(whole.out);
    }
  });

  it("takes records larger than its memory, and larger than a chunk of a file", () => {
    const large = new Uint8Array(3 << 20).map((_, i) => i % 199);
    const records = [5, 3, 9, 1].map((key): [number, Uint8Array] => [key, large.map((byte) => byte ^ key)]);
    const { out } = sorted(records, 0);
    expect(out.map(([key]) => key)).toEqual([1, 3, 5, 9]);
    for (const [key, payload] of out) expect(payload).toBe(hash(large.map((byte) => byte ^ key)));
  });

  it("leaves no file behind, also when it is closed half read", () => {
    const sort = new ExternalSort({ path: join(folder, "half"), memory: 0 });
    for (let i = 0; i < 5000; i++) sort.add(5000 - i, new Uint8Array(1000));
    for (const { key } of sort.sorted()) if (key === 10) break;
    expect(readdirSync(folder)).not.toEqual([]);
    sort.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses keys that are no whole numbers from 0 to 2^53 − 1, and records after the order was asked for", () => {
    const sort = new ExternalSort({ path: join(folder, "refuses"), memory: 0 });
    for (const key of [-1, 0.5, 2 ** 53, Number.NaN]) expect(() => sort.add(key, new Uint8Array())).toThrow(RangeError);
    expect([...sort.sorted()]).toEqual([]);
    expect(() => sort.add(1, new Uint8Array())).toThrow("once the order is asked for");
    sort.close();
  });
});
