/** The kinds of area that can contain a point, coarse to fine. The order is part of the tile format. */
export const REGION_KINDS = [
  "country",
  "state",
  "county",
  "locality",
  "borough",
  "neighborhood",
  "postalCode",
] as const;
export type RegionKind = (typeof REGION_KINDS)[number];

/**
 * Priority of regions of one kind that contain the same point, best first: a region that an import contains completely,
 * a coarser region of the world base data, and a region of the world base data that an import has replaced (it fills
 * the slivers between).
 */
export const REGION_RANKS = ["import", "base", "replaced"] as const;
export type RegionRank = (typeof REGION_RANKS)[number];

/** An area as stored in a tile. */
export interface Region {
  kind: RegionKind;
  rank: RegionRank;
  /**
   * Country: ISO 3166-1 alpha-2. State: ISO 3166-2 without the country. US county: FIPS. Postal code: itself. May be
   * "".
   */
  code: string;
  /** In English for the world base, in the local language for an import. */
  name: string;
  /** ISO 3166-1 alpha-2 code of its country, "" if unknown. */
  country: string;
  /** Code of its state, "" if unknown. */
  state: string;
  /** Designated market area of a US county, from the operator's table. */
  dma?: { code: string; name: string };
}

export interface NamedRegion {
  code: string;
  name: string;
}

/**
 * The regions that contain a point. States are given where the data has them; the caller decides for which countries to
 * show them.
 */
export interface PointRegions {
  country?: NamedRegion & { flag: string };
  state?: NamedRegion;
  county?: NamedRegion;
  /** `inferred`: no area of it is known, the city is near and large (near-cities.ts). */
  locality?: NamedRegion & { inferred?: true };
  borough?: NamedRegion;
  neighborhood?: NamedRegion;
  postalCode?: NamedRegion;
  dma?: NamedRegion;
}

/** "US" → 🇺🇸: two regional indicator symbols (Unicode Technical Standard 51). "" when it is not a two-letter code. */
export function flagOf(countryCode: string): string {
  if (!/^[A-Za-z]{2}$/.test(countryCode)) return "";
  return String.fromCodePoint(...[...countryCode.toUpperCase()].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));
}

const displayNames = new Map<string, Intl.DisplayNames>();

/** Name of a country in a language, from the runtime's Unicode CLDR; the code itself if unknown. */
export function countryName(countryCode: string, language = "en"): string {
  let names = displayNames.get(language);
  if (!names) {
    names = new Intl.DisplayNames([language], { type: "region" });
    displayNames.set(language, names);
  }
  return names.of(countryCode) ?? countryCode;
}

/**
 * A region's `_id` on the wire: 24 hexadecimal digits, the same for the same kind, country and code in every build.
 * Three 32-bit FNV-1a hashes (Fowler, Noll, Vo 1991) with different seeds, each finished as in MurmurHash3 (Appleby
 * 2011).
 */
export function regionId(kind: RegionKind | "dma", countryCode: string, code: string): string {
  const text = `${kind}\n${countryCode}\n${code}`;
  return [0x811c9dc5, 0x9e3779b9, 0x85ebca6b].map((seed) => hash(text, seed).toString(16).padStart(8, "0")).join("");
}

/** The `_id` of a region; of one without a code, as many states have none, by its name. */
export const idOfRegion = (
  kind: RegionKind | "dma",
  countryCode: string,
  { code, name }: Pick<Region, "code" | "name">,
): string => regionId(kind, countryCode, code || name);

function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
