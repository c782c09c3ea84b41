import { z } from "zod";
import { getJson, ToolError } from "../base/api.ts";
import {
  type Address,
  ALL_LAYERS,
  geocode,
  labelOf,
  language,
  latitude,
  locate,
  longitude,
  pairOf,
  where,
} from "../base/places.ts";
import { listOf, resultOf, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";

export const findPlace = tool({
  name: "find_place",
  title: "Find a place",
  description:
    'Finds addresses, places and regions by text, or the nearest address of coordinates. Use it to turn a name into coordinates, or coordinates into an address. Also finds kinds of places in a town ("coffee in Krems").',
  input: z.object({
    query: z.string().trim().min(1).max(256).optional().describe("an address, a place, or a kind of place with a town"),
    latitude: latitude.optional().describe("instead of query: the position whose address is wanted"),
    longitude: longitude.optional(),
    near: where.optional().describe("results near this come first"),
    country: z.string().max(64).optional().describe("only these countries: two-letter codes, separated by commas"),
    lang: language,
    limit: z.number().int().min(1).max(20).default(5),
  }),
  async run({ query, latitude, longitude, near, country, lang, limit }, api) {
    if (query === undefined) {
      if (latitude === undefined || longitude === undefined)
        throw new ToolError("Set query (a text), or both latitude and longitude.");
      const path = "/v1/geocode/reverse";
      const coordinates = pairOf({ latitude, longitude });
      const { addresses } = await getJson<{ addresses: Address[] }>(api, path, {
        coordinates,
        lang,
        layers: ALL_LAYERS,
      });
      return placesResult(addresses.slice(0, limit), "A larger limit shows further regions.");
    }
    if (latitude !== undefined || longitude !== undefined)
      throw new ToolError("Set query, or latitude and longitude, not both. To prefer a neighborhood, set near.");
    const around = near === undefined ? undefined : pairOf((await locate(api, [["near", near]]))[0]);
    return placesResult(await geocode(api, { query, limit, near: around, lang, country }), "Set a larger limit.");
  },
});

function placesResult(addresses: readonly Address[], next: string) {
  const places = addresses.map((one) => ({
    address: labelOf(one),
    ...(one.placeLabel && { name: one.placeLabel }),
    kind: one.layer,
    latitude: round6(one.latitude),
    longitude: round6(one.longitude),
    ...(one.confidence && { confidence: one.confidence }),
    ...(one.distance !== undefined && { metres: Math.round(one.distance) }),
  }));
  const { items, ...rest } = listOf(places, () => next);
  const summary =
    places.length === 0
      ? "Nothing was found. Check the spelling, add the town or country, or search for a larger area."
      : `${places.length} result${places.length === 1 ? "" : "s"}, the best first. confidence: exact, interpolated (between house numbers) or fallback (the area around it).`;
  return resultOf(summary, { places: items, ...rest });
}
