import type { Bucket, BucketObject } from "../../importer/publish/bucket.ts";
import { openS3Bucket } from "../../importer/publish/s3-bucket.ts";
import { type Jurisdiction, jurisdictionOf } from "../../worker/platform/jurisdiction.ts";
import { jurisdictionBuckets } from "../base/wrangler.ts";
import { openGeodataBucket } from "./geodata-bucket.ts";

/** The scope of a project's file, by its key; undefined: not of a project. */
function scopeOf(key: string): number | undefined {
  const [, , first, second] =
    /^(custom|sinks|learning|archive\/events)\/(?:scope=)?(\d+)\/|^learning\/states\/(\d+)$/.exec(key) ?? [undefined];
  const found = first ?? second;
  return found === undefined ? undefined : Number(found);
}

/**
 * The bucket of a deployment with the files of all projects: those of a project in a jurisdiction are in the bucket of
 * that. Reads find them in any, writes go where the project is.
 */
class ProjectBuckets implements Bucket {
  readonly #shared: Bucket;
  readonly #others: ReadonlyMap<Jurisdiction, Bucket>;
  readonly #placeOf: (project: number) => Jurisdiction | undefined;
  readonly where: string;

  constructor(
    shared: Bucket,
    others: ReadonlyMap<Jurisdiction, Bucket>,
    placeOf: (project: number) => Jurisdiction | undefined,
  ) {
    this.#shared = shared;
    this.#others = others;
    this.#placeOf = placeOf;
    this.where = [shared, ...others.values()].map(({ where }) => where).join(", ");
  }

  #all(): Bucket[] {
    return [this.#shared, ...this.#others.values()];
  }

  #of(key: string): Bucket {
    const scope = scopeOf(key);
    const place = scope === undefined ? undefined : this.#placeOf(Math.floor(scope / 2));
    return (place && this.#others.get(place)) ?? this.#shared;
  }

  async get(key: string): ReturnType<Bucket["get"]> {
    const buckets = scopeOf(key) === undefined ? [this.#shared] : this.#all();
    for (const bucket of buckets) {
      const found = await bucket.get(key);
      if (found) return found;
    }
    return undefined;
  }

  async list(prefix: string): Promise<Map<string, number>> {
    const found = await Promise.all(this.#all().map((bucket) => bucket.list(prefix)));
    return new Map(found.toReversed().flatMap((keys) => [...keys]));
  }

  async folders(prefix: string): Promise<string[]> {
    const found = await Promise.all(this.#all().map((bucket) => bucket.folders(prefix)));
    return [...new Set(found.flat())].sort();
  }

  put(key: string, bytes: Uint8Array, onlyIf?: string | null): Promise<boolean> {
    return this.#of(key).put(key, bytes, onlyIf);
  }

  async putMany(objects: AsyncIterable<BucketObject>, done: (bytes: number) => void): Promise<void> {
    const elsewhere = async function* (this: ProjectBuckets) {
      for await (const object of objects) {
        if (this.#of(object.key) === this.#shared) yield object;
        else {
          await this.#of(object.key).put(object.key, object.bytes);
          done(object.bytes.length);
        }
      }
    };
    await this.#shared.putMany(elsewhere.call(this), done);
  }

  putFile(...parameters: Parameters<Bucket["putFile"]>): Promise<void> {
    return this.#of(parameters[0]).putFile(...parameters);
  }

  async read(key: string, first?: number): ReturnType<Bucket["read"]> {
    const buckets = scopeOf(key) === undefined ? [this.#shared] : this.#all();
    for (const bucket of buckets) {
      const found = await bucket.read(key, first);
      if (found) return found;
    }
    return undefined;
  }

  async delete(keys: readonly string[]): Promise<void> {
    const files = keys.filter((key) => scopeOf(key) !== undefined);
    await this.#shared.delete(keys);
    if (files.length > 0) for (const bucket of this.#others.values()) await bucket.delete(files);
  }

  close(): void {
    for (const bucket of this.#all()) bucket.close();
  }
}

/** Joins buckets; `databaseOf` returns the binding of a project's database. */
export function joinBuckets(
  shared: Bucket,
  others: ReadonlyMap<Jurisdiction, Bucket>,
  databaseOf: (project: number) => string | undefined,
): Bucket {
  if (others.size === 0) return shared;
  return new ProjectBuckets(shared, others, (project) => jurisdictionOf(databaseOf(project) ?? "DB"));
}

/**
 * The buckets of the deployment: that of geodata, and those of the jurisdictions in wrangler.toml.
 * @throws CommandError without credentials
 */
export function openDeployedBuckets(databaseOf: (project: number) => string | undefined): Bucket {
  const shared = openGeodataBucket({ remote: true, state: "" });
  const { R2_ACCOUNT_ID = "", R2_ACCESS_KEY_ID = "", R2_SECRET_ACCESS_KEY = "" } = process.env;
  const others = jurisdictionBuckets().map(({ jurisdiction, name }): [Jurisdiction, Bucket] => [
    jurisdiction,
    openS3Bucket({
      endpoint: `https://${R2_ACCOUNT_ID}.${jurisdiction}.r2.cloudflarestorage.com`,
      bucket: name,
      region: "auto",
      accessKeyId: R2_ACCESS_KEY_ID,
      secretAccessKey: R2_SECRET_ACCESS_KEY,
    }),
  ]);
  return joinBuckets(shared, new Map(others), databaseOf);
}
