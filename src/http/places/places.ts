import { z } from "zod";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { airportsWith, placesNear } from "../../geodata/places.ts";
import type { Place } from "../../places/place.ts";
import { chainMetadataFilter, NO_PLACE_SETTINGS, type PlaceSettings, resolveChains } from "../../places/settings.ts";
import { placeShape, wirePlace } from "../../wire/surroundings.ts";
import { endpoint } from "../serve/endpoint.ts";
import { invalid, required } from "../serve/errors.ts";
import { coordinate, metadataFilter, number, optionalList } from "../serve/fields.ts";
import { placeAddress, trackedPlace } from "../track/around.ts";

const IATA_RULE = "Expected a 3-letter airport code.";

export const searchPlaces = endpoint({
  name: "searchPlaces",
  method: "GET",
  path: "/v1/search/places",
  level: "publishable",
  geodataOnly: true,
  chapter: "Search",
  summary: "Places near a location by chain or category, sorted by distance; or an airport by its IATA code.",
  description:
    "One of chains, categories and iataCode is needed; with chains and categories a place must fit both. Chains are slugs or the project's mapped ids.",
  query: z.object({
    chains: optionalList(),
    categories: optionalList(),
    iataCode: z
      .string()
      .regex(/^[A-Za-z]{3}$/, { error: IATA_RULE })
      .optional(),
    chainMetadata: metadataFilter(),
    near: coordinate().optional().meta({ description: "required unless iataCode is given" }),
    radius: number({ min: 1, max: 10_000 }).default(1000).meta({ description: "metres" }),
    limit: number({ min: 1, max: 100, integer: true }).default(10),
  }),
  response: z.object({ places: z.array(placeShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    const { near, radius, limit, chains, categories, chainMetadata, iataCode } = query;
    const settings = caller.settings.places ?? NO_PLACE_SETTINGS;
    const geodata = await openGeodata(env.GEODATA, call);
    if (iataCode !== undefined) {
      const airports = await airportsWith(geodata, iataCode.toUpperCase());
      return { places: await withAddresses(geodata, airports, settings) };
    }
    if (!near) throw required("near");
    if (!chains && !categories) throw required("chains", "One of chains, categories and iataCode is needed.");
    if (chainMetadata && !chains && !categories) throw invalid("chainMetadata", "Needs chains or categories.");
    const search = {
      radius,
      limit,
      chains: chains && resolveChains(chains, settings),
      categories,
      chainFilter: chainMetadata && chainMetadataFilter(chainMetadata, settings),
    };
    const found = await placesNear(geodata, near, search);
    const places = found.map(({ place }) => place);
    return { places: await withAddresses(geodata, places, settings) };
  },
});

function withAddresses(geodata: Geodata, places: readonly Place[], settings: PlaceSettings) {
  return Promise.all(
    places.map(async (place) =>
      wirePlace({ ...trackedPlace(place, settings), address: await placeAddress(geodata, place) }),
    ),
  );
}
