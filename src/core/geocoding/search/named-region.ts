import type { Coordinate } from "../../geo/coordinate.ts";
import { type Context, type EntryKind, GRID } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import type { Town } from "./towns.ts";

/** How a text names a region: by a main name of today, one in another language, another or old one, its beginning, a code. */
export type NameKind = "main" | "language" | "other" | "short" | "code";

/** A region that words of a query name. */
export interface NamedRegion extends Spot {
  names: NamesTile;
  entry: number;
  importance: number;
  town: Town;
  by: NameKind;
  /** A state that is called after a town in it. */
  isProvince?: true;
}

/** Words of a query that are the name of one or more regions: no result may be outside all of them. */
export interface Anchor {
  /** The words of the query, from … to − 1. */
  from: number;
  to: number;
  words: readonly string[];
  /** The last word is still being typed: "Singa" is a town, and the beginning of Singapore. */
  open?: true;
  /** None for a town that is not in the state or country of another anchor: "Portland, FR". Data may still have one. */
  regions: readonly NamedRegion[];
}

/** Words that may name regions, among other readings. */
export interface Span extends Anchor {
  /** The words as bits. */
  mask: number;
  /** How surely the words mean a region, 0 … 1. */
  strength: number;
  /** How likely each level of region is, of 1. */
  levels: Readonly<Record<"country" | "state" | "town", number>>;
}

/** Something with a position [1e-5 degrees] and the names around it. */
export interface Spot {
  context: Context;
  latitude: number;
  longitude: number;
  kind: EntryKind;
}

export const spotOf = ({
  context,
  location,
  kind,
}: {
  context: Context;
  location: Coordinate;
  kind: EntryKind;
}): Spot => ({
  context,
  kind,
  latitude: location.latitude * GRID,
  longitude: location.longitude * GRID,
});

/** A code of a state or country, which is also the abbreviation of other things: "MI" is Michigan and Milano. */
export const MAX_CODE_LETTERS = 3;

/** Names in other scripts may be as short: 港区. */
export const isCode = ({ words: [word, ...others] }: Pick<Anchor, "words">) =>
  others.length === 0 && word.length <= MAX_CODE_LETTERS && /^[a-z]+$/.test(word);
