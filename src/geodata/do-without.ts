import { type DecodedSource, type TileSource, UnreadableObject } from "../geo/tile-source.ts";
import type { BuildSource } from "./r2-source.ts";

/** Reports a kind of data that an answer has to do without. */
export type LeftOut = (what: string) => void;

/**
 * Wraps a build for readers that can do without some of its objects: a damaged one counts as absent, and is reported in
 * the answer. Code that must not confuse "cannot be read" with "there is nothing" reads the build itself.
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
