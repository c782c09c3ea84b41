import type { OsmRelation } from "../osm/element.ts";
import { type BasemapFeature, LINE, properties } from "./feature.ts";

/** Kind of a border and the zoom from which it shows, by administrative level. */
const LEVELS: Record<number, [kind: string, minZoom: number]> = {
  2: ["country", 0],
  3: ["region", 5],
  4: ["region", 5],
  5: ["county", 8],
  6: ["county", 8],
  7: ["locality", 11],
  8: ["locality", 11],
};

/** Gathers which ways bound which level: a way is a border of the highest level (smallest number) it belongs to. */
export class BorderWays {
  readonly #levels = new Map<number, { level: number; disputed: boolean }>();

  add({ members, tags }: OsmRelation): void {
    if (tags.boundary !== "administrative" && tags.boundary !== "disputed") return;
    const level = Number(tags.admin_level);
    if (!LEVELS[level]) return;
    const disputed = tags.disputed === "yes" || tags.boundary === "disputed";
    for (const { type, ref, role } of members) {
      if (type !== "way" || role === "subarea") continue;
      const known = this.#levels.get(ref);
      if (!known || level < known.level) this.#levels.set(ref, { level, disputed: disputed || !!known?.disputed });
    }
  }

  /**
   * Borders, by ascending way id; `linesOf` answers the way's geometry on the plane, none for one that is not to be
   * drawn.
   */
  *features(linesOf: (way: number) => number[][]): Generator<BasemapFeature> {
    for (const [way, { level, disputed }] of [...this.#levels].sort(([a], [b]) => a - b)) {
      const parts = linesOf(way);
      if (parts.length === 0) continue;
      const [kind, minZoom] = LEVELS[level];
      yield {
        layer: "boundaries",
        type: LINE,
        parts,
        minZoom,
        properties: properties({ kind, kind_detail: level, disputed: disputed || undefined }),
        order: -level,
      };
    }
  }
}
