import { z } from "zod";
import { getJson } from "../base/api.ts";
import { type Address, labelOf, pairOf, spotFields, spotOf } from "../base/places.ts";
import { listOf, resultOf, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { fenceLine, type WireFence } from "./fence-line.ts";
import { placeLine, type WirePlace } from "./place-line.ts";

interface Context {
  geofences: WireFence[];
  place?: WirePlace;
  country?: Region;
  state?: Region;
  dma?: Region;
  postalCode?: Region;
}
interface Region {
  code: string;
  name: string;
}

const REGIONS = ["country", "state", "dma", "postalCode"] as const;
/** Nearby geofences that are listed. */
const NEARBY_FENCES = 5;

export const describeLocation = tool({
  name: "describe_location",
  title: "Describe a location",
  description:
    "Describes what is at a location: its address, regions (country, state, postal code), the place there, the project's geofences that contain it, the nearest other geofences, and on request places of some categories around it.",
  input: z.object({
    ...spotFields,
    categories: z
      .array(z.string().max(64))
      .max(10)
      .optional()
      .describe("list places of these categories around it, such as food-beverage, hospital, gas-station"),
    radius: z
      .number()
      .min(1)
      .max(10_000)
      .default(1000)
      .describe("meters around it, for categories and nearby geofences"),
  }),
  async run({ categories, radius, ...spot }, api) {
    const at = await spotOf(api, spot);
    const coordinates = pairOf(at);
    const [{ context }, { addresses }, { geofences: nearby }, places] = await Promise.all([
      getJson<{ context: Context }>(api, "/v1/context", { coordinates }),
      getJson<{ addresses: Address[] }>(api, "/v1/geocode/reverse", { coordinates }),
      getJson<{ geofences: WireFence[] }>(api, "/v1/search/geofences", {
        near: coordinates,
        radius,
        limit: NEARBY_FENCES + 20,
        includeGeometry: false,
      }),
      categories &&
        getJson<{ places: WirePlace[] }>(api, "/v1/search/places", {
          near: coordinates,
          radius,
          categories: categories.join(","),
          limit: 20,
        }),
    ]);
    const inside = new Set(context.geofences.map(({ _id }) => _id));
    const others = nearby.filter(({ _id }) => !inside.has(_id)).slice(0, NEARBY_FENCES);
    const { items, ...rest } = listOf(
      (places?.places ?? []).map((place) => placeLine(place, at)),
      () => "Set a smaller radius or fewer categories.",
      { hasMore: places?.places.length === 20, room: 6_000 },
    );
    const data = {
      latitude: round6(at.latitude),
      longitude: round6(at.longitude),
      ...(at.address && { found: at.address }),
      ...(at.alternatives && { alternatives: at.alternatives }),
      address: addresses[0] && labelOf(addresses[0]),
      regions: Object.fromEntries(
        REGIONS.flatMap((kind) => {
          const region = context[kind];
          return region ? [[kind, { code: region.code, name: region.name }]] : [];
        }),
      ),
      ...(context.place && { place: placeLine(context.place, at) }),
      geofences: context.geofences.slice(0, 20).map(fenceLine),
      ...(context.geofences.length > 20 && { geofencesTotal: context.geofences.length }),
      nearbyGeofences: others.map(fenceLine),
      ...(places && { places: items, placesList: rest }),
    };
    const count = context.geofences.length;
    return resultOf(`The location is inside ${count} geofence${count === 1 ? "" : "s"} of the project.`, data);
  },
});
