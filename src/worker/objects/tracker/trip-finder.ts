import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { openLegs } from "../../../core/tracking/legs.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Trip, TripAround, TripOptions } from "../../../core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import type { EtaAsker } from "../../answers/learn/eta-corrector.ts";
import { routeAround } from "../../answers/track/planned-route.ts";
import { claimNamed, claimWaiting, findTrip, insertTrip } from "../../db/customers/trips.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { takeCreation } from "./creation-limit.ts";
import type { DeviceBytes } from "./device-bytes.ts";
import { etaTo } from "./eta.ts";
import { unknownWays } from "./leg-ways.ts";
import { newTrip } from "./new-trip.ts";
import type { Creations } from "./tracker-calls.ts";
import type { TrackerStore } from "./tracker-store.ts";

/** The parts of a request that the finder needs. */
interface TripQuery {
  scope: number;
  live: boolean;
  update: LocationUpdate;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  accuracyLimit: number;
  /** Correct ETAs by what was learned from earlier journeys, and by what the project's devices see now. */
  correctedEta?: boolean;
  liveEta?: boolean;
  /** Of the project [m]; 0 = users are not compared with the routes of their trips, unless a trip has its own. */
  routeTolerance?: number;
  /** The newest epoch of the scope's geofences known to the caller. */
  fenceEpoch: number;
  /** What the caller's key may add [per hour]; absent = unlimited. */
  creations?: Creations | undefined;
}

/**
 * Finds the trip that a device should begin. It doesn't query the database with every update, but only when a user is
 * new here, when a trip may be waiting (`look`), when a trip has ended, or when the device specifies an unknown trip.
 */
export class TripFinder {
  readonly #kv: SyncKvStorage;
  readonly #env: Env;
  readonly #store: () => TrackerStore;
  readonly #bytes: DeviceBytes | undefined;
  /** By userId: true = as far as we know, no trip is waiting. */
  readonly #idle = new Map<string, boolean>();
  /** By userId: creation time [ms] of a waiting trip that is newer than the update that looked for one. */
  readonly #madeAt = new Map<string, number>();
  /** The externalId of a trip that the device specifies but can't begin: another device is on it, or it has ended. */
  #rejected: string | undefined;
  /**
   * The externalId of a trip that the device specifies, whose destination didn't exist in this epoch of the geofences.
   */
  #unknownIn: { externalId: string; fenceEpoch: number } | undefined;

  /** @param bytes of the device, to which new trips count */
  constructor(env: Env, kv: SyncKvStorage, store: () => TrackerStore, bytes?: DeviceBytes) {
    this.#bytes = bytes;
    this.#env = env;
    this.#kv = kv;
    this.#store = store;
  }

  /** A trip may be waiting for this user. */
  look(userId: string | undefined): void {
    this.#rejected = undefined;
    this.#unknownIn = undefined;
    if (userId !== undefined) this.#madeAt.delete(userId);
    if (userId === undefined || this.#idle.get(userId) === false) return;
    this.#idle.set(userId, false);
    this.#kv.delete(keyOf(userId));
  }

  /** May trips matter to this update? Synchronous, so that an update without trips costs nothing. */
  concerns({ update, hasTrips }: Pick<TripQuery, "update" | "hasTrips">, before: UserState | undefined): boolean {
    if (update.tripOptions !== undefined || before?.trip !== undefined) return true;
    return hasTrips && update.userId !== undefined && !this.#isIdle(update.userId);
  }

  /**
   * The trip that the update begins, and the ETA to its destination. Never throws: if the database fails, the next
   * update retries.
   */
  async around(query: TripQuery, before: UserState | undefined): Promise<TripAround> {
    const { update, accuracyLimit } = query;
    let adopted: Trip | undefined;
    try {
      adopted = await this.#adoptable(query, before);
    } catch (error) {
      console.error(JSON.stringify({ what: "trip", error: String(error) }));
    }
    const trip = adopted ?? before?.trip;
    if (!trip || update.accuracy > accuracyLimit) return { adopted };
    const watchesRoute = (trip.routeTolerance ?? query.routeTolerance ?? 0) > 0;
    const route = watchesRoute ? await routeAround(this.#env, before, trip, update.location) : undefined;
    return { adopted, ...(await this.#etas(trip, query)), ...(route && { route }) };
  }

  /** The ETAs of a trip. */
  async #etas(trip: Trip, query: TripQuery): Promise<Omit<TripAround, "adopted">> {
    const { update, scope, correctedEta, liveEta } = query;
    const caller = { scope, settings: { learning: { eta: correctedEta, enabled: liveEta } } };
    if (trip.legs) return { legs: await this.#alongLegs(trip, update.location, caller) };
    if (!trip.destination) return {};
    const eta = await etaTo(this.#env, update.location, trip.destination.location, trip.mode, caller);
    return { eta: { trip: trip._id, eta } };
  }

  /**
   * The route to the current leg, to the next one if the device is at a stop, and the unknown routes between later
   * legs.
   */
  async #alongLegs(trip: Trip, from: Coordinate, caller: EtaAsker["caller"]): Promise<TripAround["legs"]> {
    const [current, next] = openLegs(trip);
    const goals = [current, current?.status === "arrived" ? next : undefined].filter((leg) => leg !== undefined);
    const [ways, ...etas] = await Promise.all([
      unknownWays(this.#env, trip),
      ...goals.map(({ destination }) => etaTo(this.#env, from, destination.location, trip.mode, caller)),
    ]);
    return { trip: trip._id, ways, etas: Object.fromEntries(goals.map(({ _id }, i) => [_id, etas[i]])) };
  }

  /** The trip that the device names, else one that waits for its user: an app may name a trip that has ended. */
  async #adoptable(query: TripQuery, before: UserState | undefined): Promise<Trip | undefined> {
    const { scope, update, hasTrips } = query;
    const { tripOptions, userId, deviceId } = update;
    const env = await envOf(this.#env, scope);
    const named = tripOptions && (await this.#named(env, query, tripOptions, before));
    if (named) return named;
    if (!hasTrips || before?.trip !== undefined || userId === undefined || this.#isIdle(userId)) return undefined;
    // A call that creates a trip can't notify this tracker while the user is not in the database, so keep querying.
    const findable = before !== undefined && this.#store().isStored(before._id);
    // A replayed update from before a trip's creation is not part of it.
    const at = update.replayed ? (update.updatedAt ?? update.receivedAt) : update.receivedAt;
    if (at < (this.#madeAt.get(userId) ?? Number.NEGATIVE_INFINITY)) return undefined;
    const waiting = await claimWaiting(env.DB, scope, userId, deviceId);
    if (waiting && waiting._id !== before?.endedTrip) {
      if (at >= waiting.createdAt) return waiting;
      this.#madeAt.set(userId, waiting.createdAt);
      return undefined;
    }
    if (findable) {
      this.#idle.set(userId, true);
      this.#kv.put(keyOf(userId), true);
    }
    return undefined;
  }

  /** The trip with the externalId that the device specifies, created if there is none. */
  async #named(
    env: Env,
    query: TripQuery,
    tripOptions: TripOptions,
    before: UserState | undefined,
  ): Promise<Trip | undefined> {
    const { scope, update, fenceEpoch } = query;
    const { userId, deviceId } = update;
    const { externalId } = tripOptions;
    if (externalId === before?.trip?.externalId || externalId === this.#rejected) return undefined;
    if (externalId === this.#unknownIn?.externalId && fenceEpoch <= this.#unknownIn.fenceEpoch) return undefined;
    const named = await claimNamed(env.DB, scope, externalId, userId, deviceId);
    if (named && named._id !== before?.endedTrip) return named;
    if (!named && !(await findTrip(env.DB, scope, externalId))) {
      const made = await newTrip(env, query, tripOptions);
      if (!made) {
        this.#unknownIn = { externalId, fenceEpoch };
        return undefined;
      }
      if (!(await this.#mayCreate(query))) return undefined;
      const trip = { ...made, deviceId };
      const size = JSON.stringify(trip).length;
      if (await insertTrip(env.DB, scope, trip)) {
        this.#bytes?.add(query.creations, size, update.receivedAt);
        return trip;
      }
    }
    this.#rejected = externalId;
    return undefined;
  }

  /** Above its key's limit, an update is accepted without its trip. */
  async #mayCreate({ scope, creations, update }: TripQuery): Promise<boolean> {
    if (this.#bytes?.limited(creations, update.receivedAt)) return false;
    return !creations || (await takeCreation(this.#env, scope, "newTrips", creations.newTrips)) === 0;
  }

  #isIdle(userId: string): boolean {
    let idle = this.#idle.get(userId);
    if (idle === undefined) {
      idle = this.#kv.get<boolean>(keyOf(userId)) ?? false;
      this.#idle.set(userId, idle);
    }
    return idle;
  }
}

function keyOf(userId: string): string {
  return `idle:${userId}`;
}
