import type { Coordinate } from "../../geo/coordinate.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import type { BuildSource } from "../../geodata/r2-source.ts";
import type { Place as FoundPlace } from "../../places/place.ts";
import { PlaceIndex } from "../../places/place-index.ts";
import { mapChain, NO_PLACE_SETTINGS, type PlaceSettings, passesFilters } from "../../places/settings.ts";
import { type PointRegions, regionId } from "../../regions/region.ts";
import { RegionIndex, type TileReader } from "../../regions/region-index.ts";
import { RegionTile } from "../../regions/region-tile.ts";
import { timeZoneAt } from "../../regions/time-zone.ts";
import type { TrackingSettings } from "../../tracking/types/settings.ts";
import {
  type Place,
  REGION_KINDS,
  type Region,
  type Regions,
  type Surroundings,
} from "../../tracking/types/surroundings.ts";
import type { Caller } from "../serve/caller.ts";
import type { Asker, Call } from "../serve/endpoint.ts";

/** How near a chain the project watches must be to be told of [m], unless the project says otherwise. */
export const NEARBY_CHAIN_RADIUS = 1000;

/** What the geodata tells about a point: everything around an update but the geofences. */
export async function lookAround(
  call: Asker & Pick<Call, "caller">,
  settings: TrackingSettings,
  point: Coordinate,
): Promise<Omit<Surroundings, "fences" | "removed">> {
  const { env, caller } = call;
  const geodata = await openGeodata(env.GEODATA, call);
  const places = caller.settings.places ?? NO_PLACE_SETTINGS;
  const [regions, place, nearbyChains] = await Promise.all([
    REGION_KINDS.some((kind) => settings.regions[kind]) ? regionsAt(geodata, point) : undefined,
    settings.places ? placeAt(geodata, point, places) : undefined,
    settings.places ? chainsNear(geodata, point, caller) : undefined,
  ]);
  return { regions, place, nearbyChains, timeZone: timeZoneAt(point) };
}

/** The regions a point lies in; undefined when there is no geodata that could tell. */
export async function regionsAt(geodata: Geodata, point: Coordinate): Promise<Regions | undefined> {
  const { world } = geodata;
  const imports = geodata.at(point, "regions");
  if (!world && imports.length === 0) return undefined;
  const found = await new RegionIndex(imports.map(tilesOf), world && tilesOf(world)).regionsAt(point);
  return trackedRegions(found);
}

function tilesOf(source: BuildSource): TileReader {
  return (key) => source.cached(key, (bytes) => new RegionTile(bytes), { weight: (tile) => tile.weight });
}

/** A tile's answer is shared by all who ask there, and so is what it becomes. */
const tracked = new WeakMap<PointRegions, Regions>();

function trackedRegions(found: PointRegions): Regions {
  let regions = tracked.get(found);
  if (!regions) {
    const all: Partial<Record<(typeof REGION_KINDS)[number], Region>> = {};
    const country = found.country?.code ?? "";
    for (const kind of REGION_KINDS) {
      const one = found[kind];
      if (one) all[kind] = { _id: regionId(kind, country, one.code), type: kind, ...one };
    }
    regions = all;
    tracked.set(found, regions);
  }
  return regions;
}

/** The place at a point; null = none, undefined = no places are known around there. */
async function placeAt(
  geodata: Geodata,
  point: Coordinate,
  settings: PlaceSettings,
): Promise<Place | null | undefined> {
  const sources = geodata.at(point, "places");
  if (sources.length === 0) return undefined;
  for (const source of sources) {
    const found = await new PlaceIndex(source).at(point, (place) => passesFilters(place, settings));
    if (found) return trackedPlace(found, settings);
  }
  return null;
}

/** Of every chain the project watches, the nearest place near the point; undefined when it watches none. */
async function chainsNear(geodata: Geodata, point: Coordinate, { settings }: Caller): Promise<Place[] | undefined> {
  const watched = settings.nearbyChains ?? [];
  if (watched.length === 0) return undefined;
  const radius = settings.nearbyChainRadius ?? NEARBY_CHAIN_RADIUS;
  const places = settings.places ?? NO_PLACE_SETTINGS;
  const found: Place[] = [];
  for (const source of geodata.at(point, "places")) {
    const index = new PlaceIndex(source);
    for (const slug of watched) {
      if (found.some(({ chain }) => chain?.slug === slug)) continue;
      const [nearest] = await index.near(point, { radius, limit: 1, chains: new Set([slug]) });
      if (nearest) found.push(trackedPlace(nearest.place, places));
    }
  }
  return found;
}

/** A place as the project sees it: its chain with the project's own id and metadata. */
export function trackedPlace(
  { id, name, chain, categories, location, footprint }: FoundPlace,
  settings: PlaceSettings,
): Place {
  return { _id: id, name, chain: chain && mapChain(chain, settings), categories, location, footprint };
}
