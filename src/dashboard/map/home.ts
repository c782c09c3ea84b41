import type { forwardGeocode } from "../../worker/http/geocode/forward.ts";
import type { listLiveGeodata } from "../../worker/http/geodata/geodata.ts";
import type { Answer, Api } from "../api/client.ts";
import { readStored, writeStored } from "../api/stored.ts";
import { largestCluster } from "./clusters.ts";
import { type Bounds, boundsOf, readPosition, writePosition } from "./position.ts";

/** Where a map opens that has no position in its address and no data of its own: a position of the URL format, or a box. */
export type Home = { position: string } | { bounds: Bounds };

const DAY_MS = 86_400_000;
/** Users whose positions are looked at. */
const MAX_USERS = 1000;
const COUNTRY_ZOOM = 4.5;

const keyOf = ({ scope }: Api) => `graticule-map ${scope?.project} ${scope?.environment}`;

/** Stores where the viewer looked last in this project. */
export const rememberHome = (api: Api, position: string) => writeStored(keyOf(api), position);

function rememberedHome(api: Api): Home | undefined {
  const position = readPosition(readStored(keyOf(api)));
  return position && { position: writePosition(position) };
}

/**
 * Finds where to open a map: where the viewer looked last, else the largest cluster of the users of the last day, the newest geofence,
 * the newest import, and the viewer's country. Each is requested only if the one before has no position.
 */
export async function findHome(api: Api, now = Date.now()): Promise<Home | undefined> {
  return (
    rememberedHome(api) ??
    (await ofUsers(api, now)) ??
    (await ofGeofences(api)) ??
    (await ofImports(api)) ??
    ofCountry(api)
  );
}

const homeOf = (bounds: Bounds | undefined): Home | undefined => bounds && { bounds };

async function ofUsers(api: Api, now: number): Promise<Home | undefined> {
  const updatedAfter = new Date(now - DAY_MS).toISOString();
  const query = { updatedAfter, limit: MAX_USERS };
  const found = await api.get<{ users: { location: { coordinates: number[] } }[] }>("/v1/users", query);
  if (!found.ok) return undefined;
  return homeOf(boundsOf(largestCluster(found.data.users.map(({ location }) => location.coordinates))));
}

async function ofGeofences(api: Api): Promise<Home | undefined> {
  const found = await api.get<{ geofences: { geometry?: { coordinates: number[][][] } }[] }>("/v1/geofences", {
    limit: 1,
  });
  return found.ok ? homeOf(boundsOf(found.data.geofences[0]?.geometry?.coordinates[0] ?? [])) : undefined;
}

async function ofImports(api: Api): Promise<Home | undefined> {
  const found = await api.get<Answer<typeof listLiveGeodata>>("/v1/geodata");
  if (!found.ok) return undefined;
  // The base of the world is everywhere.
  const imports = found.data.builds.filter(({ areas }) => areas?.every(([west, , east]) => east - west < 180));
  const [newest] = imports.sort((a, b) => ((a.importedAt ?? "") < (b.importedAt ?? "") ? 1 : -1));
  return homeOf(
    boundsOf(
      (newest?.areas ?? []).flatMap(([west, south, east, north]) => [
        [west, south],
        [east, north],
      ]),
    ),
  );
}

/** By the address of the viewer; where it is unknown, as on the own machine, by the language of the browser. */
async function ofCountry(api: Api): Promise<Home | undefined> {
  const found = await api.get<{ address?: { countryCode?: string } }>("/v1/geocode/ip");
  const country = (found.ok && found.data.address?.countryCode) || /-([A-Z]{2})$/.exec(navigator.language)?.[1];
  if (!country) return undefined;
  const place = await api.get<Answer<typeof forwardGeocode>>("/v1/geocode/forward", {
    query: country,
    layers: "country",
  });
  const address = place.ok ? place.data.addresses[0] : undefined;
  if (address?.latitude === undefined || address.longitude === undefined) return undefined;
  const { latitude, longitude } = address;
  return { position: writePosition({ latitude, longitude, zoom: COUNTRY_ZOOM }) };
}
