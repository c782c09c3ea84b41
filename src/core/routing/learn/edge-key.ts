import type { Coordinate } from "../../geo/coordinate.ts";
import type { Tile } from "../graph/tile.ts";
import { edgeGeometry } from "../search/path.ts";

/**
 * A directed edge by its first two points, in the direction of travel [1e-6 degrees]: "y,x,y,x". Tiles do not store OSM ids,
 * but these two points are nodes of OpenStreetMap, so the key survives a new import as long as the nodes do not move.
 */
export type EdgeKey = string;

export function edgeKey(tile: Tile, edge: number): EdgeKey {
  const [first, second] = edgeGeometry(tile, edge);
  return segmentKey(first, second);
}

export const segmentKey = (from: Coordinate, to: Coordinate): EdgeKey => `${pointKey(from)},${pointKey(to)}`;

export const pointKey = ({ latitude, longitude }: Coordinate): string => `${micro(latitude)},${micro(longitude)}`;

const micro = (degrees: number) => Math.round(degrees * 1e6);

/** The first point of an edge. */
export function startOfKey(key: EdgeKey): Coordinate {
  const [y, x] = key.split(",", 2);
  return { latitude: Number(y) / 1e6, longitude: Number(x) / 1e6 };
}
