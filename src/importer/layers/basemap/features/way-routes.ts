import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { parseColor } from "../../../../core/maps/base/color.ts";
import type { CachedParts, ElementBlocks, LayerInput } from "../../../frame/layer.ts";
import { decodeBlock } from "../../../osm/pbf/decode-block.ts";
import type { OsmRelation, OsmWay } from "../../../osm/pbf/element.ts";
import { blocksOf } from "../../../osm/store/block-store.ts";
import { ExternalSort } from "../../../sort/external-sort.ts";

/**
 * Data of ways from their route relations: whose number a road carries, and the colour of a line of transit. Ways of a country's routes
 * are millions, so they are in a file by ascending way, and a job that draws a block of ways reads only the records of those ways:
 *
 *     PATH        records of 12 bytes, little-endian: way u32 low, u32 high; route u32, its place in the list
 *     PATH.json   WayRoute[]
 */
export interface WayRoute {
  /** The network of a road, as the map names it: "US:I", "e-road". */
  network?: string;
  /** Its number, or the line's name: "80", "U2". */
  ref: string;
  /** Of a line of transit: #rrggbb. */
  colour?: string;
}

/** Where the records are, and how many bytes they are. */
export interface RoutesFile {
  path: string;
  bytes: number;
}

/** Relations that are read for it. */
export const ROUTE_TAGS = ["road", "tram", "light_rail", "subway", "train", "monorail"].map((kind) => `route=${kind}`);

const RECORD = 12;
/** Share of the layer's memory for the sort. */
const SHARE = 1 / 8;

/**
 * Reads all route relations of the layer's input, and writes their file.
 * @returns undefined where no route says anything
 */
export async function writeWayRoutes(input: LayerInput): Promise<RoutesFile | undefined> {
  const path = input.resources.path("routes");
  const sort = new ExternalSort({ path: `${path}-sort`, memory: input.resources.memory * SHARE });
  const list: WayRoute[] = [];
  const places = new Map<string, number>();
  const { path: store, blocks, reads } = input.blocks("relations");
  const place = new Uint8Array(4);
  const view = new DataView(place.buffer);
  try {
    const add = (relation: OsmRelation) => {
      const route = routeOf(relation);
      if (!route) return;
      const key = JSON.stringify(route);
      let at = places.get(key);
      if (at === undefined) {
        at = list.push(route) - 1;
        places.set(key, at);
      }
      view.setUint32(0, at, true);
      for (const { type, ref } of relation.members) if (type === "way") sort.add(ref, place);
    };
    for await (const bytes of blocksOf(store, blocks)) decodeBlock(bytes, { relation: add }, reads);
    if (sort.count === 0) return undefined;
    writeRecords(path, sort);
  } finally {
    sort.close();
  }
  writeFileSync(`${path}.json`, JSON.stringify(list));
  return { path, bytes: sort.count * RECORD };
}

function writeRecords(path: string, sort: ExternalSort): void {
  const file = openSync(path, "w");
  const buffer = new Uint8Array(RECORD * 5000);
  const view = new DataView(buffer.buffer);
  let used = 0;
  const flush = () => {
    for (let done = 0; done < used; ) done += writeSync(file, buffer, done, used - done);
    used = 0;
  };
  try {
    for (const { key, bytes, start, end } of sort.sorted()) {
      view.setUint32(used, key >>> 0, true);
      view.setUint32(used + 4, Math.floor(key / 2 ** 32), true);
      buffer.set(bytes.subarray(start, end), used + 8);
      used += RECORD;
      if (used === buffer.length) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

/** Data of a route relation for its ways; undefined if it is not a route, or has nothing that a map shows. */
export function routeOf({ tags }: Pick<OsmRelation, "tags">): WayRoute | undefined {
  const ref = tags.ref?.split(";")[0].trim();
  if (tags.route === "road") {
    const network = networkOf(tags.network);
    return network && ref ? { network, ref } : undefined;
  }
  if (!ROUTE_TAGS.includes(`route=${tags.route}`)) return undefined;
  const text = (tags.colour ?? tags.color ?? "").trim();
  const color = text ? parseColor(text.toLowerCase()) : undefined;
  if (!color) return undefined;
  const hex = color.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, "0"));
  return { ref: ref ?? "", colour: `#${hex.join("")}` };
}

/** "US:I:Business:Loop" is no interstate; "US:TX:FM" is a road of Texas; "e-road" is one of Europe; others stand as they are written. */
function networkOf(network: string | undefined): string | undefined {
  if (!network) return undefined;
  if (/^US:I:/.test(network)) return undefined;
  const american = /^US:(I|US|[A-Z]{2})(?=:|$)/.exec(network);
  return american ? american[0] : /^e-?road$/i.test(network) ? "e-road" : network;
}

/** The file of `writeWayRoutes`, read where it is asked. */
export class WayRoutes {
  readonly #file: number;
  readonly #count: number;
  readonly #list: readonly WayRoute[];
  readonly #record = new Uint8Array(RECORD);
  readonly #view = new DataView(this.#record.buffer);

  constructor({ path, bytes }: RoutesFile) {
    this.#file = openSync(path, "r");
    this.#count = bytes / RECORD;
    this.#list = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  }

  /** Of the ways from the first to the last, both among them. */
  within(first: number, last: number): Map<number, WayRoute[]> {
    const found = new Map<number, WayRoute[]>();
    const [from, to] = [this.#from(first), this.#from(last + 1)];
    const bytes = new Uint8Array((to - from) * RECORD);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, from * RECORD + done);
      if (read === 0) throw new Error("the file of routes is shorter than its length says");
      done += read;
    }
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += RECORD) {
      const way = wayAt(view, at);
      const route = this.#list[view.getUint32(at + 8, true)];
      const known = found.get(way);
      if (!known) found.set(way, [route]);
      else if (!known.includes(route)) known.push(route);
    }
    return found;
  }

  /** The first record of this way or a later one: a binary search. */
  #from(way: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      readSync(this.#file, this.#record, 0, RECORD, middle * RECORD);
      if (wayAt(this.#view, 0) < way) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  close(): void {
    closeSync(this.#file);
  }
}

const wayAt = (view: DataView, at: number) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

/**
 * A hash of the routes of the ways of each block, by the offset of the block: a cached drawing of a block is valid only while
 * they say the same.
 * @param digests of the blocks: which ids a block has is known from the previous import
 */
export async function routesByBlock(
  { path, blocks, reads }: ElementBlocks,
  file: RoutesFile,
  parts: CachedParts,
  digests: readonly Uint8Array[],
): Promise<Map<number, string>> {
  const routes = new WayRoutes(file);
  const hashes = new Map<number, string>();
  try {
    for (const [i, place] of blocks.entries()) {
      const key = parts.key("first and last way", JSON.stringify(reads.ways), digests[i]);
      let span = parts.find(key);
      if (!span) {
        span = new Uint8Array((await spanOfWays(path, place, reads)).buffer);
        parts.put(key, span);
      }
      const [first, last] = new Float64Array(span.slice().buffer);
      const found = last > 0 ? routes.within(first, last) : new Map();
      if (found.size > 0) {
        const hash = createHash("sha256").update(JSON.stringify([...found]));
        hashes.set(place.offset, hash.digest("base64"));
      }
    }
  } finally {
    routes.close();
  }
  return hashes;
}

/** The first and the last id of a block's ways; the last is 0 where it has none. */
async function spanOfWays(
  path: string,
  place: ElementBlocks["blocks"][number],
  reads: ElementBlocks["reads"],
): Promise<Float64Array<ArrayBuffer>> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const way = ({ id }: OsmWay) => {
    first = Math.min(first, id);
    last = id;
  };
  for await (const bytes of blocksOf(path, [place])) decodeBlock(bytes, { way }, reads);
  return Float64Array.of(first, last);
}
