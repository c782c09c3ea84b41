import { createHash } from "node:crypto";
import type { S3Patience, S3Settings } from "../../worker/storage/s3-requests.ts";
import { textIn, within, type XmlElement } from "../../worker/storage/s3-xml.ts";
import { type FileRange, RangeFiles } from "../common/file-range.ts";
import { ImportError } from "../common/import-error.ts";
import type { Bucket, BucketObject, ObjectCopy } from "./bucket.ts";
import { S3Client } from "./s3-client.ts";
import { type PartSizes, uploadInParts } from "./s3-upload.ts";

/** Objects in progress at a time, and bytes of them. */
const PARALLEL = 24;
const PARALLEL_BYTES = 64_000_000;
/** From here on an object goes in parts of this size; R2 wants at least 5 MiB, all but the last equal. */
const PART = 16 * 1024 * 1024;
/** Read at a time of an object that is compared. */
const PIECE = 8 * 1024 * 1024;
const DELETE_BATCH = 1000;

export interface S3BucketOptions extends S3Settings, Partial<PartSizes> {
  /** Keys per page of a list; the service's own limit when not given. */
  pageSize?: number;
  /** Where it differs from that of imports. */
  patience?: S3Patience;
}

/** A bucket of Cloudflare R2 through its S3 interface. */
export function openS3Bucket(options: S3BucketOptions): Bucket {
  return new S3Bucket(options);
}

class S3Bucket implements Bucket {
  readonly where: string;
  readonly #client: S3Client;
  readonly #sizes: PartSizes;
  readonly #pageSize: number | undefined;

  constructor({ partSize = PART, mostParts, pageSize, patience, ...settings }: S3BucketOptions) {
    this.#client = new S3Client(settings, patience);
    this.where = this.#client.where;
    this.#sizes = { partSize, mostParts };
    this.#pageSize = pageSize;
  }

  async get(key: string): Promise<{ bytes: Uint8Array; etag: string } | undefined> {
    const { status, bytes, headers } = await this.#client.send({ method: "GET", key, handles: [404] });
    return status === 404 ? undefined : { bytes, etag: headers.get("etag") ?? "" };
  }

  async list(prefix: string): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for await (const page of this.#pages({ prefix })) {
      for (const object of within(page, "Contents")) found.set(textIn(object, "Key"), Number(textIn(object, "Size")));
    }
    return found;
  }

  async folders(prefix: string): Promise<string[]> {
    const found: string[] = [];
    for await (const page of this.#pages({ prefix, delimiter: "/" })) {
      for (const common of within(page, "CommonPrefixes")) {
        found.push(textIn(common, "Prefix").slice(prefix.length, -1));
      }
    }
    return found;
  }

  async put(key: string, bytes: Uint8Array, onlyIf?: string | null): Promise<boolean> {
    const headers: Record<string, string> = {};
    if (onlyIf === null) headers["if-none-match"] = "*";
    else if (onlyIf !== undefined) headers["if-match"] = onlyIf;
    const handles = onlyIf === undefined ? [] : [409, 412];
    const { status } = await this.#client.send({ method: "PUT", key, headers, body: new Uint8Array(bytes), handles });
    return !handles.includes(status);
  }

  async putMany(objects: AsyncIterable<BucketObject>, done: (bytes: number) => void): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let bytes = 0;
    let failure: unknown;
    for await (const object of objects) {
      const size = object.bytes.length;
      bytes += size;
      const sending = this.put(object.key, object.bytes)
        .then(
          () => done(size),
          (error: unknown) => {
            failure ??= error;
          },
        )
        .finally(() => {
          bytes -= size;
          underWay.delete(sending);
        });
      underWay.add(sending);
      while (underWay.size >= PARALLEL || (bytes > PARALLEL_BYTES && underWay.size > 0)) await Promise.race(underWay);
      if (failure) break;
    }
    await Promise.all(underWay);
    if (failure) throw failure;
  }

  async copyMany(copies: AsyncIterable<ObjectCopy>, done: (copy: ObjectCopy) => void): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let failure: unknown;
    for await (const copy of copies) {
      const copying = this.#copy(copy)
        .then(
          (copied) => copied && done(copy),
          (error: unknown) => {
            failure ??= error;
          },
        )
        .then(() => void underWay.delete(copying));
      underWay.add(copying);
      while (underWay.size >= PARALLEL) await Promise.race(underWay);
      if (failure) break;
    }
    await Promise.all(underWay);
    if (failure) throw failure;
  }

  /** False when the object is gone, or larger than what one request copies (5 GB). */
  async #copy({ from, to }: ObjectCopy): Promise<boolean> {
    const headers = { "x-amz-copy-source": `/${this.#client.bucket}/${from}` };
    const copied = await this.#client.sendForXml({ method: "PUT", key: to, headers, handles: [400, 404] });
    // S3 may start a 200 response and report the failure in its body.
    return copied?.name === "CopyObjectResult";
  }

  async putFile(key: string, range: FileRange, done: (bytes: number) => void): Promise<void> {
    if (range.length > this.#sizes.partSize) {
      await uploadInParts(this.#client, key, range, this.#sizes, done);
      return;
    }
    const files = new RangeFiles();
    try {
      await this.put(key, await files.read(range));
    } finally {
      await files.close();
    }
    done(range.length);
  }

  async read(key: string, first = PIECE): Promise<AsyncIterable<Uint8Array> | undefined> {
    const size = Math.min(PIECE, first);
    const piece = async (from: number) => {
      const headers = { range: `bytes=${from}-${from + size - 1}` };
      const { status, bytes } = await this.#client.send({ method: "GET", key, headers, handles: [404, 416] });
      if (status === 404) return undefined;
      // After the end, which for an object of no bytes is where it begins.
      if (status === 416) return new Uint8Array();
      if (status !== 206) throw new ImportError(`${this.where} does not support range requests.`);
      return bytes;
    };
    const beginning = await piece(0);
    return (
      beginning &&
      (async function* () {
        let last: Uint8Array | undefined = beginning;
        for (let at = 0; last && last.length > 0; last = last.length < size ? undefined : await piece(at)) {
          yield last;
          at += last.length;
        }
      })()
    );
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (let i = 0; i < keys.length; i += DELETE_BATCH) {
      const objects = keys.slice(i, i + DELETE_BATCH).map((key) => `<Object><Key>${key}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`);
      const deleted = await this.#client.sendForXml({
        method: "POST",
        query: { delete: "" },
        headers: { "content-md5": createHash("md5").update(body).digest("base64") },
        body: new Uint8Array(body),
      });
      const error = deleted && within(deleted, "Error")[0];
      if (error) throw new ImportError(`${this.where} did not delete ${textIn(error, "Key")}.`);
    }
  }

  close(): void {}

  async *#pages(query: Record<string, string>): AsyncGenerator<XmlElement> {
    let token: string | undefined;
    do {
      const page = await this.#client.sendForXml({
        method: "GET",
        query: {
          "list-type": "2",
          ...query,
          ...(this.#pageSize && { "max-keys": String(this.#pageSize) }),
          ...(token && { "continuation-token": token }),
        },
      });
      if (!page) return;
      yield page;
      token = textIn(page, "NextContinuationToken");
    } while (token);
  }
}
