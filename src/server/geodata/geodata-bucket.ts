import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { localBucketPath, openLocalBucket } from "../../importer/publish/local-bucket.ts";
import { openS3Bucket } from "../../importer/publish/s3-bucket.ts";
import { CommandError } from "../base/command.ts";
import { ofFile } from "../base/file-trouble.ts";
import { ROOT } from "../base/wrangler.ts";
import { geodataS3 } from "./geodata-s3.ts";

/** The folder below the root for downloads and for what an interrupted import continues from. */
export const GEODATA_CACHE = ".geodata";

const REMOTE_HELP = `--remote writes to the bucket at Cloudflare and needs its credentials in the environment:

  R2_ACCOUNT_ID, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY

Make them in the dashboard under R2 → Manage API tokens, with "Object Read & Write" for the bucket.`;

/** The geodata bucket of this machine: on its disk, or where GEODATA_BUCKET says; with `remote` the deployed one. */
export function openGeodataBucket({
  remote,
  state,
  environment,
}: {
  remote: boolean;
  state: string;
  /** Of wrangler.toml: "staging". */
  environment?: string;
}): Bucket {
  const bucket = geodataBucketName(ROOT, environment);
  if (!remote) {
    const s3 = geodataS3();
    if (s3) return openS3Bucket(s3);
    return ofFile(localBucketPath(resolve(state), bucket), () => openLocalBucket(resolve(state), bucket));
  }
  const { R2_ACCOUNT_ID, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY } = process.env;
  if (!R2_ACCOUNT_ID || !R2_ACCESS_KEY_ID || !R2_SECRET_ACCESS_KEY) throw new CommandError(REMOTE_HELP);
  return openS3Bucket({
    endpoint: `https://${R2_ACCOUNT_ID}.r2.cloudflarestorage.com`,
    bucket,
    region: "auto",
    accessKeyId: R2_ACCESS_KEY_ID,
    secretAccessKey: R2_SECRET_ACCESS_KEY,
  });
}

/** Returns the name of the bucket with the binding GEODATA in wrangler.toml. */
export function geodataBucketName(root = ROOT, environment?: string): string {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const heading = environment === undefined ? "r2_buckets" : `env\\.${environment}\\.r2_buckets`;
  for (const [, table] of text.matchAll(new RegExp(`^\\[\\[${heading}\\]\\]\\n((?:(?!\\[).*\\n?)*)`, "gm"))) {
    const value = (key: string) => new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(table)?.[1];
    const name = value("bucket_name");
    if (value("binding") === "GEODATA" && name) return name;
  }
  throw new CommandError("wrangler.toml has no bucket for the binding GEODATA.");
}
