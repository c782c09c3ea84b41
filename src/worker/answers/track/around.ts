import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Place as FoundPlace } from "../../../core/places/place.ts";
import { mapChain, NO_PLACE_SETTINGS, type PlaceSettings, passesFilters } from "../../../core/places/settings.ts";
import { idOfRegion, type PointRegions } from "../../../core/regions/region.ts";
import { timeZoneAt } from "../../../core/regions/time-zone.ts";
import { placeReach } from "../../../core/tracking/match-place.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import {
  type Place,
  type PlaceAddress,
  REGION_KINDS,
  type Region,
  type Regions,
  type Surroundings,
} from "../../../core/tracking/types/surroundings.ts";
import type { KeyRecord } from "../../db/projects/keys.ts";
import { whileAway } from "../../geodata/bucket-away.ts";
import { regionsWithCity } from "../../geodata/cities.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { chainsNear, PLACES_LAYER, placeAt, placesNear } from "../../geodata/places.ts";
import { REGIONS_LAYER, regionsAt, withPostalCode } from "../../geodata/regions.ts";
import type { Asker } from "../../platform/call.ts";
import { addressOfPlace } from "../../wire/address.ts";

const POSTAL_CODES = ["postalCode"] as const;
const NO_DATA = { regions: undefined, whole: true };

/** Default distance within which a watched chain is near [m]. */
export const NEARBY_CHAIN_RADIUS = 1000;

/** Number of alternate places of an entry, and their search radius around a fix [m]. */
const MAX_ALTERNATES = 4;
const ALTERNATES_RADIUS = 200;

type Around = Omit<Surroundings, "fences" | "removed">;

/**
 * Geodata of a point: the complete context of an update except the geofences.
 * @param settled the device may enter a place: then other places nearby are listed too
 * @returns also `areas`, the regions as far as they could be read; {} if the project wants none
 */
export async function lookAround(
  call: Asker & { caller: Pick<KeyRecord, "settings"> },
  settings: TrackingSettings,
  point: Coordinate,
  settled = false,
): Promise<{ around: Around; areas: PointRegions }> {
  const { env, caller } = call;
  const places = caller.settings.places ?? NO_PLACE_SETTINGS;
  const { nearbyChains: watched = [], nearbyChainRadius = NEARBY_CHAIN_RADIUS } = caller.settings;
  return whileAway(env.GEODATA, call, async (part) => {
    const geodata = await part("geodata", () => openGeodata(env.GEODATA, call));
    if (!geodata) return { around: { unread: true, timeZone: timeZoneAt(point) }, areas: {} };
    const [regions, place, chains] = await Promise.all([
      REGION_KINDS.some((kind) => settings.regions[kind])
        ? part(REGIONS_LAYER, async () => (await regionsAt(geodata, point)) ?? NO_DATA)
        : NO_DATA,
      settings.places ? part(PLACES_LAYER, () => placeAround(geodata, point, places, settled)) : undefined,
      settings.places && watched.length > 0
        ? part(PLACES_LAYER, () => chainsNear(geodata, point, watched, nearbyChainRadius))
        : undefined,
    ]);
    const known = regions?.whole ? regions.regions : undefined;
    const around: Around = {
      regions: known && trackedRegions(known),
      // Damage, or no response, must not make a user leave a country.
      ...(!known && regions !== NO_DATA && { unread: true }),
      // Postal codes come only from imports: without an import here, a missing postal code does not mean that the user left one.
      ...(geodata.at(point, REGIONS_LAYER).length === 0 && { unknownRegions: POSTAL_CODES }),
      ...(place ?? { place: undefined }),
      nearbyChains: chains?.map((chain) => trackedPlace(chain, places)),
      timeZone: timeZoneAt(point, known),
    };
    return { around, areas: regions?.regions ?? {} };
  });
}

/** The place at a point, with the others within reach where the device may enter it; null and undefined as from `placeAt`. */
async function placeAround(
  geodata: Geodata,
  point: Coordinate,
  settings: PlaceSettings,
  settled: boolean,
): Promise<Pick<Surroundings, "place" | "alternatePlaces">> {
  const place = await placeAt(geodata, point, (one) => passesFilters(one, settings));
  if (!place) return { place };
  const alternatePlaces = settled ? await alternatesTo(place, geodata, point, settings) : [];
  return {
    place: { ...trackedPlace(place, settings), address: await placeAddress(geodata, place) },
    ...(alternatePlaces.length > 0 && { alternatePlaces }),
  };
}

/** The postal code at a point in these areas; where no area of one is known, that of the nearest center. */
export async function postalRegionAt(
  geodata: Geodata,
  point: Coordinate,
  areas: PointRegions,
): Promise<Region | undefined> {
  const { country, postalCode } = await withPostalCode(geodata, point, areas);
  if (!postalCode) return undefined;
  return { _id: idOfRegion("postalCode", country?.code ?? "", postalCode), type: "postalCode", ...postalCode };
}

/** All calls for a tile share its regions, so they also share the converted form. */
const tracked = new WeakMap<PointRegions, Regions>();

function trackedRegions(found: PointRegions): Regions {
  let regions = tracked.get(found);
  if (!regions) {
    const all: Partial<Record<(typeof REGION_KINDS)[number], Region>> = {};
    const country = found.country?.code ?? "";
    for (const kind of REGION_KINDS) {
      const one = found[kind];
      if (one) all[kind] = { _id: idOfRegion(kind, country, one), type: kind, ...one };
    }
    regions = all;
    tracked.set(found, regions);
  }
  return regions;
}

/** The address of a place; undefined if only its name is known. */
export async function placeAddress(geodata: Geodata, place: FoundPlace): Promise<PlaceAddress | undefined> {
  const regions = await regionsWithCity(geodata, place.location);
  return place.address || regions.country ? addressOfPlace(place, regions) : undefined;
}

/** The other places within reach of a point, nearest first. */
async function alternatesTo(
  { id }: FoundPlace,
  geodata: Geodata,
  point: Coordinate,
  settings: PlaceSettings,
): Promise<Place[]> {
  const near = await placesNear(geodata, point, { radius: ALTERNATES_RADIUS, limit: 2 * MAX_ALTERNATES });
  return near
    .filter(({ place, distance }) => {
      const within = distance <= placeReach(place);
      return within && place.id !== id && passesFilters(place, settings);
    })
    .slice(0, MAX_ALTERNATES)
    .map(({ place }) => trackedPlace(place, settings));
}

/** A place as the project sees it: its chain with the project's own id and metadata. */
export function trackedPlace(
  { id, name, chain, categories, location, footprint }: FoundPlace,
  settings: PlaceSettings,
): Place {
  return { _id: id, name, chain: chain && mapChain(chain, settings), categories, location, footprint };
}
