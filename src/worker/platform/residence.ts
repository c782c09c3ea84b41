import type { Env } from "./env.ts";
import { bucketBinding, isJurisdiction, type Jurisdiction } from "./jurisdiction.ts";

/**
 * The environment of a jurisdiction: all namespaces of Durable Objects restricted to it, and its bucket. Code that gets
 * this environment reaches only objects and files in the jurisdiction.
 */

/** The namespaces of projects' data. The alert watch belongs to the deployment and has no data of devices. */
const NAMESPACES = [
  "CAMPAIGN_INDEX",
  "DATABASE_WRITER",
  "DEVICE_TRACKER",
  "GEOCODE_JOBS",
  "GEOFENCE_INDEX",
  "LIVE_FEED",
  "MEETING_CELL",
  "RATE_LIMITER",
  "WEBHOOK_SENDER",
] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** A binding that wrangler.toml lacks. */
export class Unbound extends Error {
  override name = "Unbound";
}

/** What the platform gave, by each environment made of it. */
const originals = new WeakMap<object, object>();
const made = new WeakMap<object, Map<Jurisdiction, object>>();

/** The environment as the platform gave it, restricted to no jurisdiction. */
export const unrestricted = <E extends object>(env: E): E => (originals.get(env) ?? env) as E;

/**
 * An environment restricted to a jurisdiction; one object per environment and jurisdiction. The namespaces and the
 * bucket are only looked at when they are used, so that a missing bucket doesn't stop what needs none.
 */
export function residentEnv<E extends object>(env: E, jurisdiction: Jurisdiction | undefined): E {
  const original = unrestricted(env);
  if (!jurisdiction) return original;
  const own = made.get(original) ?? new Map<Jurisdiction, object>();
  made.set(original, own);
  let found = own.get(jurisdiction);
  if (!found) {
    found = { ...original, JURISDICTION: jurisdiction, ...restricted(original as E & Env, jurisdiction) };
    originals.set(found, original);
    own.set(jurisdiction, found);
  }
  return found as E;
}

/** Records that an environment was made of another, with other values of its own. */
export function derived<E extends object>(env: E, from: object): E {
  originals.set(env, unrestricted(from));
  return env;
}

function restricted(env: Env, jurisdiction: Jurisdiction): Partial<Env> {
  const namespaces = NAMESPACES.flatMap((name) =>
    env[name] ? [[name, namespaceIn(env[name], jurisdiction)] as const] : [],
  );
  const bucket = Reflect.get(env, bucketBinding(jurisdiction)) as R2Bucket | undefined;
  const isLocal = env.MAIN !== undefined || namespaces.some(([, { isSubstitute }]) => isSubstitute);
  // A machine's own bucket holds the files of all projects: they are where the machine is.
  const isShared = isLocal && env.SEPARATE_BUCKETS !== "true";
  return {
    ...Object.fromEntries(namespaces.map(([name, { namespace }]) => [name, namespace])),
    ...(!isShared && { BUCKET: bucket ?? missing(jurisdiction) }),
  };
}

/** A bucket all of whose methods throw. */
function missing(jurisdiction: Jurisdiction): R2Bucket {
  const binding = bucketBinding(jurisdiction);
  return new Proxy({} as R2Bucket, {
    get() {
      throw new Unbound(`The bucket ${binding}, which stores files of projects, is not bound: see wrangler.toml.`);
    },
  });
}

/** The bucket with a project's files: uploads, archived events, contributions to learned speeds, events of bucket webhooks. */
export const projectBucket = (env: Pick<Env, "GEODATA" | "BUCKET">): R2Bucket => env.BUCKET ?? env.GEODATA;

/** A namespace restricted to a jurisdiction; where workerd can't, which runs on one machine, names begin with it. */
function namespaceIn(
  namespace: DurableObjectNamespace,
  jurisdiction: Jurisdiction,
): { namespace: DurableObjectNamespace; isSubstitute: boolean } {
  try {
    if (typeof namespace.jurisdiction === "function")
      return { namespace: namespace.jurisdiction(jurisdiction), isSubstitute: false };
  } catch (error) {
    // Of any other error, nothing may be stored outside the jurisdiction.
    if (!String(error).includes("not implemented in workerd")) throw error;
  }
  const substitute: Pick<DurableObjectNamespace, "idFromName" | "get"> = {
    idFromName: (name: string) => namespace.idFromName(`${jurisdiction}/${name}`),
    get: (id: DurableObjectId) => namespace.get(id),
  };
  return { namespace: substitute as DurableObjectNamespace, isSubstitute: true };
}

/** Where a Durable Object is, and its name without it. */
export function residenceOf({ jurisdiction, name }: Pick<DurableObjectId, "jurisdiction" | "name">): {
  jurisdiction: Jurisdiction | undefined;
  name: string | undefined;
} {
  if (jurisdiction !== undefined && isJurisdiction(jurisdiction)) return { jurisdiction, name };
  const [, prefix = "", rest] = /^([a-z]+)\/(.*)$/s.exec(name ?? "") ?? [];
  return isJurisdiction(prefix) ? { jurisdiction: prefix, name: rest } : { jurisdiction: undefined, name };
}
