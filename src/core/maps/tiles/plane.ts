import type { Bounds } from "../../geo/builds/manifest.ts";
import { unproject } from "../base/view.ts";
import type { Rect } from "./clip.ts";

/** Units across a tile, as vector tiles count. */
export const EXTENT = 4096;
/** The zoom of the finest tiles. */
export const MAX_ZOOM = 15;
/** Units across the world: those of the finest tiles. */
export const WORLD_SIZE = EXTENT * 2 ** MAX_ZOOM;
/** Where the square of the Web Mercator projection ends [degrees]. */
export const MAX_LATITUDE = 85.0511287798066;

/** Web Mercator (EPSG:3857) in units of WORLD_SIZE, y to the south; not rounded. */
export function planeX(longitude: number): number {
  return (longitude / 360 + 0.5) * WORLD_SIZE;
}

export function planeY(latitude: number): number {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sin = Math.sin((clamped * Math.PI) / 180);
  return (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * WORLD_SIZE;
}

/** The box of degrees of a rectangle of the plane: west, south, east, north. */
export function boundsOf({ left, top, right, bottom }: Rect): Bounds {
  const [north, south] = [top, bottom].map((y) => unproject(0, y / WORLD_SIZE).latitude);
  return [unproject(left / WORLD_SIZE, 0).longitude, south, unproject(right / WORLD_SIZE, 0).longitude, north];
}

/** A box of degrees on the plane; two rectangles when it crosses the 180th meridian. */
export function planeRects([west, south, east, north]: Bounds): Rect[] {
  const [top, bottom] = [planeY(north), planeY(south)];
  const rect = (left: number, right: number): Rect => ({ left: planeX(left), right: planeX(right), top, bottom });
  return west <= east ? [rect(west, east)] : [rect(west, 180), rect(-180, east)];
}
