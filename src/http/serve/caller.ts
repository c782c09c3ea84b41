import { hashKey, looksLikeKey } from "../../auth/key.ts";
import { isDatabaseAway } from "../../db/away.ts";
import { findCaller } from "../../db/keys.ts";
import { checkAddress, limitAddress } from "./address-limit.ts";
import { ApiError } from "./errors.ts";
import type { Caller, Level } from "./identity.ts";
import { KnownKeys } from "./known-keys.ts";

/** Unknown keys that one address may try [per second]; each costs a query. */
const UNKNOWN_KEYS_PER_ADDRESS = 50;
const UNKNOWN_KEYS = "unknown keys";

const ONCE_MORE_MS = 100;

const keys = new KnownKeys<Caller>();
/** Who else keeps what it knows of projects. */
const others: ((project: number) => void)[] = [];
const epochs = new Map<number, number>();
const beaconEpochs = new Map<number, number>();
const withTrips = new Set<number>();

/** Where a request comes from, as far as the platform gives it, and what kind of data it needs. */
export interface Arrival {
  origin: string | null;
  /** Asked for only where a project blocks countries: all that is told of a request is made for it. */
  country: () => string | undefined;
  ip: string | undefined;
  /** The endpoint reads geodata only and can do without the database. */
  geodataOnly?: boolean;
}

/** The caller behind a key, from this isolate's memory or the database; undefined for an unknown or revoked key. */
async function lookUpCaller(
  db: D1Database,
  key: string,
  { ip, geodataOnly = false }: Arrival,
  now: number,
): Promise<Caller | undefined> {
  if (!looksLikeKey(key)) return undefined;
  const caller = await keys.lookUp(key, now, geodataOnly, async () => {
    checkAddress(ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    const found = await findPatiently(db, await hashKey(key), now);
    if (!found) limitAddress(ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    return found;
  });
  if (caller) noteFenceEpoch(caller.scope, caller.fenceEpoch);
  return caller;
}

/**
 * Tries again once when the database is locked for a moment: locally, each command of an operator locks it for
 * milliseconds.
 */
async function findPatiently(db: D1Database, hash: string, now: number): Promise<Caller | undefined> {
  try {
    return await findCaller(db, hash, now);
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    await scheduler.wait(ONCE_MORE_MS);
    return findCaller(db, hash, now);
  }
}

/** The newest epoch of a scope's geofences that this isolate knows: its own changes count at once. */
export function fenceEpochOf(caller: Caller): number {
  return Math.max(caller.fenceEpoch, epochs.get(caller.scope) ?? 0);
}

export function noteFenceEpoch(scope: number, epoch: number): void {
  epochs.set(scope, Math.max(epoch, epochs.get(scope) ?? 0));
}

export function beaconEpochOf(caller: Caller): number {
  return Math.max(caller.beaconEpoch, beaconEpochs.get(caller.scope) ?? 0);
}

export function noteBeaconEpoch(scope: number, epoch: number): void {
  beaconEpochs.set(scope, Math.max(epoch, beaconEpochs.get(scope) ?? 0));
}

export function hasTrips(caller: Caller): boolean {
  return caller.hasTrips || withTrips.has(caller.scope);
}

export function noteTrips(scope: number): void {
  withTrips.add(scope);
}

/** Forgets what this isolate knows of a project, so that a change of its settings counts here at once. */
export function forgetProject(project: number): void {
  keys.forget(project);
  for (const forget of others) forget(project);
}

/** For what else is kept of a project: called when it is to be forgotten. */
export function onForgetProject(forget: (project: number) => void): void {
  others.push(forget);
}

/**
 * Lets the caller in, or throws: 401 unknown, 403 level or origin, 451 a country that the project has blocked, 402
 * disabled or over quota. Secret keys are used by servers, so origin and country are not checked for them.
 */
export async function admit(
  db: D1Database,
  key: string | undefined,
  level: Level,
  arrival: Arrival,
  now: number,
): Promise<Caller> {
  const { origin, country } = arrival;
  if (!key) throw new ApiError(401, "Unauthorized. Send an API key in the Authorization header.");
  const caller = await lookUpCaller(db, key, arrival, now);
  if (!caller) throw new ApiError(401, "Unauthorized. The API key is unknown or has been revoked.");
  if (level === "secret" && !caller.secret) throw new ApiError(403, "Forbidden. This endpoint needs a secret key.");
  const origins = caller.settings.allowedOrigins;
  if (origins && origins.length > 0 && origin && !caller.secret && !origins.includes(origin)) {
    throw new ApiError(403, "Forbidden. This origin is not among the project's allowed origins.");
  }
  const blocked = caller.settings.blockedCountries;
  const from = blocked && blocked.length > 0 && !caller.secret ? country() : undefined;
  if (from !== undefined && blocked?.includes(from)) {
    throw new ApiError(451, "Unavailable for legal reasons. The project does not serve this country.");
  }
  if (caller.disabled) throw new ApiError(402, "Payment required. The project is disabled.");
  if (caller.overQuota) throw new ApiError(402, "Payment required. The project's monthly quota is used up.");
  return caller;
}
