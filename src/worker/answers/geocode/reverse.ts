import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { type Language, NO_CONTEXT } from "../../../core/geocoding/entry/entry.ts";
import { nearby } from "../../../core/geocoding/search/reverse.ts";
import type { Layer } from "../../../core/geocoding/search/search.ts";
import { sourceNameOf } from "../../../core/places/place.ts";
import type { PointRegions } from "../../../core/regions/region.ts";
import { addressIndexesAt } from "../../geodata/addresses.ts";
import { regionsWithCity } from "../../geodata/cities.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placeIdAt } from "../../geodata/places.ts";
import { type Located, type WireAddress, wireAddress } from "../../wire/address.ts";

/** Within this distance a point is at an address [m]: about the depth of a building plot. */
const AT = 25;

/** Results at a point and around it, closest and smallest first. */
export async function addressesAt(
  geodata: Geodata,
  point: Coordinate,
  wanted: ReadonlySet<Layer>,
  lang: Language,
  now: number,
): Promise<WireAddress[]> {
  const [regions, near] = await Promise.all([
    regionsWithCity(geodata, point),
    wanted.has("address") || wanted.has("place") ? nearby(addressIndexesAt(geodata, point), point, lang) : [],
  ]);
  const located: Located[] = [];
  // A street is returned only if no house is near enough.
  const house = near.find(({ kind }) => kind === "address") ?? near.find(({ kind }) => kind === "street");
  for (const one of near) {
    const layer: Layer = one.kind === "place" ? "place" : "address";
    if (!wanted.has(layer) || (layer === "address" && one !== house)) continue;
    const confidence = one.kind !== "street" && one.distance <= AT ? "exact" : "interpolated";
    const id = layer === "place" ? await placeIdAt(geodata, one.name, one.location) : one.id;
    const source = layer === "place" && id !== undefined ? sourceNameOf(id) : undefined;
    const sources = source === undefined ? one.sources : [source];
    located.push({ ...one, id, layer, street: layer === "address", confidence, ...(sources && { sources }) });
  }
  located.push(...regionsAsAnswers(regions, point, wanted));
  const around = await Promise.all(located.map(({ location }) => regionsWithCity(geodata, location)));
  return located.map((one, i) => wireAddress(one, around[i], lang, now));
}

/** Layers of regions from small to large, and the field of each. */
const REGION_LAYERS = [
  ["postalCode", "postalCode"],
  ["locality", "locality"],
  ["county", "county"],
  ["state", "state"],
  ["country", "country"],
] as const;

/** Regions that contain the point, located at the point with distance 0. */
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
    const name = region.name || region.code;
    return [{ layer, name, street: false, context, postalCode: "", location, distance: 0, confidence: "fallback" }];
  });
}
