import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GlyphPack, writeGlyphPack } from "../../../../src/core/maps/text/glyph-pack.ts";
import { GLYPH_BORDER, type Glyph, readGlyphs, writeGlyphs } from "../../../../src/core/maps/text/glyphs.ts";
import { TileArchive } from "../../../../src/core/maps/tiles/archive.ts";
import { decodeDirectory, encodeDirectory } from "../../../../src/core/maps/tiles/pmtiles.ts";
import { tileOfId } from "../../../../src/core/maps/tiles/tile-id.ts";
import { WholeArchive } from "./whole-archive.ts";

const NOTHING_KEPT = { get: () => undefined, put: () => undefined };

describe("an archive of any tiles", () => {
  const tiles = fc.uniqueArray(fc.tuple(fc.nat(20_000), fc.uint8Array({ minLength: 1, maxLength: 40 })), {
    selector: ([id]) => id,
    minLength: 1,
    maxLength: 60,
  });

  it("gives back each of them, and none that it was not given", async () => {
    await fc.assert(
      fc.asyncProperty(tiles, fc.array(fc.nat(20_000), { maxLength: 20 }), async (given, others) => {
        const writer = new WholeArchive();
        const sorted = [...given].sort(([a], [b]) => a - b);
        for (const [id, bytes] of sorted) await writer.add(id, bytes);
        const { bytes } = await writer.finish({ bounds: [-180, -85, 180, 85], minZoom: 0, maxZoom: 8, metadata: {} });
        const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
        const archive = await TileArchive.open(read, NOTHING_KEPT);
        const known = new Map(sorted);
        for (const id of [...known.keys(), ...others]) {
          const { z, x, y } = tileOfId(id);
          expect(await archive.tile(z, x, y)).toEqual(known.get(id));
        }
      }),
      { seed: 15, numRuns: 60 },
    );
  });

  it("has directories that come back as they were", () => {
    const entry = fc.record({
      gap: fc.integer({ min: 1, max: 1e9 }),
      length: fc.nat(1e6),
      run: fc.nat(9),
      offset: fc.nat(1e9),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 50 }), (steps) => {
        let tileId = 0;
        const entries = steps.map(({ gap, ...rest }) => {
          tileId += gap;
          return { tileId, ...rest };
        });
        expect(decodeDirectory(encodeDirectory(entries))).toEqual(entries);
      }),
      { seed: 16, numRuns: 200 },
    );
  });
});

describe("a glyph pack of any letters", () => {
  const glyph = fc
    .record({
      id: fc.nat(0xffff),
      width: fc.nat(20),
      height: fc.nat(20),
      left: fc.integer({ min: -30, max: 30 }),
      top: fc.integer({ min: -40, max: 10 }),
      advance: fc.nat(40),
    })
    .map(
      (one): Glyph => ({
        ...one,
        field: new Uint8Array((one.width + 2 * GLYPH_BORDER) * (one.height + 2 * GLYPH_BORDER)).fill(one.id % 256),
      }),
    );
  const fonts = ["Noto Sans Regular", "Noto Sans Medium", "A"];
  const ranges = fc.uniqueArray(
    fc.record({
      font: fc.constantFrom(...fonts),
      first: fc.nat(255).map((n) => n * 256),
      glyphs: fc.array(glyph, { maxLength: 6 }),
    }),
    { selector: ({ font, first }) => `${font}/${first}`, maxLength: 12 },
  );

  it("gives back each range, and none that it was not given", () => {
    fc.assert(
      fc.property(ranges, (given) => {
        const packed = given.map(({ font, first, glyphs }) => ({
          font,
          first,
          gzipped: new Uint8Array(gzipSync(writeGlyphs(font, `${first}-${first + 255}`, glyphs))),
        }));
        const pack = new GlyphPack(writeGlyphPack(fonts, packed));
        expect(pack.fonts).toEqual(fonts);
        for (const { font, first, glyphs } of given) {
          const range = pack.range(font, first);
          expect(range && readGlyphs(new Uint8Array(gunzipSync(range)))).toEqual(glyphs);
        }
        expect(pack.range("A", 65_536)).toBeUndefined();
      }),
      { seed: 17, numRuns: 60 },
    );
  });
});
