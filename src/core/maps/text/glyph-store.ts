import { type Glyph, readGlyphs, writeGlyphs } from "./glyphs.ts";

/**
 * The glyphs that the names of a build need beyond those that ship with the Worker: `basemap/glyphs.bin`. A reader
 * reads the head and then the blocks it needs, adjacent ones in one read.
 *
 *     0   "GGST"
 *     4   u8  version 1
 *     5   u8  0
 *     6   u16 number of blocks n
 *     8   u32 length of the index, packed
 *     12  n × u32 length of a block
 *     …   the index, gzipped: for each block a line, its units separated by spaces
 *     …   the blocks, gzipped: glyphs (glyphs.ts) in the order of the block's units, the place in that order as id
 *
 * All numbers little-endian. A unit is an ideograph's form ("ja:東") or a unit of units.ts. Units are ordered by script,
 * so that those of one language are adjacent.
 */
export const GLYPH_STORE_KEY = "basemap/glyphs.bin";
const VERSION = 1;
const HEAD = 12;
/** Glyphs in a block: some 4 KB. */
const PER_BLOCK = 16;

/** Size of the first read: head and index of most builds [bytes]. */
export const FIRST_READ = 16_384;

export interface StoreIndex {
  /** Unit → its block, and its place in there. */
  units: ReadonlyMap<string, readonly [block: number, place: number]>;
  /** Where blocks begin; the last is the end. */
  starts: readonly number[];
}

/** Size of head and index in bytes, given the first dozen. Throws if the bytes are not a store of this version. */
export function indexEnd(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD || String.fromCharCode(...bytes.subarray(0, 4)) !== "GGST" || bytes[4] !== VERSION)
    throw new Error(`These are no glyphs of version ${VERSION}.`);
  return HEAD + 4 * view.getUint16(6, true) + view.getUint32(8, true);
}

/** @param unpack gunzip */
export async function readStoreIndex(
  bytes: Uint8Array,
  unpack: (packed: Uint8Array) => Promise<Uint8Array>,
): Promise<StoreIndex> {
  const end = indexEnd(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = view.getUint16(6, true);
  const starts = [end];
  for (let i = 0; i < blocks; i++) starts.push(starts[i] + view.getUint32(HEAD + 4 * i, true));
  const text = new TextDecoder().decode(await unpack(bytes.subarray(HEAD + 4 * blocks, end)));
  const units = new Map<string, readonly [number, number]>();
  text.split("\n").forEach((line, block) => {
    line.split(" ").forEach((unit, place) => void units.set(unit, [block, place]));
  });
  return { units, starts };
}

/** The glyphs of a block, by their places. */
export async function readStoreBlock(
  bytes: Uint8Array,
  unpack: (packed: Uint8Array) => Promise<Uint8Array>,
): Promise<Glyph[]> {
  const glyphs: Glyph[] = [];
  for (const glyph of readGlyphs(await unpack(bytes))) glyphs[glyph.id] = glyph;
  return glyphs;
}

/** @param glyphs in the order to store */
export function writeGlyphStore(
  glyphs: readonly (readonly [unit: string, glyph: Glyph])[],
  pack: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const lines: string[] = [];
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < glyphs.length; from += PER_BLOCK) {
    const some = glyphs.slice(from, from + PER_BLOCK);
    lines.push(some.map(([unit]) => unit).join(" "));
    const numbered = some.map(([, glyph], id) => ({ ...glyph, id }));
    blocks.push(pack(writeGlyphs("", "", numbered)));
  }
  const index = pack(new TextEncoder().encode(lines.join("\n")));
  const start = HEAD + 4 * blocks.length;
  const bytes = new Uint8Array(start + index.length + blocks.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set([...new TextEncoder().encode("GGST"), VERSION, 0]);
  view.setUint16(6, blocks.length, true);
  view.setUint32(8, index.length, true);
  bytes.set(index, start);
  let at = start + index.length;
  blocks.forEach((block, i) => {
    view.setUint32(HEAD + 4 * i, block.length, true);
    bytes.set(block, at);
    at += block.length;
  });
  return bytes;
}
