import { type Block, PackedBlock } from "../../core/elevation/block.ts";
import { type BlockId, blockAt, blockKey, cornerOf } from "../../core/elevation/grid.ts";
import { interpolated } from "../../core/elevation/interpolate.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import type { Pace } from "../../core/geo/pace.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";

export const ELEVATION_LAYER = "elevation";

/** Blocks that are opened at a time: each takes a quarter of a megabyte. */
const AT_ONCE = 8;
/** Cost of opening a block, and of a point [units of about a microsecond]. */
const BLOCK_UNITS = 2000;
const POINT_UNITS = 0.3;

/**
 * The ground's elevation at each point [m], from the live build with the smallest area around it; undefined where it is
 * unknown. A damaged block is left out, and reported.
 */
export async function groundAt(
  geodata: Geodata,
  points: readonly Coordinate[],
  pace: Pace,
): Promise<(number | undefined)[]> {
  const found = new Array<number | undefined>(points.length);
  if (geodata.with(ELEVATION_LAYER).length === 0) return found;
  const blocks = new Map<string, { id: BlockId; indexes: number[] }>();
  for (const [i, point] of points.entries()) {
    const id = blockAt(point);
    const key = blockKey(id);
    const block = blocks.get(key);
    if (block) block.indexes.push(i);
    else blocks.set(key, { id, indexes: [i] });
  }
  const waiting = [...blocks.values()];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { id, indexes } = next;
      await pace.spend(BLOCK_UNITS + POINT_UNITS * indexes.length);
      const block = await openBlock(geodata, id);
      if (block) for (const i of indexes) found[i] = interpolated(block, id, points[i]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
  return found;
}

export async function openBlock(geodata: Geodata, id: BlockId): Promise<Block | undefined> {
  const { latitude, longitude } = cornerOf(id);
  // Builds consist of whole blocks.
  for (const source of geodata.at({ latitude: latitude + 0.05, longitude: longitude + 0.05 }, ELEVATION_LAYER)) {
    const objects = doingWithout(geodata, source, ELEVATION_LAYER);
    const packed = await objects.cached(blockKey(id), (bytes) => new PackedBlock(id, bytes), { weight: weightOf });
    if (packed) return packed.open();
  }
  return undefined;
}

const weightOf = ({ weight }: PackedBlock) => weight;
