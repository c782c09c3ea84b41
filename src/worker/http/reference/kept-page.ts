import { listsTag } from "../../wire/etag.ts";
import { acceptsGzip } from "../serve/accepts-gzip.ts";
import { digest } from "../serve/conditional.ts";

/** Origins whose page is kept compressed. Callers can send any host name, so a new one evicts the least recently used. */
const MAX_ORIGINS = 4;

/** Placeholder for the origin in a document that is written once for all origins. */
export const ANY_ORIGIN = "https://origin.invalid";

interface Page {
  gzipped: Uint8Array;
  etag: string;
}

/**
 * A document that is written once per deployment and isolate, not per call or host name. It is cached compressed and
 * has an ETag, so that clients with a current copy get 304.
 */
export class KeptPage {
  #document: { key: string; text: Promise<string> } | undefined;
  readonly #pages = new Map<string, Promise<Page>>();
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  /**
   * @param origin replaces ANY_ORIGIN in the document
   * @param key what else the document depends on
   * @param write writes the document if it is not cached
   */
  async answer(request: Request, origin: string, key: string, write: () => Promise<string>): Promise<Response> {
    const { gzipped, etag } = await this.#page(origin, key, write);
    const headers = { ...this.#headers, etag, vary: "Accept-Encoding" };
    if (listsTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    if (acceptsGzip(request)) {
      return new Response(gzipped as BufferSource, {
        headers: { ...headers, "content-encoding": "gzip" },
        encodeBody: "manual",
      });
    }
    const plain = new Response(gzipped as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain, { headers });
  }

  async #page(origin: string, key: string, write: () => Promise<string>): Promise<Page> {
    if (this.#document?.key !== key) {
      this.#document = { key, text: write() };
      this.#pages.clear();
    }
    const { text } = this.#document;
    const page = this.#pages.get(origin) ?? text.then((any) => pack(any.replaceAll(ANY_ORIGIN, origin)));
    this.#pages.delete(origin);
    this.#pages.set(origin, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_ORIGINS) break;
      this.#pages.delete(oldest);
    }
    try {
      return await page;
    } catch (error) {
      // The next call retries a failed write.
      this.#document = undefined;
      this.#pages.clear();
      throw error;
    }
  }
}

async function pack(text: string): Promise<Page> {
  const packed = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
  return {
    gzipped: new Uint8Array(await new Response(packed).arrayBuffer()),
    etag: `"${await digest(text)}"`,
  };
}
