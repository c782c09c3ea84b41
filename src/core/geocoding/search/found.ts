import type { Coordinate } from "../../geo/coordinate.ts";
import type { Context, EntryKind, Precision } from "../entry/entry.ts";
import type { Confidence, Layer } from "./index-search.ts";
import type { Town } from "./towns.ts";

/** An answer. The regions around it (county, neighborhood, time zone) are added from the layer `regions`. */
export interface Found {
  layer: Layer;
  kind: EntryKind;
  /** In the requested language, if the data has it. */
  name: string;
  context: Context;
  postalCode: string;
  /** Of a house that the data has (address-id.ts). */
  id?: string;
  /** Of an address with a house number. */
  number?: string;
  unit?: string;
  /** The house number of the query that this street lacks, where all other words of the query match. */
  sought?: string;
  /** Of the point of an address with a house number, where the build has it. */
  precision?: Precision;
  /** Names of the sources that have it, that of the point first. */
  sources?: readonly string[];
  location: Coordinate;
  confidence: Confidence;
  /** It matches the entire query, possibly in another form, and is not only a fallback. */
  reached?: true;
  /** 0 … 1 */
  score: number;
  /** How well known it is, 0 … 1. */
  importance?: number;
  /** Of a town: all of its names, as words, and the distance of its farthest addresses [m]. */
  town?: Pick<Town, "names" | "reach">;
  /** From `near` [m]. */
  distance?: number;
}
