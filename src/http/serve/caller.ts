import { hashKey, looksLikeKey } from "../../auth/key.ts";
import { findCaller } from "../../db/keys.ts";
import type { ProjectSettings } from "../../db/projects.ts";
import type { Level } from "./endpoint.ts";
import { ApiError } from "./errors.ts";

/** Who calls: a key's project, environment and level, with what the request needs to know of the project. */
export interface Caller {
  project: number;
  live: boolean;
  secret: boolean;
  /** project × 2 + live: the first part of every key, row and object name. */
  scope: number;
  disabled: boolean;
  overQuota: boolean;
  settings: ProjectSettings;
  /** Epoch of the scope's geofences as last seen by this machine. */
  fenceEpoch: number;
  /** The same of its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
}

/** How long a key's look-up is believed: a revoked key is refused everywhere within this time. */
const BELIEVED_MS = 8_000;
const MAX_KEYS = 10_000;

// Values only: a promise belongs to the request that made it and may die with it.
const known = new Map<string, { caller: Caller; until: number }>();
const epochs = new Map<number, number>();
const beaconEpochs = new Map<number, number>();
const withTrips = new Set<number>();

/** The caller behind a key, from this machine's memory or the database; undefined for an unknown or revoked key. */
export async function lookUpCaller(db: D1Database, key: string, now: number): Promise<Caller | undefined> {
  const entry = known.get(key);
  if (entry && entry.until > now) return entry.caller;
  if (!looksLikeKey(key)) return undefined;
  const caller = await findCaller(db, await hashKey(key), now);
  if (!caller) {
    known.delete(key);
    return undefined;
  }
  if (known.size >= MAX_KEYS) known.clear();
  known.set(key, { caller, until: now + BELIEVED_MS });
  noteFenceEpoch(caller.scope, caller.fenceEpoch);
  return caller;
}

/** The newest epoch of a scope's geofences this machine knows of: its own changes count at once. */
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

/** Forgets what this machine remembers of a project, so that a change of its settings counts at once here. */
export function forgetProject(project: number): void {
  for (const [key, entry] of known) if (entry.caller.project === project) known.delete(key);
}

/**
 * Lets the caller in, or says why not: 401 unknown, 403 level or origin, 451 a country the project has blocked, 402 disabled
 * or over quota. A secret key is a server's and is asked neither for its page nor for its country.
 */
export async function admit(
  db: D1Database,
  key: string | undefined,
  level: Level,
  { origin, country }: { origin: string | null; country: string | undefined },
  now: number,
): Promise<Caller> {
  if (!key) throw new ApiError(401, "Unauthorized. Send an API key in the Authorization header.");
  const caller = await lookUpCaller(db, key, now);
  if (!caller) throw new ApiError(401, "Unauthorized. The API key is unknown or has been revoked.");
  if (level === "secret" && !caller.secret) throw new ApiError(403, "Forbidden. This endpoint needs a secret key.");
  const origins = caller.settings.allowedOrigins;
  if (origins && origins.length > 0 && origin && !caller.secret && !origins.includes(origin)) {
    throw new ApiError(403, "Forbidden. This origin is not among the project's allowed origins.");
  }
  if (country && !caller.secret && caller.settings.blockedCountries?.includes(country)) {
    throw new ApiError(451, "Unavailable for legal reasons. The project does not serve this country.");
  }
  if (caller.disabled) throw new ApiError(402, "Payment required. The project is disabled.");
  if (caller.overQuota) throw new ApiError(402, "Payment required. The project's monthly quota is used up.");
  return caller;
}
