import { digest } from "../serve/conditional.ts";

/** Pages kept at once: one per host name by which the Worker is called, and host names are whatever a caller writes. */
const MAX_PAGES = 4;

interface Page {
  gzipped: Uint8Array;
  etag: string;
}

/**
 * A document that is made once per deployment and machine, not at each call: kept compressed (the OpenAPI document is
 * 26 KB this way, 440 KB as text), told by an ETag, which says 304 to who has it.
 */
export class KeptPage {
  readonly #pages = new Map<string, Page>();
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  /**
   * @param key what the document depends on: another key, another document
   * @param make writes it, when it is not there yet
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
