import {
  FIRST_READ,
  GLYPH_STORE_KEY,
  indexEnd,
  readStoreBlock,
  readStoreIndex,
  type StoreIndex,
} from "../../core/maps/text/glyph-store.ts";
import type { Glyph } from "../../core/maps/text/glyphs.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { BuildSource } from "./r2-source.ts";

/** Maximum unneeded bytes per read, as long as all reads of a map stay within it [bytes]. */
const FAIR = 40_960;
/** More reads than this cost more than unneeded bytes. */
const MAX_READS = 3;
/** Memory size of a unit of an index and of a glyph of a block [bytes]. */
const UNIT_BYTES = 120;
const GLYPH_BYTES = 1000;

/**
 * The glyphs that a build includes for its names (maps/text/glyph-store.ts): those of the given units that it has.
 * @throws UnreadableObject
 */
export async function glyphsOf(source: BuildSource, units: readonly string[]): Promise<Map<string, Glyph>> {
  const found = new Map<string, Glyph>();
  const store = await storeOf(source);
  if (!store) return found;
  const wanted = units.flatMap((unit) => {
    const at = store.index.units.get(unit);
    return at ? [{ unit, block: at[0], place: at[1] }] : [];
  });
  const blocks = await blocksOf(
    source,
    store,
    [...new Set(wanted.map(({ block }) => block))].sort((a, b) => a - b),
  );
  for (const { unit, block, place } of wanted) {
    const glyph = blocks.get(block)?.[place];
    if (glyph) found.set(unit, glyph);
  }
  return found;
}

/**
 * All units included in a build.
 * @throws UnreadableObject
 */
export async function unitsOf(source: BuildSource): Promise<Iterable<string>> {
  return (await storeOf(source))?.index.units.keys() ?? [];
}

interface Store {
  index: StoreIndex;
  /** The bytes of the first read. */
  first: Uint8Array;
}

async function storeOf(source: BuildSource): Promise<Store | undefined> {
  const key = `${source.build.id}#glyphs`;
  const known = cache.get(key);
  if (known) return known.value as Store | undefined;
  const store = await source.checked(GLYPH_STORE_KEY, "index", async (from): Promise<Store | undefined> => {
    const first = await from.read(GLYPH_STORE_KEY, { offset: 0, length: FIRST_READ });
    // Older builds have none, nor do those whose names only need built-in glyphs.
    if (!first) return undefined;
    const end = indexEnd(first);
    const rest = end > first.length ? await from.read(GLYPH_STORE_KEY, { offset: 0, length: end }) : first;
    return rest && { index: await readStoreIndex(rest, gunzip), first: rest };
  });
  cache.put(key, store, 200 + (store ? store.first.length + store.index.units.size * UNIT_BYTES : 0));
  return store;
}

/** The range of one read: blocks, and the bytes between them. */
interface Run {
  from: number;
  to: number;
  blocks: number[];
}

/**
 * Joins neighbors over the narrowest gaps: while the number of unneeded bytes is acceptable, and as long as there are
 * too many reads.
 */
export function inFewReads(blocks: readonly Run[]): Run[] {
  const runs = [...blocks];
  let bytes = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  while (runs.length > 1) {
    let at = 1;
    for (let i = 2; i < runs.length; i++) if (gapBefore(runs, i) < gapBefore(runs, at)) at = i;
    const gap = gapBefore(runs, at);
    if (gap > 0 && runs.length <= MAX_READS && bytes + gap > FAIR) break;
    bytes += gap;
    const [a, b] = [runs[at - 1], runs[at]];
    runs.splice(at - 1, 2, { from: a.from, to: b.to, blocks: [...a.blocks, ...b.blocks] });
  }
  return runs;
}

const gapBefore = (runs: readonly Run[], i: number) => runs[i].from - runs[i - 1].to;

/** Blocks that this isolate has not cached yet. */
async function blocksOf(source: BuildSource, { index, first }: Store, blocks: readonly number[]) {
  const found = new Map<number, readonly Glyph[]>();
  const nameOf = (block: number) => `${source.build.id}#glyphs/${block}`;
  const missing: Run[] = [];
  for (const block of blocks) {
    const known = cache.get(nameOf(block));
    if (known) {
      found.set(block, known.value as readonly Glyph[]);
      continue;
    }
    missing.push({ from: index.starts[block], to: index.starts[block + 1], blocks: [block] });
  }
  await Promise.all(
    inFewReads(missing).map(({ from, to, blocks }) =>
      source.checked(GLYPH_STORE_KEY, `${from}-${to}`, async (reader) => {
        const bytes =
          to <= first.length
            ? first.subarray(from, to)
            : await reader.read(GLYPH_STORE_KEY, { offset: from, length: to - from });
        if (!bytes) throw new Error("it is missing");
        for (const block of blocks) {
          const packed = bytes.subarray(index.starts[block] - from, index.starts[block + 1] - from);
          const glyphs = await readStoreBlock(packed, gunzip);
          cache.put(nameOf(block), glyphs, glyphs.length * GLYPH_BYTES);
          found.set(block, glyphs);
        }
      }),
    ),
  );
  return found;
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(bytes as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
