import type { Coordinate } from "../../geo/coordinate.ts";
import type { HouseNumber } from "../words/house-number.ts";

/**
 * The kinds of entry. A house number belongs to its street's entry and is not an entry itself. The order is part of the
 * format.
 */
export const ENTRY_KINDS = ["street", "place", "locality", "postalCode", "county", "state", "country"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Languages of stored names and of labels. The order is part of the format. */
export const LANGUAGES = ["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Kinds of names. `main`: the current name in its language. `short`: the name without its distinguishing addition. `other`: another name or
 * spelling. `old`: a former name. `local`: the current name in a language of the country, which only finds it. The order is part of the
 * format.
 */
export const NAME_KINDS = ["main", "short", "other", "old", "code", "local"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** A name in a language, as stored: a main one unless it says otherwise. */
export type LanguageName = readonly [language: Language, name: string, kind?: NameKind];
/** In a byte: the number of the language, and 16 times that of the kind. */
export const codeOfName = ([language, , kind = "main"]: LanguageName): number =>
  LANGUAGES.indexOf(language) + 16 * NAME_KINDS.indexOf(kind);
/** Of such a byte; a kind that a newer program has is another name. */
export const kindOfCode = (code: number): NameKind => NAME_KINDS[code >> 4] ?? "other";
export const languageOfCode = (code: number): Language => LANGUAGES[code & 15];

/** Names of the areas that contain an entry; "" for unknown ones. */
export interface Context {
  city: string;
  /** Part of a city that people write instead of it: Brooklyn. */
  borough: string;
  /** Part of a borough, or of a city without one, that addresses name: a ward, a mahalle, a dong. */
  neighborhood: string;
  county: string;
  stateCode: string;
  state: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
}

export const NO_CONTEXT: Context = {
  city: "",
  borough: "",
  neighborhood: "",
  county: "",
  stateCode: "",
  state: "",
  countryCode: "",
};

/** Their order is part of the format; `neighborhood` is in it since version 5. */
export const CONTEXT_PARTS = [
  "city",
  "borough",
  "neighborhood",
  "county",
  "stateCode",
  "state",
  "countryCode",
] as const;

export interface House {
  number: HouseNumber;
  location: Coordinate;
  /** Units the source lists at this number: "4B". */
  units: readonly string[];
  /** Made from an interpolation line: the house is said to exist, but its exact position is not recorded. */
  computed: boolean;
  /** The four digits after a ZIP code, if the source has them. */
  plus4?: string;
  /** Use of the building, if the source has it. */
  propertyType?: PropertyType;
  /** How exact the position is, and who has the house; absent in builds of version 3 and before. */
  origin?: Origin;
}

/**
 * What a point of a house is, the best first: the building or its entrance, its plot (or an address point whose source does
 * not say), a place computed between two houses. The order is part of the format.
 */
export const PRECISIONS = ["rooftop", "parcel", "interpolated"] as const;
/** Of an address: that of its house, or only of its street. */
export type Precision = (typeof PRECISIONS)[number] | "street";

export interface Origin {
  precision: (typeof PRECISIONS)[number];
  /** Numbers of the build's sources, that of the position first (index/sources.ts). */
  sources: readonly number[];
}

/** A house of the first source, on its building: what most houses of an extract are. */
export const FIRST_ORIGIN: Origin = { precision: "rooftop", sources: [0] };

/** The order is part of the format. */
export const PROPERTY_TYPES = ["residential", "commercial"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Positions are stored to 1e-5 degrees: 1.1 m. */
export const GRID = 1e5;

/** The version of all objects of the layer `addresses`, and the oldest that is still read. */
export const ADDRESSES_VERSION = 5;
export const ADDRESSES_VERSIONS = [2, ADDRESSES_VERSION] as const;

/** Importance of a path without houses; streets have more. */
export const PATH_IMPORTANCE = 28;
