import type { DataSource } from "../../core/geo/builds/manifest.ts";

/** The elevations that the roads of an import use, as JSON in a file; the blocks are files next to it. */
export interface GroundPlan {
  version: 1;
  sources: DataSource[];
  /** "row/column" of a block of the grid → SHA-256 of its object, by ascending key. */
  blocks: Record<string, string>;
}

/** Path of a block, relative to the folder of the plan. */
export const blockFile = (sha256: string): string => `${sha256}.block`;
