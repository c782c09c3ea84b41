import { hashKey, looksLikeKey } from "../../../../core/auth/key.ts";
import { isAllowedReferrer } from "../../../../core/auth/referrer.ts";
import { isSignedWith, type SignedUrl } from "../../../../core/auth/signed-url.ts";
import type { Databases } from "../../../db/databases.ts";
import { findCaller } from "../../../db/projects/keys.ts";
import { ApiError } from "../../../platform/errors.ts";
import type { Client } from "../connection.ts";
import { checkAddress, limitAddress } from "./address-limit.ts";
import type { Caller, Level } from "./identity.ts";
import { KnownKeys } from "./known-keys.ts";

/** Unknown keys allowed per address [per second]; each costs a query. */
const UNKNOWN_KEYS_PER_ADDRESS = 50;
const UNKNOWN_KEYS = "unknown keys";

const keys = new KnownKeys<Caller>();
/** Other caches of project data. */
const others: ((project: number) => void)[] = [];
const onNewFences: ((scope: number) => void)[] = [];
const epochs = new Map<number, number>();
const beaconEpochs = new Map<number, number>();
const campaignEpochs = new Map<number, number>();
const withTrips = new Set<number>();

/** The origin of a request, as far as the platform provides it, and the data it needs. */
interface Arrival {
  origin: string | null;
  /** The embedding page, for endpoints with allowed referrers: "" if not sent, absent for other endpoints. */
  referrer?: string | undefined;
  /** A function, called only if a project blocks countries, because computing it is expensive. */
  country: () => string | undefined;
  client: Client;
  /** The endpoint reads only geodata and works without the database. */
  geodataOnly?: boolean;
}

/** The caller of a key, from this isolate's cache or the database; undefined for an unknown or revoked key. */
async function lookUpCaller(
  env: Databases,
  key: string,
  { client, geodataOnly = false }: Arrival,
  now: number,
): Promise<Caller | undefined> {
  if (!looksLikeKey(key)) return undefined;
  return keys.lookUp(key, now, geodataOnly, async () => {
    checkAddress(client.ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    const found = await findCaller(env, await hashKey(key), now);
    if (!found) limitAddress(client.ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    return found;
  });
}

/** The newest epoch of a scope's geofences in this isolate: its own changes take effect immediately. */
export function fenceEpochOf(caller: Caller): number {
  return Math.max(caller.fenceEpoch, epochs.get(caller.scope) ?? 0);
}

export function noteFenceEpoch(scope: number, epoch: number): void {
  const before = epochs.get(scope) ?? 0;
  if (epoch <= before) return;
  epochs.set(scope, epoch);
  for (const tell of onNewFences) tell(scope);
}

export function beaconEpochOf(caller: Caller): number {
  return Math.max(caller.beaconEpoch, beaconEpochs.get(caller.scope) ?? 0);
}

export function noteBeaconEpoch(scope: number, epoch: number): void {
  beaconEpochs.set(scope, Math.max(epoch, beaconEpochs.get(scope) ?? 0));
}

export function campaignEpochOf(caller: Caller): number {
  return Math.max(caller.campaignEpoch, campaignEpochs.get(caller.scope) ?? 0);
}

export function noteCampaignEpoch(scope: number, epoch: number): void {
  campaignEpochs.set(scope, Math.max(epoch, campaignEpochs.get(scope) ?? 0));
}

export function hasTrips(caller: Caller): boolean {
  return caller.hasTrips || withTrips.has(caller.scope);
}

export function noteTrips(scope: number): void {
  withTrips.add(scope);
}

/** Clears this isolate's cache of a project, so that a settings change takes effect here immediately. */
export function forgetProject(project: number): void {
  keys.forget(project);
  for (const forget of others) forget(project);
}

/** Registers a callback for a scope whose geofences have changed, as far as this isolate knows. */
export function onFencesChanged(tell: (scope: number) => void): void {
  onNewFences.push(tell);
}

/** Registers a callback that clears another cache of project data. */
export function onForgetProject(forget: (project: number) => void): void {
  others.push(forget);
}

/**
 * Authorizes the caller, or throws: 401 unknown, 403 level or origin, 451 a country that the project has blocked, 402
 * disabled or over quota. Servers use secret keys, so origin and country are not checked for them. No promise is returned
 * if the key is cached.
 */
export function admit(
  env: Databases,
  key: string | undefined,
  level: Level,
  arrival: Arrival,
  now: number,
): Caller | Promise<Caller> {
  if (!key) throw new ApiError(401, "Unauthorized. Send an API key in the Authorization header.");
  // Only strings in key format are keys, because the cache also contains signed URLs.
  const believed = looksLikeKey(key) ? keys.believed(key, now) : undefined;
  if (believed) return letIn(believed, level, arrival);
  return lookUpCaller(env, key, arrival, now).then((caller) => {
    if (!caller) throw new ApiError(401, "Unauthorized. The API key is unknown or has been revoked.");
    return letIn(caller, level, arrival);
  });
}

function letIn(caller: Caller, level: Level, { origin, referrer, country }: Arrival): Caller {
  noteFenceEpoch(caller.scope, caller.fenceEpoch);
  if (level === "secret" && !caller.secret) throw new ApiError(403, "Forbidden. This endpoint needs a secret key.");
  const origins = caller.settings.allowedOrigins;
  if (origins && origins.length > 0 && origin && !caller.secret && !origins.includes(origin)) {
    throw new ApiError(403, "Forbidden. This origin is not among the project's allowed origins.");
  }
  const { allowedReferrers } = caller.settings;
  if (referrer !== undefined && allowedReferrers && allowedReferrers.length > 0 && !caller.secret) {
    if (!isAllowedReferrer(allowedReferrers, referrer))
      throw new ApiError(
        403,
        "Forbidden. This page is not among the project's allowed referrers, or sent no Referer header.",
      );
  }
  const blocked = caller.settings.blockedCountries;
  const from = blocked && blocked.length > 0 && !caller.secret ? country() : undefined;
  if (from !== undefined && blocked?.includes(from)) {
    throw new ApiError(451, "Unavailable for legal reasons. The project does not serve this country.");
  }
  return payingCaller(caller);
}

/** @throws ApiError 402 */
export function payingCaller(caller: Caller): Caller {
  if (caller.disabled) throw new ApiError(402, "Payment required. The project is disabled.");
  if (caller.overQuota) throw new ApiError(402, "Payment required. The project's monthly quota is used up.");
  return caller;
}

/**
 * Authorizes a signed URL, as if the caller had the secret key for this request. It identifies the key by part of its
 * hash, and is verified on each request, which costs one HMAC.
 */
export async function admitSigned(
  env: Databases,
  signed: SignedUrl,
  { client, geodataOnly = false }: Arrival,
  now: number,
): Promise<Caller> {
  if (signed.expires * 1000 <= now) throw new ApiError(401, "Unauthorized. The signed URL has expired.");
  const caller = await keys.lookUp(`signed:${signed.keyId}`, now, geodataOnly, async () => {
    checkAddress(client.ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    const found = await findCaller(env, signed.keyId, now);
    if (!found) limitAddress(client.ip, UNKNOWN_KEYS, UNKNOWN_KEYS_PER_ADDRESS, now);
    return found;
  });
  if (!caller?.secret || !caller.key || !(await isSignedWith(caller.key, signed)))
    throw new ApiError(401, "Unauthorized. The signature does not match the URL, or its key has been revoked.");
  return payingCaller(caller);
}
