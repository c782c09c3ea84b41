import { type DecodedSource, type TileSource, UnreadableObject } from "../geo/tile-source.ts";
import type { BuildSource } from "./r2-source.ts";

/** Names a kind of data that an answer has to do without. */
export type LeftOut = (what: string) => void;

/**
 * A build as one reads it who can do without some of its objects: one that is damaged is as if it were not there, and named
 * in the answer. What must not take "cannot be read" for "there is nothing" reads the build itself.
 */
export function doingWithout(source: BuildSource, layer: string, leftOut: LeftOut): TileSource & DecodedSource {
  const orNothing = (error: unknown): undefined => {
    if (!(error instanceof UnreadableObject)) throw error;
    leftOut(layer);
  };
  return {
    hasLists: source.hasLists,
    read: (key, range) => source.read(key, range).catch(orNothing),
    cached: (key, decode, options) => source.cached(key, decode, options).catch(orNothing),
  };
}
