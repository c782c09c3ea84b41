import { gzipSync } from "node:zlib";
import { GLYPH_STORE_KEY, writeGlyphStore } from "../../core/maps/text/glyph-store.ts";
import type { Glyph } from "../../core/maps/text/glyphs.ts";
import type { LayerOutput, LayerResources } from "../frame/layer.ts";
import { NOTO, scriptRank } from "./fonts.ts";
import type { UnitUse } from "./name-units.ts";
import { UnitShaper } from "./shape-units.ts";

/** More than China, Japan, Korea and India use together; a block's number has 16 bits. */
const MAX_UNITS = 60_000;
/** A unit that so many names have is looked for everywhere. */
const OFTEN = 4;

/**
 * The glyphs that a build's names need, as one object; none where all ship with the Worker. Those of a script are together: first the
 * ones that several names have, the most frequent before the others, then the rare ones from neighbour to neighbour, so that a map
 * finds its own in few places.
 */
export async function writeGlyphsOf(
  counts: ReadonlyMap<string, UnitUse>,
  { resources, out }: { resources: LayerResources; out: LayerOutput },
): Promise<void> {
  if (counts.size === 0) return;
  const missing = await resources.step("glyphs", async (progress) => {
    const units = [...counts]
      .map(([unit, { names, place }]) => ({ unit, place, often: names >= OFTEN ? names : 0, rank: scriptRank(unit) }))
      .sort((a, b) => a.rank - b.rank || b.often - a.often || a.place - b.place || (a.unit < b.unit ? -1 : 1))
      .slice(0, MAX_UNITS);
    progress.expect(units.length, "glyphs");
    const shaper = new UnitShaper();
    const glyphs: [string, Glyph][] = [];
    for (const { unit } of units) {
      const glyph = await shaper.glyph(unit);
      if (glyph) glyphs.push([unit, glyph]);
      progress.advance(1);
    }
    if (glyphs.length > 0) {
      await out.write(
        GLYPH_STORE_KEY,
        writeGlyphStore(glyphs, (bytes) => gzipSync(bytes, { level: 9 })),
      );
      out.source(NOTO);
      out.count("glyphs", glyphs.length);
    }
    return counts.size - glyphs.length;
  });
  if (missing > 0) out.count("characters without a glyph", missing);
}
