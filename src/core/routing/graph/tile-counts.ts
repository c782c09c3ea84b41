export const TILE_MAGIC = "GRDT";
export const TILE_VERSION = 6;
/** Versions that lack dates; before 5 limits of vehicles and what depends on the hour; before 4 the time to board a ferry. */
export const OLDER_VERSIONS = [3, 4, 5];

/** The numbers a tile begins with, in this order. */
export const TILE_COUNTS = [
  ...(["inside", "nodes", "cells", "pieces", "between", "border", "points", "copies", "leaving"] as const),
  ...(["firstEntering", "exceptions", "profiles", "windows", "rows", "records", "kinds", "names", "nodeText"] as const),
  "wide",
] as const;
export type TileCount = (typeof TILE_COUNTS)[number];

/**
 * Bits of `wide`: columns whose numbers do not fit 16 bits (profiles: 8) take twice as many; and whether the profiles have
 * limits of vehicles.
 */
export const WIDE = { length: 1, shapeFirst: 2, shapes: 4, profiles: 8, limits: 16 } as const;
