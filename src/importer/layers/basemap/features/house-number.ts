import { MAX_ZOOM } from "../../../../core/maps/tiles/plane.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, POINT, properties } from "./feature.ts";

/** A list of all numbers of a block is no label. */
const MAX_CHARACTERS = 8;

/** The number of a house, where it stands or in the middle of its building: in tiles of the greatest zoom alone. */
export function houseNumber(tags: Tags, at: number[][]): BasemapFeature | undefined {
  const number = tags["addr:housenumber"]?.trim();
  if (!number || number.length > MAX_CHARACTERS) return undefined;
  return {
    layer: "buildings",
    type: POINT,
    parts: at,
    minZoom: MAX_ZOOM,
    properties: properties({ kind: "address", addr_housenumber: number }),
    // After the buildings of its tile.
    order: 1,
  };
}
