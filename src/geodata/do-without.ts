import { type DecodedSource, type TileSource, UnreadableObject } from "../geo/builds/tile-source.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";
import type { LeftOut } from "./told.ts";

/**
 * Wraps a build for readers that can do without some of its objects: a damaged one counts as absent, and is reported in
 * the answer, as are the sources of what was read. Code that must not confuse "cannot be read" with "there is nothing" reads
 * the build itself.
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
