import { seal } from "../../../../core/geo/builds/sealed.ts";
import { TABLES, writeBundle } from "../../../../core/routing/graph/bundle.ts";
import { bundleKey, topKey } from "../../../../core/routing/graph/pack.ts";
import type { Progress } from "../../../common/progress.ts";
import { bundlesOf, isBundled } from "../overlay/bundles.ts";
import type { BitsOfMode } from "../overlay/cell-cliques.ts";
import { childrenOf, parentCount } from "../overlay/cell-tree.ts";
import { SpillMap } from "../overlay/spill-map.ts";
import { overlayOfParts } from "./cached-overlay.ts";
import type { JoinJob, OverlayResult } from "./roads-job.ts";
import type { RoadsSite } from "./roads-site.ts";

/** The overlay of a mode in the manifest. */
export interface OverlayOfMode {
  bits: BitsOfMode;
  /** Bytes of each pack that is in no bundle, seal included, level by level and parent by parent. */
  packs: number[];
}

/** A step for each mode: the overlay, part by part up to where parts end, then from what they hand up. */
export async function writeOverlay(site: RoadsSite, mode: number, progress: Progress): Promise<OverlayOfMode> {
  const world = await site.world(false);
  const { crossings } = site;
  const { division, parts } = world;
  const windows = world.graph.plain.traffic?.windows.length ?? 0;
  progress.expect(division.cellCounts[1], "tiles");
  const bits: BitsOfMode = Array.from({ length: division.levels - 1 }, () => []);
  const bundled = new SpillMap<string>(site.store.path(`packs-${mode}`), site.memory / 8);
  const packs: number[] = [];
  const take = async (made: OverlayResult, level: number, parent = 0) => {
    if (isBundled(division, level)) for (const { key, bytes } of made.objects) bundled.put(key, bytes);
    else {
      const sealed = made.objects.map(({ bytes }) => seal(bytes));
      for (const { length } of sealed) packs.push(length);
      await site.write(topKey(mode, level, parent), Buffer.concat(sealed));
    }
    for (const [i, own] of made.bits.entries()) bits[level - 1 + i].push(...own);
  };
  let below = cliquesOf(site, mode, parts.level);
  try {
    let part = 0;
    let cell = 0;
    for await (const made of overlayOfParts(site, world, mode)) {
      await take(made, 1);
      for (const cliques of made.cells) below.put(cell++, bytesOf(cliques));
      progress.advance(parts.firstTile[part + 1] - parts.firstTile[part++]);
    }
    for (let level = parts.level; level < division.levels; level++) {
      const above = cliquesOf(site, mode, level + 1);
      const parents = Array.from({ length: parentCount(division, level) }, (_, parent) => parent);
      const from = below;
      const toJoin = (parent: number): JoinJob => {
        const [first, end] = childrenOf(division, level, parent);
        const cells = Array.from({ length: end - first }, (_, i) => cliquesIn(from.take(first + i)));
        return { kind: "join", division, crossings, mode, level, parent, windows, cells };
      };
      let parent = 0;
      for await (const made of site.inOrder<number, OverlayResult>(parents, toJoin)) {
        await take(made, level, parent);
        for (const cliques of made.cells) above.put(parent, bytesOf(cliques));
        parent++;
      }
      below.close();
      below = above;
    }
    await writeBundles(site, mode, bits, bundled);
    return { bits, packs };
  } finally {
    below.close();
    bundled.close();
  }
}

/** Of every district, with its tables: what of the overlay a search needs there. */
async function writeBundles(site: RoadsSite, mode: number, bits: BitsOfMode, packs: SpillMap<string>): Promise<void> {
  const { division } = site;
  const tables = [...site.tables()];
  for (const { metric, district, packs: own } of bundlesOf(division, mode, bits)) {
    const objects = own.map(({ key, ...place }) => ({ ...place, bytes: packs.get(key) }));
    const bundle = writeBundle([{ level: TABLES, parent: 0, bytes: tables[district] }, ...objects]);
    await site.write(bundleKey(metric, district), bundle);
  }
}

/** The cliques of a level by cell, until those of the next level are built from them. */
const cliquesOf = (site: RoadsSite, mode: number, level: number) =>
  new SpillMap<number>(site.store.path(`cliques-${mode}-${level}`), site.memory / 8);

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array) => new Uint8Array(buffer, byteOffset, byteLength);
const cliquesIn = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Int32Array(buffer as ArrayBuffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
