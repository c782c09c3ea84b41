import type { Properties, TileFeature, Value } from "../../../../core/maps/tiles/mvt.ts";
import { LINE, POINT, POLYGON } from "../../../../core/maps/tiles/mvt.ts";
import { planeX, planeY, WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import type { Line, Polygon } from "../../../frame/layer.ts";

/** The layers of the Protomaps basemap schema, version 4 (docs.protomaps.com/basemaps/layers). */
export const LAYERS = [
  "earth",
  "landcover",
  "landuse",
  "water",
  "roads",
  "buildings",
  "boundaries",
  "pois",
  "places",
] as const;
/** The index of waters in the finest tiles of an archive that is magnified, after those of LAYERS: their units are so many times smaller. */
export const FINE_WATER = LAYERS.length;
export const FINENESS = 2;
type LayerName = (typeof LAYERS)[number];

/** A feature of the map. */
export interface BasemapFeature {
  layer: LayerName;
  type: TileFeature["type"];
  /** On the plane of `plane.ts`, flat x, y lists as in a vector tile. */
  parts: number[][];
  /** The first and last zoom whose tiles have it. */
  minZoom: number;
  maxZoom?: number;
  /** Its properties in a tile of the zoom. */
  properties: Properties | ((zoom: number) => Properties);
  /** Order within the layer: smaller first, so that larger are on top. */
  order?: number;
}

/** Drops what is undefined, so that rules may be written as one literal. */
export function properties(from: Record<string, Value | undefined>): Properties {
  const result: Record<string, Value> = {};
  for (const key in from) if (from[key] !== undefined) result[key] = from[key];
  return result;
}

export function pointParts(longitude: number, latitude: number): number[][] {
  return [[planeX(longitude), planeY(latitude)]];
}

/** A line on the plane. It walks across the 180th meridian in one piece, leaving the square there. */
export function lineParts(line: Line): number[][] {
  return line.length > 1 ? [walk(line, line.length)] : [];
}

/** Areas on the plane, where y runs south: the rings run the other way than on the map, as vector tiles want them. */
export function polygonParts(polygons: readonly Polygon[]): number[][] {
  const parts: number[][] = [];
  const add = (ring: Line) => parts.push(backwards(walk(ring, ring.length - 1)));
  for (const { outer, inner } of polygons) {
    if (outer.length < 4) continue;
    add(outer);
    for (const hole of inner) if (hole.length >= 4) add(hole);
  }
  return parts;
}

/** A ring or line in the other direction. */
export function backwards(part: readonly number[]): number[] {
  const back: number[] = [];
  for (let i = part.length - 2; i >= 0; i -= 2) back.push(part[i], part[i + 1]);
  return back;
}

/** The first corners of a line on the plane, each within half a world of the one before. */
export function walk(line: readonly (readonly number[])[], count: number): number[] {
  const part: number[] = [];
  let previous = Number.NaN;
  for (let i = 0; i < count; i++) {
    let x = planeX(line[i][0]);
    if (x - previous > WORLD_SIZE / 2) x -= WORLD_SIZE;
    else if (previous - x > WORLD_SIZE / 2) x += WORLD_SIZE;
    part.push(x, planeY(line[i][1]));
    previous = x;
  }
  return part;
}

export { LINE, POINT, POLYGON };
