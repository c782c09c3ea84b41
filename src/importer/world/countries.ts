import countries from "i18n-iso-countries";
import { countryName } from "../../core/regions/region.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import { readAtlas } from "./package-file.ts";
import { type Corner, decodeArcs, ringsOf, type TopoGeometry } from "./topojson.ts";

/**
 * Areas Natural Earth draws apart without an ISO 3166-1 number, and the code they get here: that of the country whose
 * ISO 3166-2 list they are in. Specks of rock in no one's list (Spratly Islands, Scarborough Reef, Bajo Nuevo and
 * Serranilla Banks, Siachen Glacier) stay without a country; Kosovo has the code in general use.
 */
const WITHOUT_NUMBER: Record<string, string> = {
  Akrotiri: "GB",
  Baikonur: "KZ",
  "Clipperton I.": "FR",
  "Coral Sea Is.": "AU",
  "Cyprus U.N. Buffer Zone": "CY",
  Dhekelia: "GB",
  Kosovo: "XK",
  "N. Cyprus": "CY",
  Somaliland: "SO",
  "USNB Guantanamo Bay": "CU",
};

/**
 * Parts the atlas draws with another area: rings that begin in these boxes. Most have their own ISO 3166-1 code;
 * Crimea is drawn with Russia, who holds it, and is in Ukraine's ISO 3166-2 list.
 */
const CARVED: { from: string; code: string; box: [west: number, south: number, east: number, north: number] }[] = [
  { from: "FR", code: "GF", box: [-55, 2, -51, 6] },
  { from: "FR", code: "GP", box: [-62, 15.7, -60.9, 16.6] },
  { from: "FR", code: "MQ", box: [-61.4, 14.3, -60.7, 15] },
  { from: "FR", code: "RE", box: [55, -21.6, 56, -20.7] },
  { from: "FR", code: "YT", box: [44.9, -13.2, 45.4, -12.5] },
  { from: "NL", code: "BQ", box: [-68.6, 11.9, -68.1, 12.4] },
  { from: "NL", code: "BQ", box: [-63.4, 17.3, -62.8, 17.8] },
  { from: "NO", code: "SJ", box: [10, 74, 34, 81.5] },
  { from: "NO", code: "SJ", box: [-9.5, 70.5, -7.5, 71.5] },
  { from: "RU", code: "UA", box: [32.4, 44.3, 36.7, 46.3] },
  { from: "Indian Ocean Ter.", code: "CX", box: [105, -11, 106, -10] },
  { from: "Indian Ocean Ter.", code: "CC", box: [96, -13, 97.5, -11] },
];

/** The atlas's grid (400 m) swallows the Vatican; this outline is ours, good to some 50 m. */
const VATICAN: Corner[] = [
  [12.4458, 41.9021],
  [12.4484, 41.9006],
  [12.4529, 41.9002],
  [12.4573, 41.901],
  [12.4584, 41.9024],
  [12.4575, 41.9042],
  [12.4578, 41.9063],
  [12.4545, 41.9074],
  [12.4515, 41.9064],
  [12.449, 41.9037],
];

/** Half a million corners: who asks next may find them still there. */
let known: WeakRef<readonly RegionShape[]> | undefined;

/**
 * Every country and territory with its own code as polygons (Natural Earth 1:10m, public domain, by world-atlas).
 */
export function countryShapes(): readonly RegionShape[] {
  const there = known?.deref();
  if (there) return there;
  const made = makeCountryShapes();
  known = new WeakRef(made);
  return made;
}

function makeCountryShapes(): RegionShape[] {
  const atlas = readAtlas("world-atlas/countries-10m.json");
  const arcs = decodeArcs(atlas);
  const rings = new Map<string, Corner[][]>([["VA", [VATICAN]]]);
  const add = (code: string | undefined, ring: Corner[]) => {
    if (!code || code === "VA") return;
    const known = rings.get(code);
    if (known) known.push(ring);
    else rings.set(code, [ring]);
  };
  for (const geometry of atlas.objects.countries.geometries) {
    const name = geometry.properties?.name ?? "";
    const code = countryCodeOf(geometry);
    for (const ring of ringsOf(geometry, arcs)) add(carved(code ?? name, ring[0]) ?? code, ring);
  }
  return [...rings].map(([code, outline]) => ({
    kind: "country",
    rank: "base",
    code,
    name: "",
    country: code,
    state: "",
    rings: outline,
  }));
}

/** ISO 3166-1 alpha-2 of an area of the atlas; undefined for one in no one's list. */
export function countryCodeOf({ id, properties }: TopoGeometry): string | undefined {
  return id ? countries.numericToAlpha2(id) : WITHOUT_NUMBER[properties?.name ?? ""];
}

/** Countries with several languages, or none of those below, where the first of CLDR's would surprise. */
const NAMED_IN_ENGLISH = new Set(["AQ", "IN", "PK", "SG", "UM"]);

/** The name of a country in its own language, as its signs have it; in English where several languages share it. */
export function localCountryName(code: string): string {
  return countryName(code, localLanguage(code));
}

/** The language of a country's signs; "en" where several languages share it. */
export function localLanguage(code: string): string {
  return NAMED_IN_ENGLISH.has(code) ? "en" : new Intl.Locale(`und-${code}`).maximize().language;
}

function carved(from: string, [longitude, latitude]: Corner): string | undefined {
  const holds = ([west, south, east, north]: [number, number, number, number]) =>
    longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  return CARVED.find((part) => part.from === from && holds(part.box))?.code;
}
