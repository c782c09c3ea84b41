import { describe, expect, it } from "vitest";
import { Malformed } from "../../../src/core/geo/bytes/protobuf.ts";
import { unpackLz4 } from "../../../src/importer/osm/pbf/lz4.ts";
import { packLz4 } from "../odd/odd-bytes.ts";
import { random } from "../odd/odd-files.ts";

describe("LZ4 blocks", () => {
  it("give what was packed, of any length and repetition", () => {
    const pick = random(4);
    for (let round = 0; round < 300; round++) {
      const bytes = new Uint8Array(pick(round < 150 ? 64 : 5000));
      const letters = 1 + pick(6);
      for (let i = 0; i < bytes.length; i++) bytes[i] = pick(50) === 0 ? pick(256) : pick(letters);
      if (pick(3) === 0) bytes.fill(7, bytes.length >> 1);
      expect(unpackLz4(packLz4(bytes), bytes.length)).toEqual(bytes);
    }
  });

  it("reads a block of the reference program", () => {
    // printf 'abcabcabcabcabcabcabcabc-end-of-text' | lz4 -1, the block without its frame.
    const block = Buffer.from(
      `3f616263 0300 02 d0 ${Buffer.from("-end-of-text!").toString("hex")}`.replaceAll(" ", ""),
      "hex",
    );
    expect(Buffer.from(unpackLz4(block, 37)).toString()).toBe(`${"abc".repeat(8)}-end-of-text!`);
  });

  it("is malformed, and soon so, when lengths or distances lie", () => {
    const pick = random(5);
    const bytes = packLz4(new Uint8Array(4000).map((_, i) => i % 11));
    for (let round = 0; round < 500; round++) {
      const other = Buffer.from(bytes);
      other[pick(other.length)] ^= 1 << pick(8);
      try {
        expect(unpackLz4(other, 4000)).toHaveLength(4000);
      } catch (error) {
        expect(error).toBeInstanceOf(Malformed);
      }
    }
    const bomb = Buffer.concat([Buffer.from([0x1f, 7, 1, 0]), Buffer.alloc(1 << 22, 255), Buffer.from([0])]);
    const began = process.cpuUsage().user;
    expect(() => unpackLz4(bomb, 1 << 20)).toThrow(Malformed);
    expect(process.cpuUsage().user - began).toBeLessThan(1e6);
  });
});
