import type { Coordinate } from "../../geo/coordinate.ts";
import { planeX, planeY, WORLD_SIZE } from "./plane.ts";

/**
 * Tiles around positions, at every zoom. A map that shows all of them in a window of 4,096 points has no tile farther away:
 * tiles are at least 512 points wide.
 */
const TILES_AROUND = 8;

/** Is a tile close to one of these positions? At low zooms all are. */
export function isAround(positions: readonly Coordinate[], z: number, x: number, y: number): boolean {
  const count = 2 ** z;
  return positions.some(({ latitude, longitude }) => {
    const column = Math.floor((planeX(longitude) / WORLD_SIZE) * count);
    const row = Math.max(0, Math.min(count - 1, Math.floor((planeY(latitude) / WORLD_SIZE) * count)));
    const across = Math.abs(column - x);
    return Math.min(across, count - across) <= TILES_AROUND && Math.abs(row - y) <= TILES_AROUND;
  });
}
