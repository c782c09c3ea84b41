import { LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../../importer/common/import-error.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import type { S3Settings } from "../../worker/storage/s3-requests.ts";
import { CommandError } from "../base/command.ts";

const HELP = `GEODATA_BUCKET=s3://BUCKET stores geodata, icons and styles of npm start in an S3-compatible bucket. It requires these environment variables:

  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
  AWS_REGION         region of the bucket (auto)
  AWS_ENDPOINT_URL   URL of the service (default: Amazon S3 in that region). For R2: https://ACCOUNT.r2.cloudflarestorage.com

With the prefix GEODATA_ (GEODATA_AWS_REGION), a variable applies only to this bucket, for example if backups use another service.`;

/** Returns the S3 bucket specified in the environment; undefined if geodata is on the local disk. @throws CommandError */
export function geodataS3(environment: NodeJS.ProcessEnv = process.env): S3Settings | undefined {
  const { GEODATA_BUCKET } = environment;
  if (!GEODATA_BUCKET) return undefined;
  const [, bucket] = /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])\/?$/.exec(GEODATA_BUCKET) ?? [];
  if (!bucket) throw new CommandError(`GEODATA_BUCKET is s3://BUCKET, not "${GEODATA_BUCKET}".\n\n${HELP}`);
  const of = (name: string) => environment[`GEODATA_${name}`] || environment[name];
  const accessKeyId = of("AWS_ACCESS_KEY_ID");
  const secretAccessKey = of("AWS_SECRET_ACCESS_KEY");
  const region = of("AWS_REGION");
  const url = of("AWS_ENDPOINT_URL");
  if (!accessKeyId || !secretAccessKey || (!region && !url)) throw new CommandError(HELP);
  if (url && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new CommandError(`AWS_ENDPOINT_URL must be a URL such as https://s3.example.com, not "${url}".`);
  const endpoint = (url ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "");
  return { endpoint, bucket, region: region ?? "auto", accessKeyId, secretAccessKey };
}

/** Written once, and tried to be written again. */
const PROBE = "probe/conditional-write";

/**
 * Checks that the bucket supports conditional writes: without them, concurrent imports would lose data.
 * @throws CommandError also if the bucket does not respond
 */
export async function tryBucket(bucket: Bucket): Promise<void> {
  try {
    await bucket.get(LIVE_KEY);
    const isFirst = await bucket.put(PROBE, Buffer.from("1"), null);
    if (isFirst && (await bucket.put(PROBE, Buffer.from("2"), null)))
      throw new CommandError(
        `${bucket.where} overwrites existing objects in spite of If-None-Match, so concurrent imports would lose data. Use a service and version with conditional writes, such as Amazon S3, R2 or MinIO.`,
      );
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message) : error;
  }
}
