import { type DecodedSource, type TileSource, UnreadableObject } from "../../core/geo/builds/tile-source.ts";
import type { LeftOut } from "../platform/reports.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

/**
 * Wraps a build for readers that can continue without some of its objects: a damaged one is treated as absent, and
 * reported in the response, as are the sources of the data read. Code that must distinguish "unreadable" from "absent"
 * reads the build itself.
 */
export function doingWithout(
  geodata: Geodata,
  source: BuildSource,
  layer: string,
  leftOut: LeftOut = geodata.leftOut,
): TileSource & DecodedSource {
  const orNothing = (error: unknown): undefined => {
    if (!(error instanceof UnreadableObject)) throw error;
    leftOut(layer);
  };
  const credited = <T>(value: T): T => {
    if (value !== undefined) geodata.credit(source, layer);
    return value;
  };
  return {
    hasLists: source.hasLists,
    read: (key, range) => source.read(key, range).then(credited, orNothing),
    cached: (key, decode, options) => source.cached(key, decode, options).then(credited, orNothing),
  };
}
