import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import { geofenceChanges, geofenceTombstones } from "../../db/customers/geofences.ts";
import { fenceOfRow } from "../../objects/fences/fence-row.ts";
import type { FenceRecord, NearQuery } from "../../objects/fences/fence-store.ts";
import { geofenceIndexOf } from "../../objects/fences/geofence-index-stub.ts";
import {
  type FenceChange,
  fencesAt,
  KnownFences,
  MAX_IN_AREA,
  reachOf,
  searchArea,
} from "../../objects/fences/known-fences.ts";
import type { Call } from "../serve/endpoint.ts";
import { freshFenceEpoch } from "../serve/fence-epoch.ts";

type Asker = Pick<Call, "env" | "caller" | "now" | "waitUntil">;

/** Maximum changes that are applied one by one; with more, the cache of the scope is cleared. */
const MAX_CHANGES = 50;

const known = new KnownFences();

/** The enabled geofences that contain a point. */
export async function fencesHolding(call: Asker, point: Coordinate): Promise<Fence[]> {
  const epoch = await freshFenceEpoch(call);
  if (epoch === 0) return [];
  const area = await areaAround(call, epoch, point);
  const { env, caller } = call;
  return area ? fencesAt(area, point) : geofenceIndexOf(env, caller.scope).at(caller.scope, epoch, point);
}

/** The records of the enabled geofences nearest to a point, nearest first. */
export async function fencesNearest(call: Asker, point: Coordinate, query: NearQuery): Promise<FenceRecord[]> {
  const epoch = await freshFenceEpoch(call);
  if (epoch === 0) return [];
  const area = await areaAround(call, epoch, point);
  const found = area && searchArea(area, point, query);
  const { env, caller } = call;
  return found ?? geofenceIndexOf(env, caller.scope).search(caller.scope, epoch, point, query);
}

/** The cached geofences around a point, loaded if missing; undefined if there are too many. */
async function areaAround(call: Asker, epoch: number, point: Coordinate) {
  const { env, caller } = call;
  const { scope } = caller;
  const since = known.epochOf(scope);
  if (since > 0 && since < epoch) known.advance(scope, epoch, await changesSince(env.DB, scope, since, epoch));
  // Tries cell after cell until one has few enough geofences, and caches which ones have too many.
  for (let found = known.around(scope, point); ; found = known.around(scope, point)) {
    if (found.ask === undefined) return found.area;
    const { center, radius } = reachOf(found.ask);
    const area = await geofenceIndexOf(env, scope).area(scope, epoch, center, radius, MAX_IN_AREA);
    if (!known.put(scope, found.ask, area)) return undefined;
  }
}

async function changesSince(
  db: D1Database,
  scope: number,
  since: number,
  until: number,
): Promise<FenceChange[] | undefined> {
  const [rows, tombstones] = await Promise.all([
    geofenceChanges(db, scope, { epoch: since, id: "\uffff" }, until, MAX_CHANGES + 1),
    geofenceTombstones(db, scope, since),
  ]);
  if (rows.length + tombstones.length > MAX_CHANGES) return undefined;
  return [...rows.map((row) => ({ id: row.id, fence: fenceOfRow(row) })), ...tombstones.map((id) => ({ id }))];
}
