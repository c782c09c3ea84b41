import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { searchRadius } from "../../../core/tracking/match-fences.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import type { Env } from "../../platform/env.ts";
import { geofenceIndexOf } from "../fences/geofence-index-stub.ts";
import {
  covers,
  hasSameFences,
  isEnough,
  isWorthKeeping,
  type KeptNeighbourhood,
  NEIGHBOURHOOD_FENCES,
  NEIGHBOURHOOD_RADIUS,
  type Neighbourhood,
} from "../fences/neighbourhood.ts";
import { SHARED_FENCES, SharedNeighbourhoods } from "../fences/shared-neighbourhoods.ts";
import { shareIsolate } from "../writer/database-writers-stub.ts";

/** Maximum fences that one update checks if there are too many for a neighborhood. */
const MAX_FENCES = 5_000;
/** Neighborhoods with more corners than this are not stored on disk; a value can be up to 2 MB. */
const KEPT_VERTICES = 30_000;
const KEY = "neighbourhood";

const shared = new SharedNeighbourhoods();

interface FenceQuery {
  scope: number;
  /** The newest epoch of the scope's geofences known to the caller. */
  fenceEpoch: number;
  update: LocationUpdate;
  settings: TrackingSettings;
}

/**
 * The fences around a device, from the neighborhood cached by its tracker, or from the index once the device has left
 * it. If trackers share an isolate, they also share neighborhoods, and none is written to disk.
 */
export class DeviceFences {
  readonly #env: Env;
  readonly #kv: SyncKvStorage;
  #neighbourhood: Neighbourhood | undefined;
  /** The neighborhood on disk. */
  #stored: Pick<KeptNeighbourhood, "center" | "radius" | "keptAt"> | undefined;
  #isRead = false;
  /**
   * The epoch at which the stored neighborhood was last compared with the index, and was the same. It is written with the tracker's state,
   * which is written anyway: a row of its own for each change of some other geofence would cost as much as the update.
   */
  comparedEpoch: number | undefined;

  constructor(env: Env, kv: SyncKvStorage) {
    this.#env = env;
    this.#kv = kv;
  }

  /**
   * The fences that the update may affect.
   * @param from the device's location at the previous update, if any
   * @param compared `comparedEpoch`, as it was written with the state
   */
  async around(
    query: FenceQuery,
    from: () => Coordinate | undefined,
    compared: () => number | undefined,
  ): Promise<readonly Fence[]> {
    const { scope, fenceEpoch, update, settings } = query;
    const { location, receivedAt } = update;
    const need = searchRadius(update.accuracy, settings);
    if (isEnough(this.#neighbourhood, fenceEpoch, location, need)) return this.#neighbourhood.fences;
    if (fenceEpoch === 0) return [];
    const index = geofenceIndexOf(this.#env, scope);
    if (shareIsolate(this.#env)) {
      const ask = (center: Coordinate, radius: number, least: number) =>
        index.neighbourhood(scope, fenceEpoch, center, radius, SHARED_FENCES, least);
      const around = await shared.around(scope, fenceEpoch, location, need, ask);
      if (around) {
        this.#neighbourhood = around;
        return around.fences;
      }
    }
    const kept = this.#read(compared);
    const radius = Math.max(NEIGHBOURHOOD_RADIUS, 2 * need);
    if (kept && covers(kept, location, need)) {
      if (kept.epoch >= fenceEpoch) {
        this.#neighbourhood = kept;
        return kept.fences;
      }
      const again = await index.neighbourhood(scope, fenceEpoch, kept.center, radius, NEIGHBOURHOOD_FENCES);
      if (hasSameFences(kept, again)) {
        this.#neighbourhood = { ...kept, epoch: again.epoch };
        this.comparedEpoch = again.epoch;
        return kept.fences;
      }
    }
    const found = await index.neighbourhood(scope, fenceEpoch, location, radius, NEIGHBOURHOOD_FENCES);
    if (found.radius < need) return (await index.neighbourhood(scope, fenceEpoch, location, need, MAX_FENCES)).fences;
    this.#neighbourhood = found;
    if (isWorthKeeping(this.#stored, from(), location, need, receivedAt)) this.#keep(found, receivedAt);
    return found.fences;
  }

  /** Everything of this object was deleted. */
  forget(): void {
    this.#neighbourhood = undefined;
    this.#stored = undefined;
    this.#isRead = true;
    this.comparedEpoch = undefined;
  }

  /** Reads the stored neighborhood, once and only when needed: it may be large. */
  #read(compared: () => number | undefined): KeptNeighbourhood | undefined {
    if (this.#isRead) return undefined;
    this.#isRead = true;
    const kept = this.#kv.get<KeptNeighbourhood>(KEY);
    this.#stored = kept && { center: kept.center, radius: kept.radius, keptAt: kept.keptAt };
    if (!kept) return undefined;
    // Epochs only grow, so one that belonged to an earlier neighborhood is lower.
    return { ...kept, epoch: Math.max(kept.epoch, compared() ?? 0) };
  }

  #keep(found: Neighbourhood, keptAt: number): void {
    let vertices = 0;
    for (const { shape } of found.fences) vertices += shape.type === "polygon" ? shape.ring.length : 1;
    if (vertices > KEPT_VERTICES) return;
    this.#kv.put(KEY, { ...found, keptAt } satisfies KeptNeighbourhood);
    this.#stored = { center: found.center, radius: found.radius, keptAt };
  }
}
