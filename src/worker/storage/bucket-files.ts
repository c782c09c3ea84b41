import { headOf, type StoredBytes, type StoredHead, withBytes } from "./s3-objects.ts";

/** The part of a service that is used here. */
interface Files {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/**
 * A bucket of this machine as a helper process reads it: from the files, by `npm start` (src/server/start/bucket-files.ts). The part of R2's
 * binding that helpers use; `get` never returns an object whose bytes are not complete.
 */
export class BucketFiles {
  readonly #files: Files;
  readonly #place: string;
  readonly #secret: string;

  constructor(files: Files, binding: string, secret: string) {
    this.#files = files;
    this.#place = `http://files/${binding}/`;
    this.#secret = secret;
  }

  async get(
    key: string,
    options: { range?: { offset: number; length: number }; onlyIf?: { etagDoesNotMatch?: string } } = {},
  ): Promise<StoredBytes | StoredHead | null> {
    const { range, onlyIf } = options;
    const response = await this.#ask("GET", key, {
      ...(onlyIf?.etagDoesNotMatch && { "if-none-match": onlyIf.etagDoesNotMatch }),
      ...(range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status === 404) return null;
    if (response.status === 304) return headOf(key, { headers: response.headers, bytes });
    if (!response.ok) throw new Error(refusalOf(key, response.status, new TextDecoder().decode(bytes)));
    if (bytes.length !== Number(response.headers.get("content-length"))) throw new Error(`${key} came cut off`);
    return withBytes(headOf(key, { headers: response.headers, bytes }), bytes);
  }

  async head(key: string): Promise<StoredHead | null> {
    const { status, headers } = await this.#ask("HEAD", key);
    if (status === 404) return null;
    if (status !== 200) throw new Error(refusalOf(key, status, ""));
    return headOf(key, { headers, bytes: new Uint8Array() });
  }

  /** Only the main process writes. @returns what R2 does when a condition does not hold */
  async put(): Promise<null> {
    return null;
  }

  #ask(method: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
    const init = { method, headers: { ...headers, authorization: this.#secret } };
    return this.#files.fetch(this.#place + encodeURIComponent(key), init);
  }
}

const refusalOf = (key: string, status: number, why: string): string =>
  status === 416 ? `The range begins after the end of ${key}.` : `${key} could not be read: ${status} ${why}`;
