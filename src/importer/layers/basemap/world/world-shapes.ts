import { ringArea } from "../../../../core/maps/tiles/mvt.ts";
import type { Corner, TopoGeometry } from "../../../world/topojson.ts";
import { polygonsOf } from "../../../world/topology-shapes.ts";
import { backwards, walk } from "../features/feature.ts";

/** The ring in the direction in which its area has the sign. */
export function turned(ring: number[], sign: 1 | -1): number[] {
  return ringArea(ring) * sign >= 0 ? ring : backwards(ring);
}

/** Outlines of an atlas on the plane, as vector tiles want them: outer rings one way, holes the other. */
export function polygonPartsOf(geometry: TopoGeometry, arcs: readonly Corner[][]): number[][] {
  return polygonsOf(geometry, arcs).flatMap((rings) =>
    rings.map((ring, i) => turned(walk(ring, ring.length), i === 0 ? 1 : -1)),
  );
}
