import type { Env } from "../platform/env.ts";
import { BucketFiles } from "./bucket-files.ts";
import { S3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-requests.ts";

/** One per isolate: cached data of a bucket (the list of live builds) is keyed by the object that it was read from. */
const made = new WeakMap<Env, Env>();
const buckets = new Map<string, R2Bucket>();

/**
 * The environment with an S3 bucket in place of the binding, if `npm start` was configured with one (GEODATA_S3), and in its helper
 * processes with buckets that read this machine's files.
 */
export function withStorage(env: Env): Env {
  const { GEODATA_S3, FILES } = env;
  if (!GEODATA_S3 && !FILES) return env;
  const known = made.get(env);
  if (known) return known;
  const own = { ...env, ...(FILES && fileBuckets(env, FILES)), ...(GEODATA_S3 && { GEODATA: s3Bucket(GEODATA_S3) }) };
  made.set(env, own);
  return own;
}

/** Also one for all Durable Objects of the isolate, in case each has its own environment. */
function s3Bucket(settings: string): R2Bucket {
  const bucket = buckets.get(settings) ?? (new S3Objects(JSON.parse(settings) as S3Settings) as unknown as R2Bucket);
  buckets.set(settings, bucket);
  return bucket;
}

function fileBuckets({ FILE_BUCKETS = "", PROCESS_SECRET = "" }: Env, files: Pick<Fetcher, "fetch">) {
  const names = FILE_BUCKETS.split(" ").filter(Boolean);
  return Object.fromEntries(names.map((name) => [name, new BucketFiles(files, name, PROCESS_SECRET)]));
}
