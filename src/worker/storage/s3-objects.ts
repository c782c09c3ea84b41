import { type S3Answer, type S3Patience, S3Requests, type S3Settings, StorageError } from "./s3-requests.ts";
import { readXml, textIn, within } from "./s3-xml.ts";

interface Condition {
  etagMatches?: string;
  /** "*": only if it doesn't exist. */
  etagDoesNotMatch?: string;
}

/** An object in R2's form, without its bytes. */
export interface StoredHead {
  readonly key: string;
  /** Without quotes. */
  readonly etag: string;
  /** Of the complete object [bytes]. */
  readonly size: number;
  readonly uploaded: Date;
}

/** With its bytes, or those of the requested range. */
export interface StoredBytes extends StoredHead {
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
  json<T>(): Promise<T>;
}

/** Concurrent deletions. */
const PARALLEL = 6;

/**
 * A bucket of any S3-compatible service, with the interface of an R2 binding, as far as the Worker uses it. Objects are
 * read completely before they are returned, so that an interrupted read is retried; large ones are never read in one
 * go.
 */
export class S3Objects {
  readonly #requests: S3Requests;

  constructor(settings: S3Settings, patience?: S3Patience) {
    this.#requests = new S3Requests(settings, patience);
  }

  /**
   * null: it doesn't exist; without bytes: the condition doesn't hold.
   * @throws StorageError, also if a range begins after the end
   */
  async get(
    key: string,
    { range, onlyIf = {} }: { range?: { offset: number; length: number }; onlyIf?: Condition } = {},
  ): Promise<StoredBytes | StoredHead | null> {
    const headers = {
      ...conditionOf(onlyIf),
      ...(range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    };
    const answer = await this.#requests.send({ method: "GET", key, headers, handles: [304, 404, 412, 416] });
    const { status, bytes } = answer;
    if (status === 404) return null;
    if (status === 416) throw new StorageError(`The range begins after the end of ${key}.`);
    const head = headOf(key, answer);
    if (status === 304 || status === 412) return head;
    // A service without range support would return the complete object with 200.
    if (range && status !== 206 && bytes.length > range.length)
      throw new StorageError(`${this.#requests.where} does not support range requests, which Graticule needs.`);
    return withBytes(head, bytes);
  }

  /** null: it doesn't exist. */
  async head(key: string): Promise<StoredHead | null> {
    const answer = await this.#requests.send({ method: "HEAD", key, handles: [404] });
    return answer.status === 404 ? null : headOf(key, answer);
  }

  /** null: the condition did not hold, and nothing was written. */
  async put(
    key: string,
    value: string | ArrayBuffer | ArrayBufferView,
    { onlyIf }: { onlyIf?: Condition } = {},
  ): Promise<StoredHead | null> {
    const body = bytesOf(value);
    const headers = onlyIf && conditionOf(onlyIf);
    const answer = await this.#requests.send({ method: "PUT", key, headers, body, handles: [409, 412] });
    if (answer.status === 412 || answer.status === 409)
      return answer.triedBefore > 0 ? this.#whatWasWritten(key, body) : null;
    return { ...headOf(key, answer), size: body.length };
  }

  async delete(keys: string | readonly string[]): Promise<void> {
    const queue = (typeof keys === "string" ? [keys] : keys).values();
    const worker = async () => {
      for (const key of queue) await this.#requests.send({ method: "DELETE", key, handles: [404] });
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  async list({ prefix = "", limit, cursor }: { prefix?: string; limit?: number; cursor?: string } = {}) {
    const answer = await this.#requests.send({
      method: "GET",
      query: {
        "list-type": "2",
        prefix,
        ...(limit !== undefined && { "max-keys": String(limit) }),
        ...(cursor !== undefined && { "continuation-token": cursor }),
      },
    });
    const page = readXml(new TextDecoder().decode(answer.bytes));
    const next = textIn(page, "NextContinuationToken");
    const objects = within(page, "Contents").map(
      (object): StoredHead => ({
        key: textIn(object, "Key"),
        etag: unquoted(textIn(object, "ETag")),
        size: Number(textIn(object, "Size")),
        uploaded: new Date(textIn(object, "LastModified")),
      }),
    );
    return next ? { objects, truncated: true as const, cursor: next } : { objects, truncated: false as const };
  }

  /**
   * A first attempt with a lost response may have written: then the condition of the second fails because of our own
   * write.
   */
  async #whatWasWritten(key: string, body: Uint8Array): Promise<StoredHead | null> {
    const there = await this.get(key);
    if (!there || !("arrayBuffer" in there)) return null;
    const held = new Uint8Array(await there.arrayBuffer());
    return held.length === body.length && held.every((byte, i) => byte === body[i]) ? there : null;
  }
}

function conditionOf({ etagMatches, etagDoesNotMatch }: Condition): Record<string, string> {
  return {
    ...(etagMatches !== undefined && { "if-match": quoted(etagMatches) }),
    ...(etagDoesNotMatch !== undefined && { "if-none-match": quoted(etagDoesNotMatch) }),
  };
}

const quoted = (etag: string) => (etag === "*" ? etag : `"${etag}"`);
const unquoted = (etag: string) => etag.replace(/^(W\/)?"|"$/g, "");

export function withBytes(head: StoredHead, bytes: Uint8Array<ArrayBuffer>): StoredBytes {
  return {
    ...head,
    arrayBuffer: async () => bytes.buffer,
    text: async () => new TextDecoder().decode(bytes),
    json: async <T>() => JSON.parse(new TextDecoder().decode(bytes)) as T,
  };
}

export function headOf(key: string, { headers, bytes }: Pick<S3Answer, "headers" | "bytes">): StoredHead {
  const whole = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? headers.get("content-length");
  return {
    key,
    etag: unquoted(headers.get("etag") ?? ""),
    size: whole === null ? bytes.length : Number(whole),
    uploaded: new Date(headers.get("last-modified") ?? headers.get("date") ?? Date.now()),
  };
}

function bytesOf(value: string | ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (typeof value === "string") return new Uint8Array(new TextEncoder().encode(value));
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
}
