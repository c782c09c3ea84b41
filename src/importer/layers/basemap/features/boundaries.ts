import type { OsmRelation } from "../../../osm/pbf/element.ts";
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
  /** Way → twice its level, and one more where the border is disputed: a country has hundreds of thousands. */
  readonly #levels = new Map<number, number>();

  /** Returns the ways that were not known before. */
  add({ members, tags }: OsmRelation): number[] {
    const fresh: number[] = [];
    if (tags.boundary !== "administrative" && tags.boundary !== "disputed") return fresh;
    const level = Number(tags.admin_level);
    if (!LEVELS[level]) return fresh;
    const disputed = tags.disputed === "yes" || tags.boundary === "disputed" ? 1 : 0;
    for (const { type, ref, role } of members) {
      if (type !== "way" || role === "subarea") continue;
      const known = this.#levels.get(ref);
      if (known === undefined) fresh.push(ref);
      if (known === undefined || level < known >> 1) this.#levels.set(ref, 2 * level + (disputed | ((known ?? 0) & 1)));
    }
    return fresh;
  }

  /** The border along a way; undefined when it is none. */
  feature(way: number, parts: number[][]): BasemapFeature | undefined {
    const known = this.#levels.get(way);
    if (known === undefined || parts.length === 0) return undefined;
    const level = known >> 1;
    const [kind, minZoom] = LEVELS[level];
    return {
      layer: "boundaries",
      type: LINE,
      parts,
      minZoom,
      properties: properties({ kind, kind_detail: level, disputed: (known & 1) === 1 || undefined }),
      order: -level,
    };
  }
}
