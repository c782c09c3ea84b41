import { isCoordinate } from "../../core/geo/coordinate.ts";

/** Map view. It is in the URL as `at=48.99000,-111.20000,15.5`, so that a link shows the same area. */
export interface MapPosition {
  latitude: number;
  longitude: number;
  zoom: number;
}

/** Deepest zoom that MapLibre shows. */
const MAX_ZOOM = 24;

/** "48.99,-111.2,15" → a position; undefined for anything else. */
export function readPosition(text: string | null | undefined): MapPosition | undefined {
  const parts = (text ?? "").split(",");
  if (parts.length !== 3 || parts.some((part) => part.trim() === "")) return undefined;
  const [latitude, longitude, zoom] = parts.map(Number);
  if (!isCoordinate(latitude, longitude) || !(zoom >= 0 && zoom <= MAX_ZOOM)) return undefined;
  return { latitude, longitude, zoom };
}

/** Five decimals are a meter, which is about a pixel at street zooms; finer zoom differences are invisible. */
export function writePosition({ latitude, longitude, zoom }: MapPosition): string {
  return `${latitude.toFixed(5)},${longitude.toFixed(5)},${Number(zoom.toFixed(2))}`;
}

/** South-west and north-east corners as [longitude, latitude]. */
export type Bounds = [west: number, south: number, east: number, north: number];

/**
 * Returns the bounding box of positions, or undefined if there are none. Across the 180th meridian, returns the
 * smaller box with an east above 180, as MapLibre's `fitBounds` requires.
 */
export function boundsOf(pairs: Iterable<readonly number[]>): Bounds | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let [turnedWest, turnedEast] = [Infinity, -Infinity];
  for (const [longitude, latitude] of pairs) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    const turned = longitude < 0 ? longitude + 360 : longitude;
    turnedWest = Math.min(turnedWest, turned);
    turnedEast = Math.max(turnedEast, turned);
  }
  if (west > east) return undefined;
  return turnedEast - turnedWest < east - west ? [turnedWest, south, turnedEast, north] : [west, south, east, north];
}

/** Less of a view than this, a box is a dot. */
const MIN_SHARE = 0.02;

/** Whether a view shows a box as a whole, and larger than a dot, in any copy of the world. */
export function isShown([west, south, east, north]: Bounds, view: Bounds): boolean {
  const turn = 360 * Math.round((view[0] + view[2] - west - east) / 720);
  const isInside = west + turn >= view[0] && east + turn <= view[2] && south >= view[1] && north <= view[3];
  const share = Math.max((east - west) / (view[2] - view[0]), (north - south) / (view[3] - view[1]));
  return isInside && (share === 0 || share >= MIN_SHARE);
}

/** Whether a view shows any of these positions. */
export const isAnyShown = (pairs: readonly (readonly number[])[], view: Bounds): boolean =>
  pairs.some(([longitude, latitude]) => isShown([longitude, latitude, longitude, latitude], view));
