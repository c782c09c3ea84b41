import { decodePage, type PageEntries, pageFor } from "../../core/geo/builds/live-pages.ts";
import type { PageNames } from "../../core/geo/builds/manifest.ts";
import { SharedReads } from "../../core/geo/builds/shared-reads.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { r2Reads } from "./r2-reads.ts";

/** How long an unreadable page is not read again [ms]; the builds' own objects are read instead. */
const WITHOUT_MS = 8000;
const OVERHEAD = 200;
/** Memory of an entry in addition to its bytes. */
const PER_ENTRY = 120;

const reads = new SharedReads();

/** The pages of the live list with data of its builds (geo/builds/live-pages.ts). */
export class PageReader {
  readonly #bucket: ObjectBucket;
  readonly #pages: PageNames;

  constructor(bucket: ObjectBucket, pages: PageNames = {}) {
    this.#bucket = bucket;
    this.#pages = pages;
  }

  /**
   * A build's object, without its checksum; { bytes: undefined } if the build has none; undefined if it is on no page.
   */
  async find(id: string, key: string): Promise<{ bytes: Uint8Array | undefined } | undefined> {
    const name = pageFor(this.#pages, id, key);
    const entries = name && (await this.#page(name.key));
    return entries?.has(id) ? { bytes: entries.get(id) } : undefined;
  }

  async #page(key: string): Promise<PageEntries | undefined> {
    const kept = cache.get(key)?.value as { entries?: PageEntries; until: number } | undefined;
    if (kept && (kept.entries || Date.now() < kept.until)) return kept.entries;
    return reads.read(key, async () => {
      const entries = await this.#read(key);
      let weight = OVERHEAD;
      for (const bytes of entries?.values() ?? []) weight += PER_ENTRY + (bytes?.length ?? 0);
      cache.put(key, { entries, until: Date.now() + WITHOUT_MS }, weight);
      return entries;
    });
  }

  async #read(key: string): Promise<PageEntries | undefined> {
    r2Reads.count++;
    try {
      const object = await this.#bucket.get(key);
      if (!object?.arrayBuffer) return undefined;
      const bytes = new Uint8Array(await object.arrayBuffer());
      r2Reads.bytes += bytes.byteLength;
      return decodePage(bytes);
    } catch (error) {
      console.warn(`${key} could not be read, reading each build instead: ${error}`);
      return undefined;
    }
  }
}
