import type { Coordinate } from "../geo/coordinate.ts";

/**
 * Elevations are stored on a grid in degrees, in blocks of 0.1° by 0.1°: an arc second (31 m) apart from south to north, and
 * from west to east as far apart as in the Copernicus DEM, so that samples are at most 32 m from each other.
 */
export const BLOCKS_PER_DEGREE = 10;
/** Samples of a block from its southern to its northern edge, both included. */
export const ROWS = 361;
/** Sources in the Mercator projection end here [degrees]. */
export const MAX_LATITUDE = 85;

/** Samples along 0.1° of latitude circle, from this latitude on (Copernicus DEM product handbook, 2022, "Tile grid"). */
const COLUMNS: readonly [from: number, columns: number][] = [
  [80, 72],
  [70, 120],
  [60, 180],
  [50, 240],
  [0, 360],
];

/** A block by its row from the South Pole and its column from 180° W. */
export interface BlockId {
  row: number;
  column: number;
}

export function blockAt({ latitude, longitude }: Coordinate): BlockId {
  return {
    row: Math.min(180 * BLOCKS_PER_DEGREE - 1, Math.floor((latitude + 90) * BLOCKS_PER_DEGREE)),
    column: Math.min(360 * BLOCKS_PER_DEGREE - 1, Math.floor((longitude + 180) * BLOCKS_PER_DEGREE)),
  };
}

/** The south-western corner. */
export function cornerOf({ row, column }: BlockId): Coordinate {
  return { latitude: row / BLOCKS_PER_DEGREE - 90, longitude: column / BLOCKS_PER_DEGREE - 180 };
}

/** Samples of a block from its western to its eastern edge, both included. */
export function columnsOf({ row }: BlockId): number {
  const south = row / BLOCKS_PER_DEGREE - 90;
  // The edge nearer to the equator, where a degree is longest.
  const least = south >= 0 ? south : Math.max(0, -south - 1 / BLOCKS_PER_DEGREE);
  // Corners are multiples of a tenth, up to rounding.
  const [, columns] = COLUMNS.find(([from]) => least + 1e-9 >= from) ?? COLUMNS[COLUMNS.length - 1];
  return columns + 1;
}

export const blockKey = ({ row, column }: BlockId): string => `elevation/${row}/${column}`;

/**
 * For maps of large areas there are overview blocks of 4 × 4 blocks, with as many samples as a block: 124 m apart. Their rows and columns are
 * counted like those of blocks.
 */
export const OVERVIEW_BLOCKS = 4;

/** Samples of an overview block from its western to its eastern edge, both included. */
export const columnsOfOverview = ({ row, column }: BlockId): number =>
  Math.max(
    ...[0, OVERVIEW_BLOCKS - 1].map((i) =>
      columnsOf({ row: row * OVERVIEW_BLOCKS + i, column: column * OVERVIEW_BLOCKS }),
    ),
  );

export const overviewKey = ({ row, column }: BlockId): string => `elevation/overview/${row}/${column}`;
