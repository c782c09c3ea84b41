import { MAX_ZOOM } from "../../../../core/maps/tiles/plane.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, POINT, properties } from "./feature.ts";

/** Crossings without stripes. */
const UNMARKED = new Set(["no", "unmarked", "informal"]);

/**
 * A marked crossing that is mapped as a node of its road. Tiles replace it by a line across the road (tiles/lay-crossings.ts), as
 * crossings that are mapped as ways are.
 */
export function crossingPoint(tags: Tags, at: number[][]): BasemapFeature | undefined {
  if (tags.highway !== "crossing") return undefined;
  const markings = tags["crossing:markings"];
  const isMarked =
    markings === undefined ? tags.crossing !== undefined && !UNMARKED.has(tags.crossing) : markings !== "no";
  if (!isMarked) return undefined;
  return {
    layer: "roads",
    type: POINT,
    parts: at,
    minZoom: MAX_ZOOM,
    properties: properties({ kind: "path", kind_detail: "crossing" }),
    order: CROSSING_ORDER,
  };
}

/** Above the roads that they cross. */
const CROSSING_ORDER = 400;
