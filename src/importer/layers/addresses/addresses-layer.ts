import { ADDRESSES_VERSION } from "../../../core/geocoding/entry/entry.ts";
import { encodeSources, SOURCES_KEY } from "../../../core/geocoding/index/sources.ts";
import { CATEGORY_TAGS } from "../../../core/places/categories.ts";
import type { Layer, LayerResources } from "../../frame/layer.ts";
import type { ImportCounts } from "../../report/import-counts.ts";
import { minMemoryOfOutlines } from "../regions/min-memory.ts";
import { NUMBER_TAGS } from "./records/address-levels.ts";
import { rangesOf } from "./records/buckets.ts";
import { collect } from "./steps/collect.ts";
import { join } from "./steps/join.ts";
import { NOTHING_PACKED, pack } from "./steps/pack.ts";
import { NOTHING_RESOLVED, resolve } from "./steps/resolve.ts";
import { write } from "./steps/write.ts";

/**
 * Buckets that are worked on in one step [bytes of records]: some three minutes on one core. A layer with next to no memory,
 * as tests have, makes small ones.
 */
const stepSize = ({ memory }: LayerResources): number => Math.min(400_000_000, 400_000 * memory);

/**
 * Memory of the steps that cannot be spilled: towns as objects of every thread (some 250 bytes for every 200 houses), outlines of
 * regions (44 bytes a corner; two in a hundred nodes of ways are corners), rows of tiles; and threads with a bucket each.
 */
const minMemoryOfAddresses = ({ addresses, wayNodes }: ImportCounts): number =>
  150_000_000 + 6 * addresses + minMemoryOfOutlines(wayNodes);

/**
 * Addresses, streets, places and regions that can be found by name. Collected records go to disk, sorted by cell, and are
 * then worked on in buckets that threads share, so that memory does not grow with the extract:
 *
 *     collect   everything with a name or a number, into buckets; regions and towns
 *     resolve   bucket by bucket: in which town and regions each is
 *     join      results that need all buckets
 *     pack      bucket by bucket: the tiles
 *     write     tiles by their numbers, the word index, the head
 */
export const addressesLayer: Layer = {
  name: "addresses",
  formatVersion: ADDRESSES_VERSION,
  summary: "house numbers, streets, names of places and regions, for geocoding",
  reads: {
    nodes: [...new Set([...NUMBER_TAGS, "place", ...CATEGORY_TAGS])].sort(),
    ways: [...new Set([...NUMBER_TAGS, "addr:interpolation", "highway", ...CATEGORY_TAGS])].sort(),
    relations: [
      ...new Set([
        ...NUMBER_TAGS,
        "boundary=administrative",
        "boundary=postal_code",
        "type=associatedStreet",
        "type=street",
        ...CATEGORY_TAGS,
      ]),
    ].sort(),
  },
  files: ["addresses", "overtureAddresses", "overturePlaces", "overtureDivisions"],
  minMemory: minMemoryOfAddresses,
  async build(input, out) {
    const { resources } = input;
    const { buckets, count, bounds, sources } = await resources.step("collect", (progress) =>
      collect(input, out, progress),
    );
    let resolved = NOTHING_RESOLVED;
    for (const [i, range] of [...rangesOf(buckets, stepSize(resources))].entries()) {
      const before = resolved;
      const next = await resources.step(`resolve ${i + 1}`, (progress) =>
        resolve(input, buckets, range, before, out, progress),
      );
      resolved = { ...next, buckets: [...before.buckets, ...next.buckets] };
    }
    if (resolved.isEmpty) return;
    const joined = await resources.step("join", async () => join(input, resolved, count, out));
    let packed = NOTHING_PACKED;
    for (const [i, range] of [...rangesOf(resolved.buckets, stepSize(resources))].entries()) {
      const before = packed;
      packed = await resources.step(`pack ${i + 1}`, (progress) =>
        pack(input, resolved.buckets, range, joined, before, progress),
      );
    }
    await resources.step("write", async (progress) => {
      const boxes = [...input.extracts.map((extract) => extract.bounds), ...bounds];
      if (bounds.length > 0) for (const box of boxes) out.area(box);
      for (const [area, houses] of resolved.coverage) out.count(`addresses in ${area.replace(/(?<=.)-$/, "")}`, houses);
      await out.write(SOURCES_KEY, encodeSources(sources));
      await write(input, { resolved, joined, packed }, out, progress);
    });
  },
};
