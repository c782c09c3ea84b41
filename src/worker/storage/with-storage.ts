import type { Env } from "../platform/env.ts";
import { S3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-requests.ts";

/** One per isolate: cached data of a bucket (the list of live builds) is keyed by the object that it was read from. */
const made = new WeakMap<Env, Env>();
const buckets = new Map<string, R2Bucket>();

/** The environment with an S3 bucket in place of the binding, if `npm start` was configured with one (GEODATA_S3). */
export function withStorage(env: Env): Env {
  const { GEODATA_S3 } = env;
  if (!GEODATA_S3) return env;
  const known = made.get(env);
  if (known) return known;
  // Also one for all Durable Objects of the isolate, in case each has its own environment.
  const bucket =
    buckets.get(GEODATA_S3) ?? (new S3Objects(JSON.parse(GEODATA_S3) as S3Settings) as unknown as R2Bucket);
  buckets.set(GEODATA_S3, bucket);
  const own = { ...env, GEODATA: bucket };
  made.set(env, own);
  return own;
}
