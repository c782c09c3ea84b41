import { tableOf } from "../../../common/own-table.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, LINE, properties } from "./feature.ts";
import { namesOf } from "./names.ts";

const WATERWAYS = tableOf<[minZoom: number, namesFrom: number]>({
  river: [8, 11],
  canal: [10, 12],
  stream: [13, 14],
  ditch: [15, 15],
  drain: [15, 15],
});

/** The line of flowing water. */
export function waterwayFeature(tags: Tags, parts: number[][]): BasemapFeature | undefined {
  const known = WATERWAYS[tags.waterway];
  if (!known) return undefined;
  const [minZoom, namesFrom] = known;
  const tunnel = tags.tunnel !== undefined && tags.tunnel !== "no";
  const base = {
    kind: tags.waterway,
    is_tunnel: tunnel || undefined,
    intermittent: tags.intermittent === "yes" || undefined,
  };
  return {
    layer: "water",
    type: LINE,
    parts,
    minZoom: tunnel ? Math.max(13, minZoom) : minZoom,
    properties: (zoom) => properties({ ...base, ...(zoom >= namesFrom && namesOf(tags)) }),
  };
}
