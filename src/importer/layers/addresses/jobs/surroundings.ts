import { decodeText } from "../../../../core/geo/bytes/bytes.ts";
import type { RegionsAt } from "../records/house-context.ts";
import { RegionTiles, type SharedTiles } from "../records/region-tiles.ts";
import { Settlements } from "../records/settlements.ts";

/** Data that all buckets need, in shared memory. */
export interface SharedSurroundings {
  /** Tells one import of a process from the next. */
  id: number;
  tiles: SharedTiles;
  settlements: Uint8Array;
  /** Postal codes that a region is drawn for, a line each. */
  drawnCodes: Uint8Array;
}

export interface Surroundings {
  regionsAt: RegionsAt;
  settlements: Settlements;
  drawnCodes: ReadonlySet<string>;
}

let opened: { id: number; surroundings: Surroundings } | undefined;

/** Decoded data is cached while a thread works for one import. */
export function surroundingsOf({ id, tiles, settlements, drawnCodes }: SharedSurroundings): Surroundings {
  if (opened?.id !== id) {
    const regions = new RegionTiles(tiles);
    // Copies: texts are not decoded from shared memory everywhere.
    const codes = new Uint8Array(drawnCodes);
    const surroundings: Surroundings = {
      regionsAt: (point, cell) => (cell === undefined ? regions.at(point) : regions.within(point, cell)),
      settlements: Settlements.decode(new Uint8Array(settlements)),
      drawnCodes: new Set(decodeText(codes, 0, codes.length).split("\n")),
    };
    opened = { id, surroundings };
  }
  return opened.surroundings;
}

/** Forgets the last import's. */
export function forgetSurroundings(): void {
  opened = undefined;
}

/** A copy in memory that all threads see. */
export function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
