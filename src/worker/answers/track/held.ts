import { NO_PLACE_SETTINGS } from "../../../core/places/settings.ts";
import { labelOf } from "../../../core/tracking/steps/enter-fences.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { Identity, UserState } from "../../../core/tracking/types/state.ts";
import {
  type BeaconLabel,
  REGION_KINDS,
  type Region,
  type Regions,
  type Surroundings,
} from "../../../core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import type { KeyRecord } from "../../db/projects/keys.ts";
import { openGeodata } from "../../geodata/live.ts";
import { placeWithId } from "../../geodata/places.ts";
import { regionsAround } from "../../geodata/regions.ts";
import type { Asker } from "../../platform/call.ts";
import { placeAddress, trackedPlace } from "./around.ts";

/** What a device says that it was inside of; absent = unknown. */
export interface HeldIds {
  geofenceIds?: readonly string[];
  placeId?: string;
  regionIds?: readonly string[];
  beaconIds?: readonly string[];
}

/** What the ids name, of the project. */
interface Held {
  fences: readonly Fence[];
  beacons: readonly BeaconLabel[];
}

type Holding = Asker & { caller: Pick<KeyRecord, "settings" | "scope"> };

/**
 * The state of a device that remembers itself what it is inside of; undefined if it remembers nothing. Ids of what no longer exists are
 * left out. When it entered is not known.
 */
export async function stateOf(
  call: Holding,
  settings: TrackingSettings,
  update: LocationUpdate,
  { _id, live }: Identity,
  { geofenceIds, placeId, regionIds, beaconIds }: HeldIds,
  { regions: here }: Pick<Surroundings, "regions">,
  { fences, beacons }: Held,
): Promise<UserState | undefined> {
  if ((geofenceIds ?? placeId ?? regionIds ?? beaconIds) === undefined) return undefined;
  const { location, accuracy, receivedAt: enteredAt, deviceId } = update;
  const [place, regions] = await Promise.all([
    placeId === undefined ? undefined : placeOf(call, placeId),
    regionsOf(call, update, regionIds ?? [], here),
  ]);
  const visit = { enteredAt, dwelled: true };
  return {
    ...{ _id, live, deviceId, createdAt: enteredAt, updatedAt: enteredAt, chronology: 0, seq: 0 },
    ...{ location, locationAccuracy: accuracy, left: {}, regionChanges: {}, nearbyChains: {} },
    geofences: Object.fromEntries(
      fences.map((fence) => [fence.id, { ...visit, fence: labelOf(fence), revision: fence.revision }]),
    ),
    ...(place && { place: { place, enteredAt, anchor: { location: place.location, accuracy: 0 } } }),
    regions: Object.fromEntries(
      regions.filter(({ type }) => settings.regions[type]).map((region) => [region.type, { region, enteredAt }]),
    ),
    ...(beacons.length > 0 && {
      beacons: Object.fromEntries(beacons.map((beacon) => [beacon._id, { beacon, enteredAt }])),
    }),
  };
}

async function placeOf(call: Holding, id: string) {
  const geodata = await openGeodata(call.env.GEODATA, call);
  const found = await placeWithId(geodata, id);
  if (!found) return undefined;
  const place = trackedPlace(found.place, call.caller.settings.places ?? NO_PLACE_SETTINGS);
  return { ...place, address: await placeAddress(geodata, found.place) };
}

/** An _id does not contain its region, so those at the point are compared, then those around it. */
async function regionsOf(
  call: Holding,
  { location }: LocationUpdate,
  ids: readonly string[],
  regions: Regions = {},
): Promise<Region[]> {
  const here = REGION_KINDS.flatMap((kind) => regions[kind] ?? []).filter(({ _id }) => ids.includes(_id));
  if (here.length === ids.length) return here;
  const geodata = await openGeodata(call.env.GEODATA, call);
  const wanted = new Set(ids.filter((id) => !here.some(({ _id }) => _id === id)));
  return [...(await regionsAround(geodata, location, wanted)), ...here];
}
