import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal, unseal } from "../../../src/core/geo/builds/sealed.ts";
import { crc32c } from "../../../src/core/geo/bytes/crc32c.ts";

/** Bit by bit, as the definition says. */
function slowCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe("CRC-32C", () => {
  it.each([
    ["", 0],
    ["a", 0xc1d04330],
    ["123456789", 0xe3069283],
    ["The quick brown fox jumps over the lazy dog", 0x22620404],
  ])("of %j is as published", (text, crc) => expect(crc32c(new TextEncoder().encode(text))).toBe(crc));

  it("of 32 zeros and of 32 ones is as RFC 3720 prints it", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
  });

  it("eight bytes a step is what it is bit by bit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(crc32c(bytes)).toBe(slowCrc32c(bytes));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe("a sealed object", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });

  it("gives back what was sealed", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(unseal(seal(content))).toEqual(content);
      }),
      { seed: 2 },
    );
  });

  it("with any bit flipped, or cut at any place, is no sealed object", () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(7), (content, at, bit) => {
        const flipped = seal(content);
        flipped[at % flipped.length] ^= 1 << bit;
        expect(unseal(flipped)).toBeUndefined();
        const sealed = seal(content);
        expect(unseal(sealed.subarray(0, at % sealed.length))).toBeUndefined();
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
