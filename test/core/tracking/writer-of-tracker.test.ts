import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chooseWriter } from "../../../src/worker/objects/writer/choose-writer.ts";

const HEX_DIGITS = 64;

/** Ids of trackers, as Durable Objects have them, that share their first digits, or their last. */
const idsWith = (prefix: string, suffix: string) =>
  Array.from({ length: 4000 }, (_, n) => {
    const own = createHash("sha256").update(String(n)).digest("hex");
    return prefix + own.slice(0, HEX_DIGITS - prefix.length - suffix.length) + suffix;
  });

describe("the writer of a tracker", () => {
  it.each([
    ["no digits", "", ""],
    ["their first digits", "00e5a1c0ffee0000", ""],
    ["their last digits", "", "00e5a1c0ffee0000"],
    ["both", "e1000000e1000000", "deadbeefdeadbeef"],
  ])("is each one for as many, among trackers whose ids share %s", (_, prefix, suffix) => {
    for (const count of [2, 3, 7, 16]) {
      const shares = new Map<number, number>();
      const ids = idsWith(prefix, suffix);
      for (const id of ids) {
        const writer = chooseWriter(id, count);
        shares.set(writer, (shares.get(writer) ?? 0) + 1);
      }
      expect(shares.size).toBe(count);
      for (const share of shares.values()) expect((share * count) / ids.length).toBeCloseTo(1, 0);
      expect(Math.max(...shares.values()) / Math.min(...shares.values())).toBeLessThan(1.6);
    }
  });

  it("is always the same", () => {
    const [id] = idsWith("00", "");
    expect(chooseWriter(id, 16)).toBe(chooseWriter(id, 16));
  });
});
