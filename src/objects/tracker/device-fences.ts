import type { Env } from "../../env.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { searchRadius } from "../../tracking/match-fences.ts";
import type { Fence } from "../../tracking/types/fence.ts";
import type { TrackingSettings } from "../../tracking/types/settings.ts";
import type { LocationUpdate } from "../../tracking/types/update.ts";
import {
  isEnough,
  isWorthKeeping,
  type KeptNeighbourhood,
  NEIGHBOURHOOD_FENCES,
  NEIGHBOURHOOD_RADIUS,
  type Neighbourhood,
} from "../fences/neighbourhood.ts";
import { SHARED_FENCES, SharedNeighbourhoods } from "../fences/shared-neighbourhoods.ts";
import { shareIsolate } from "../stubs/database-writers.ts";
import { geofenceIndexOf } from "../stubs/geofence-index.ts";

/** Most fences that one update looks at, where there are too many for a neighbourhood. */
const MAX_FENCES = 5_000;
/** Neighbourhoods with more corners than this are not kept on disk; a value may have 2 MB. */
const KEPT_VERTICES = 30_000;
const KEY = "neighbourhood";

const shared = new SharedNeighbourhoods();

interface FenceQuestion {
  scope: number;
  /** The newest epoch of the scope's geofences that the caller knows. */
  fenceEpoch: number;
  update: LocationUpdate;
  settings: TrackingSettings;
}

/**
 * The fences around a device: from the neighbourhood that its tracker keeps, or from the index when the device has left that. Where
 * trackers share an isolate, they share neighbourhoods, too, and none is written to disk.
 */
export class DeviceFences {
  readonly #env: Env;
  readonly #kv: SyncKvStorage;
  #neighbourhood: Neighbourhood | undefined;
  /** Which one is on disk. */
  #kept: Pick<KeptNeighbourhood, "center" | "radius" | "keptAt"> | undefined;
  #isRead = false;

  constructor(env: Env, kv: SyncKvStorage) {
    this.#env = env;
    this.#kv = kv;
  }

  /** The fences the update may affect. @param from where the device was with the update before, if there was one */
  async around(question: FenceQuestion, from: () => Coordinate | undefined): Promise<readonly Fence[]> {
    const { scope, fenceEpoch, update, settings } = question;
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
    const kept = this.#read();
    if (isEnough(kept, fenceEpoch, location, need)) {
      this.#neighbourhood = kept;
      return kept.fences;
    }
    const radius = Math.max(NEIGHBOURHOOD_RADIUS, 2 * need);
    const found = await index.neighbourhood(scope, fenceEpoch, location, radius, NEIGHBOURHOOD_FENCES);
    if (found.radius < need) return (await index.neighbourhood(scope, fenceEpoch, location, need, MAX_FENCES)).fences;
    this.#neighbourhood = found;
    if (isWorthKeeping(this.#kept, from(), location, need, receivedAt)) this.#keep(found, receivedAt);
    return found.fences;
  }

  /** Everything of this object has been deleted. */
  forget(): void {
    this.#neighbourhood = undefined;
    this.#kept = undefined;
    this.#isRead = true;
  }

  /** What is on disk; the first time only, and not before it is needed: it may be large. */
  #read(): KeptNeighbourhood | undefined {
    if (this.#isRead) return undefined;
    this.#isRead = true;
    const kept = this.#kv.get<KeptNeighbourhood>(KEY);
    this.#kept = kept && { center: kept.center, radius: kept.radius, keptAt: kept.keptAt };
    return kept;
  }

  #keep(found: Neighbourhood, keptAt: number): void {
    let vertices = 0;
    for (const { shape } of found.fences) vertices += shape.type === "polygon" ? shape.ring.length : 1;
    if (vertices > KEPT_VERTICES) return;
    this.#kv.put(KEY, { ...found, keptAt } satisfies KeptNeighbourhood);
    this.#kept = { center: found.center, radius: found.radius, keptAt };
  }
}
