import { beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import type { PackedCell } from "../../geo/cells/cells.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";

/**
 * The objects of the layer `addresses` in a build. Tiles are numbered by size, the largest first. No object grows
 * without bound with the build, except for the few bytes of each tile or block in positions, words and pairs.
 *
 *     addresses/tiles/<area>       the tiles that can be near a point of an H3 cell, by its packed number (tile-directory.ts)
 *     addresses/areas              areas with such a list (geo/cells/cell-list.ts)
 *     addresses/positions          approximate position of each tile (tile-positions.ts)
 *     addresses/names/<i>          names of tile i (names-tile.ts)
 *     addresses/houses/<i>         its house numbers and lines (details-tile.ts)
 *     addresses/coverage           number of addresses, by state (coverage.ts)
 *     addresses/airports           airports of cities in the world base (airport-cities.ts)
 *     addresses/filter             filter of words, for choosing among builds (word-filter.ts)
 *     addresses/filter/<s>         shard s of it, where it is large
 *     addresses/words              the first word of each block of the word index
 *     addresses/words/<b>          block b: words with the tiles that hold them
 *     addresses/pairs              the first pair of each block of the pair index
 *     addresses/pairs/<b>          block b: two words that follow each other in a street's name ("walnut street"), with tiles
 *     addresses/head               the prefixes of regions
 *     addresses/head/<h>           regions with a word that begins with prefix h, as a tile of names
 */
/** Of version 2, for the whole build. */
export const ALL_TILES_KEY = "addresses/tiles";
export const AREAS_KEY = "addresses/areas";
export const POSITIONS_KEY = "addresses/positions";
export const FILTER_KEY = "addresses/filter";
export const WORDS_KEY = "addresses/words";
export const PAIRS_KEY = "addresses/pairs";
export const HEAD_KEY = "addresses/head";
export const tilesKey = (area: PackedCell): string => `addresses/tiles/${area}`;
export const namesKey = (tile: number): string => `addresses/names/${tile}`;
export const housesKey = (tile: number): string => `addresses/houses/${tile}`;
export const filterKey = (shard: number): string => `addresses/filter/${shard}`;
export const wordsKey = (block: number): string => `addresses/words/${block}`;
export const pairsKey = (block: number): string => `addresses/pairs/${block}`;
export const headKey = (block: number): string => `addresses/head/${block}`;

/** Tiles are cells of these resolutions; a dense cell is split into its seven children. */
export const COARSEST_TILE = 3;
export const FINEST_TILE = 8;

/** addresses/words, addresses/pairs and addresses/head: "GADP", u32 version, number of strings, strings in order. */
export function encodePrefixes(texts: readonly string[]): Uint8Array {
  const out = beginObject("GADP", ADDRESSES_VERSION);
  out.unsigned(texts.length);
  for (const text of texts) out.text(text);
  return out.finish();
}

export function decodePrefixes(bytes: Uint8Array): string[] {
  const reader = openVersions(bytes, "GADP", ADDRESSES_VERSIONS, "a list of prefixes").reader;
  return Array.from({ length: reader.unsigned() }, () => reader.text());
}
