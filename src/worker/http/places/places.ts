import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Place } from "../../../core/places/place.ts";
import type { PlaceSearch } from "../../../core/places/place-index.ts";
import {
  chainMetadataFilter,
  NO_PLACE_SETTINGS,
  type PlaceSettings,
  resolveChains,
  type Scalar,
} from "../../../core/places/settings.ts";
import { placeAddress, trackedPlace } from "../../answers/track/around.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { airportsWith, placesNear } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { required } from "../../platform/errors.ts";
import { countryCodes } from "../../wire/geocode/geocode-fields.ts";
import { coordinate, inferType, type Metadata, metadataFilter, number, optionalList } from "../../wire/input/fields.ts";
import { foundPlaceShape, wireFoundPlace } from "../../wire/surroundings.ts";
import { endpoint } from "../serve/endpoint.ts";

const IATA_RULE = "Expected a 3-letter airport code.";

export const searchPlaces = endpoint({
  name: "searchPlaces",
  method: "GET",
  path: "/v1/search/places",
  level: "publishable",
  geodataOnly: true,
  chapter: "Search",
  summary: "Returns places near a location by chain or category, sorted by distance; or an airport by its IATA code.",
  description:
    "Set at least one of chains, categories, groups and iataCode; a place must match all of them. Chains are slugs or the project's mapped ids. A `chainMetadata` value in double quotes is the string, and also the number or boolean, inside them.",
  query: z.object({
    chains: optionalList(),
    categories: optionalList(),
    groups: optionalList().meta({ description: "the first level of categories, such as food-beverage" }),
    country: countryCodes().meta({ description: "only places in these countries" }),
    countryCodes: countryCodes().meta({ description: "alias of country" }),
    iataCode: z
      .string()
      .regex(/^[A-Za-z]{3}$/, { error: IATA_RULE })
      .optional(),
    chainMetadata: metadataFilter(),
    near: coordinate().optional().meta({ description: "required unless iataCode is given" }),
    radius: number({ min: 1, max: 10_000 }).default(1000).meta({ description: "meters" }),
    limit: number({ min: 1, max: 100, integer: true }).default(10),
  }),
  response: z.object({ places: z.array(foundPlaceShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    const { near, radius, limit, chains, categories, groups, chainMetadata, iataCode } = query;
    const countries = query.countryCodes ?? query.country;
    const settings = caller.settings.places ?? NO_PLACE_SETTINGS;
    const geodata = await openGeodata(env.GEODATA, call);
    if (iataCode !== undefined) {
      const airports = await airportsWith(geodata, iataCode.toUpperCase());
      return { places: await withAddresses(geodata, airports, settings) };
    }
    if (!near) throw required("near");
    if (!chains && !categories && !groups)
      throw required("chains", "Set at least one of chains, categories, groups and iataCode.");
    const search = {
      radius,
      limit,
      chains: chains && resolveChains(chains, settings),
      categories,
      groups,
      chainFilter: chainMetadata && chainMetadataFilter(unquoted(chainMetadata), settings),
    };
    const places = countries
      ? await placesInCountries(geodata, near, search, new Set(countries))
      : (await placesNear(geodata, near, search)).map(({ place }) => place);
    return { places: await withAddresses(geodata, places, settings) };
  },
});

/** Maximum number of places whose country is looked up. */
const MAX_LOOKUPS = 1000;

/** The nearest places in some countries, nearest first. */
async function placesInCountries(
  geodata: Geodata,
  near: Coordinate,
  search: PlaceSearch,
  countries: ReadonlySet<string>,
): Promise<Place[]> {
  const found = await placesNear(geodata, near, { ...search, limit: MAX_LOOKUPS });
  const places: Place[] = [];
  for (const { place } of found) {
    const { country } = await everyRegionAt(geodata, place.location);
    if (country && countries.has(country.code)) places.push(place);
    if (places.length === search.limit) break;
  }
  return places;
}

/** The native SDKs send each value as a string in double quotes: `chainMetadata[open]="true"`. */
function unquoted(wanted: Metadata): Record<string, Scalar | readonly Scalar[]> {
  return Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => {
      if (typeof value !== "string" || value.length < 2 || !value.startsWith('"') || !value.endsWith('"'))
        return [key, value];
      const text = value.slice(1, -1);
      return [key, [text, inferType(text)]];
    }),
  );
}

function withAddresses(geodata: Geodata, places: readonly Place[], settings: PlaceSettings) {
  return Promise.all(
    places.map(async (place) =>
      wireFoundPlace({ ...trackedPlace(place, settings), address: await placeAddress(geodata, place) }),
    ),
  );
}
