import { createHash } from "node:crypto";
import { ImportError } from "../import-error.ts";
import type { Bucket, BucketObject } from "./bucket.ts";
import { S3Client, type S3Settings } from "./s3-client.ts";
import { readXml, textIn, within, type XmlElement } from "./s3-xml.ts";

/** Objects under way at a time, and bytes of them. */
const PARALLEL = 24;
const PARALLEL_BYTES = 128_000_000;
/** From here on an object goes in parts of this size; R2 wants at least 5 MiB, all but the last equal. */
const PART = 32 * 1024 * 1024;
const PARALLEL_PARTS = 4;
const DELETE_BATCH = 1000;

export interface S3BucketOptions extends S3Settings {
  partSize?: number;
  /** Keys per page of a list; the service's own limit when not given. */
  pageSize?: number;
}

/** A bucket of Cloudflare R2 through its S3 interface. */
export function openS3Bucket(options: S3BucketOptions): Bucket {
  return new S3Bucket(options);
}

class S3Bucket implements Bucket {
  readonly where: string;
  readonly #client: S3Client;
  readonly #partSize: number;
  readonly #pageSize: number | undefined;

  constructor({ partSize = PART, pageSize, ...settings }: S3BucketOptions) {
    this.where = `the bucket ${settings.bucket}`;
    this.#client = new S3Client(settings);
    this.#partSize = partSize;
    this.#pageSize = pageSize;
  }

  async get(key: string): Promise<{ bytes: Uint8Array; etag: string } | undefined> {
    const response = await this.#client.send({ method: "GET", key });
    if (response.status === 404) return undefined;
    this.#expect(response, 200, `read ${key}`);
    return { bytes: new Uint8Array(await response.arrayBuffer()), etag: response.headers.get("etag") ?? "" };
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
    const response = await this.#client.send({ method: "PUT", key, headers, body: new Uint8Array(bytes) });
    if (response.status === 412 || (response.status === 409 && onlyIf !== undefined)) return false;
    this.#expect(response, 200, `write ${key}`);
    return true;
  }

  async putMany(objects: AsyncIterable<BucketObject>, done: (bytes: number) => void): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let bytes = 0;
    let failure: unknown;
    for await (const object of objects) {
      const size = object.bytes.length;
      bytes += size;
      const sending = this.#send(object)
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

  async delete(keys: readonly string[]): Promise<void> {
    for (let i = 0; i < keys.length; i += DELETE_BATCH) {
      const objects = keys.slice(i, i + DELETE_BATCH).map((key) => `<Object><Key>${key}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`);
      const response = await this.#client.send({
        method: "POST",
        query: { delete: "" },
        headers: { "content-md5": createHash("md5").update(body).digest("base64") },
        body: new Uint8Array(body),
      });
      this.#expect(response, 200, "delete objects");
      const [error] = within(readXml(await response.text()), "Error");
      if (error) throw new ImportError(`${this.where} did not delete ${textIn(error, "Key")}.`);
    }
  }

  close(): void {}

  async *#pages(query: Record<string, string>): AsyncGenerator<XmlElement> {
    let token: string | undefined;
    do {
      const response = await this.#client.send({
        method: "GET",
        query: {
          "list-type": "2",
          ...query,
          ...(this.#pageSize && { "max-keys": String(this.#pageSize) }),
          ...(token && { "continuation-token": token }),
        },
      });
      this.#expect(response, 200, "list objects");
      const page = readXml(await response.text());
      yield page;
      token = textIn(page, "NextContinuationToken");
    } while (token);
  }

  async #send({ key, bytes }: BucketObject): Promise<void> {
    if (bytes.length > this.#partSize) await this.#sendInParts(key, bytes);
    else await this.put(key, bytes);
  }

  /** Goes on with an upload of the same key that an interrupted import left, if its parts are the same. */
  async #sendInParts(key: string, bytes: Uint8Array): Promise<void> {
    const upload = (await this.#findUpload(key)) ?? {
      id: await this.#beginUpload(key),
      parts: new Map<number, string>(),
    };
    const count = Math.ceil(bytes.length / this.#partSize);
    const etags: string[] = [];
    await inParallel(count, PARALLEL_PARTS, async (number) => {
      const part = new Uint8Array(bytes.subarray((number - 1) * this.#partSize, number * this.#partSize));
      const md5 = createHash("md5").update(part).digest("hex");
      const there = upload.parts.get(number);
      etags[number] = there?.includes(md5) ? there : await this.#sendPart(key, upload.id, number, part);
    });
    const parts = etags.map((etag, number) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
    const response = await this.#client.send({
      method: "POST",
      key,
      query: { uploadId: upload.id },
      body: new Uint8Array(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`)),
    });
    this.#expect(response, 200, `complete ${key}`);
    // S3 may answer 200 and still say in the body that it failed.
    if (readXml(await response.text()).name === "Error")
      throw new ImportError(`${this.where} did not put ${key} together.`);
  }

  async #findUpload(key: string): Promise<{ id: string; parts: Map<number, string> } | undefined> {
    const uploads = await this.#client.send({ method: "GET", query: { uploads: "", prefix: key } });
    if (uploads.status !== 200) return undefined;
    const found = within(readXml(await uploads.text()), "Upload").find((upload) => textIn(upload, "Key") === key);
    if (!found) return undefined;
    const id = textIn(found, "UploadId");
    const response = await this.#client.send({ method: "GET", key, query: { uploadId: id } });
    if (response.status !== 200) return undefined;
    const parts = within(readXml(await response.text()), "Part");
    return { id, parts: new Map(parts.map((part) => [Number(textIn(part, "PartNumber")), textIn(part, "ETag")])) };
  }

  async #beginUpload(key: string): Promise<string> {
    const response = await this.#client.send({ method: "POST", key, query: { uploads: "" } });
    this.#expect(response, 200, `begin ${key}`);
    return textIn(readXml(await response.text()), "UploadId");
  }

  async #sendPart(key: string, uploadId: string, number: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
    const query = { partNumber: String(number), uploadId };
    const response = await this.#client.send({ method: "PUT", key, query, body });
    this.#expect(response, 200, `write part ${number} of ${key}`);
    return response.headers.get("etag") ?? "";
  }

  #expect(response: Response, status: number, what: string): void {
    if (response.status === status) return;
    if (response.status === 404)
      throw new ImportError(`There is no bucket as ${this.where}. Make it: npx wrangler r2 bucket create NAME`);
    throw new ImportError(`${this.where} did not ${what}: it answers ${response.status}.`);
  }
}

/** Runs 1 … count, some at a time. After a failure none begins, and those under way are waited for. */
async function inParallel(count: number, width: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = 1;
  const work = async () => {
    while (next <= count) {
      await run(next++).catch((error: unknown) => {
        next = Number.POSITIVE_INFINITY;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: width }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
