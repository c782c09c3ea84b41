import { z } from "zod";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { Language } from "../../geocoding/entry.ts";
import { NO_CONTEXT } from "../../geocoding/entry.ts";
import { nearby } from "../../geocoding/reverse.ts";
import type { Found, Layer } from "../../geocoding/search.ts";
import { addressIndexesAt } from "../../geodata/addresses.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import type { PointRegions } from "../../regions/region.ts";
import { addressShape, type Located, type WireAddress, wireAddress } from "../../wire/address.ts";
import { endpoint } from "../serve/endpoint.ts";
import { coordinate, text } from "../serve/fields.ts";
import { requestPace } from "../serve/pace.ts";
import { searchWithAirports } from "./airports.ts";
import { countryCodes, language, layers } from "./geocode-fields.ts";

const chapter = "Geocoding";
/** So many answers at most; the specification gives no number. */
const MOST_FORWARD = 10;

export const forwardGeocode = endpoint({
  name: "forwardGeocode",
  method: "GET",
  path: "/v1/geocode/forward",
  level: "publishable",
  geodataOnly: true,
  chapter,
  summary: "An address as text to coordinates.",
  description:
    "For complete addresses, in the order of any country, also with a firm or person in front, a floor or a county, for junctions (`A / B, town`) and for places; autocomplete is for partial ones. " +
    "`confidence`: `exact` is what the query names, letter for letter but for spelling rules; `interpolated` lies between two known house numbers, or is the house of an address that was misspelt or has a word that fits nothing; " +
    "`fallback` is the street, place or region around it, or one that was named only in part.",
  query: z.object({
    query: text(256),
    layers: layers({ places: true }),
    country: countryCodes().optional(),
    lang: language(),
  }),
  response: z.object({ addresses: z.array(addressShape) }),
  async handle(call) {
    const { query, env, now } = call;
    const geodata = await openGeodata(env.GEODATA, call);
    const found = await searchWithAirports(geodata, query.query, {
      layers: query.layers,
      countries: query.country,
      limit: MOST_FORWARD,
      language: query.lang,
      open: false,
      pace: requestPace(),
    });
    return { addresses: await wireAll(geodata, found, query.lang, now) };
  },
});

/** Found → wire, each with the regions around it. */
export async function wireAll(
  geodata: Geodata,
  found: readonly Found[],
  lang: Language,
  now: number,
): Promise<WireAddress[]> {
  return Promise.all(
    found.map(async (one) => {
      const located: Located = { ...one, street: one.kind === "street" };
      return wireAddress(located, await everyRegionAt(geodata, one.location), lang, now);
    }),
  );
}

export const reverseGeocode = endpoint({
  name: "reverseGeocode",
  method: "GET",
  path: "/v1/geocode/reverse",
  level: "publishable",
  geodataOnly: true,
  chapter,
  summary: "Coordinates to the nearest address and the regions around it.",
  description:
    "The nearest address within 50 m, else the street within 100 m, then the regions that hold the point, small ones first. `distance` in metres.",
  query: z.object({ coordinates: coordinate(), layers: layers(), lang: language() }),
  response: z.object({ addresses: z.array(addressShape) }),
  async handle(call) {
    const { query, env, now } = call;
    const { coordinates, lang } = query;
    const geodata = await openGeodata(env.GEODATA, call);
    const [regions, near] = await Promise.all([
      everyRegionAt(geodata, coordinates),
      query.layers.has("address") || query.layers.has("place")
        ? nearby(addressIndexesAt(geodata, coordinates), coordinates, lang)
        : [],
    ]);
    const located: Located[] = [];
    // A street is told only where no house is near enough.
    const house = near.find(({ kind }) => kind === "address") ?? near.find(({ kind }) => kind === "street");
    for (const one of near) {
      const layer: Layer = one.kind === "place" ? "place" : "address";
      if (!query.layers.has(layer) || (layer === "address" && one !== house)) continue;
      located.push({ ...one, layer, street: layer === "address" });
    }
    located.push(...regionsAsAnswers(regions, coordinates, query.layers));
    const around = await Promise.all(located.map(({ location }) => everyRegionAt(geodata, location)));
    return { addresses: located.map((one, i) => wireAddress(one, around[i], lang, now)) };
  },
});

/** Layers of regions from small to large, and where the region stands. */
const REGION_LAYERS = [
  ["postalCode", "postalCode"],
  ["locality", "locality"],
  ["county", "county"],
  ["state", "state"],
  ["country", "country"],
] as const;

/** Regions that hold the point: at the point itself, at no distance. */
function regionsAsAnswers(regions: PointRegions, location: Coordinate, wanted: ReadonlySet<Layer>): Located[] {
  const context = {
    ...NO_CONTEXT,
    countryCode: regions.country?.code ?? "",
    state: regions.state?.name ?? "",
    stateCode: regions.state?.code ?? "",
    county: regions.county?.name ?? "",
    city: regions.locality?.name ?? "",
  };
  return REGION_LAYERS.flatMap(([layer, kind]): Located[] => {
    const region = regions[kind];
    if (!region || !wanted.has(layer)) return [];
    return [{ layer, name: region.name || region.code, street: false, context, postalCode: "", location, distance: 0 }];
  });
}
