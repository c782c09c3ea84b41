import { digest } from "../serve/conditional.ts";

/** Most pages kept at once. There is one per host name of the Worker, and callers can make up host names. */
const MAX_PAGES = 4;

interface Page {
  gzipped: Uint8Array;
  etag: string;
}

/**
 * A document that is made once per deployment and isolate, not with each call. It is kept compressed (the OpenAPI
 * document takes 92 KB) and has an ETag, so that clients who have it get 304.
 */
export class KeptPage {
  readonly #pages = new Map<string, Page>();
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  /**
   * @param key what the document depends on
   * @param make makes the document when it is not kept yet
   */
  async answer(request: Request, key: string, make: () => Promise<string>): Promise<Response> {
    const { gzipped, etag } = this.#pages.get(key) ?? (await this.#add(key, await make()));
    const headers = { ...this.#headers, etag, vary: "Accept-Encoding" };
    const known = request.headers.get("if-none-match");
    if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
      return new Response(null, { status: 304, headers });
    }
    if (/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
      return new Response(gzipped as BufferSource, {
        headers: { ...headers, "content-encoding": "gzip" },
        encodeBody: "manual",
      });
    }
    const plain = new Response(gzipped as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain, { headers });
  }

  async #add(key: string, text: string): Promise<Page> {
    const packed = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
    const page = {
      gzipped: new Uint8Array(await new Response(packed).arrayBuffer()),
      etag: `"${await digest(text)}"`,
    };
    if (this.#pages.size >= MAX_PAGES) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  }
}
