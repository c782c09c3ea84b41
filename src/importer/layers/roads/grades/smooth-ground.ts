import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Block, metersOf, PackedBlock } from "../../../../core/elevation/block.ts";
import { BLOCKS_PER_DEGREE, type BlockId, columnsOf, ROWS } from "../../../../core/elevation/grid.ts";
import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { blockFile, type GroundPlan } from "../../../common/ground-plan.ts";

/** Opens the blocks of elevations around an import; undefined where there are none. */
type OpenBlock = (id: BlockId) => Promise<Block | undefined>;

/** Blocks in memory: a quarter of a megabyte each, smoothed ones half a megabyte. */
const MAX_BLOCKS = 40;
const MAX_SMOOTH_BLOCKS = 24;
const COLUMNS_OF_EARTH = 360 * BLOCKS_PER_DEGREE;
const ROWS_OF_EARTH = 180 * BLOCKS_PER_DEGREE;

/**
 * Weights of the samples at a distance of 0, 1, 2 and 3 from the middle, in both directions. Sources have a noise of one to two meters:
 * over 49 m (one standard deviation) it becomes a sixth, and slopes remain.
 */
const WEIGHTS = [4, 3, 2, 1];
const REACH = WEIGHTS.length - 1;

/** Blocks of a plan, read from the files next to it. */
export function blocksOfPlan(path: string, plan: GroundPlan): OpenBlock {
  return async (id) => {
    const digest = plan.blocks[`${id.row}/${id.column}`];
    if (digest === undefined) return undefined;
    return new PackedBlock(id, await readFile(join(dirname(path), blockFile(digest)))).open();
  };
}

/** A block without the noise of its source. */
class SmoothBlock {
  readonly #columns: number;
  /** Row by row from the south [m]; NaN: unknown. */
  readonly #meters: Float32Array;

  constructor(columns: number, meters: Float32Array) {
    this.#columns = columns;
    this.#meters = meters;
  }

  /** @param up share of its height, from the south; @param across of its width, from the west. NaN: unknown */
  at(up: number, across: number): number {
    const y = up * (ROWS - 1);
    const x = across * (this.#columns - 1);
    const row = Math.max(0, Math.min(ROWS - 2, Math.floor(y)));
    const column = Math.max(0, Math.min(this.#columns - 2, Math.floor(x)));
    const first = row * this.#columns + column;
    const [down, right] = [y - row, x - column];
    const south = this.#meters[first] * (1 - right) + this.#meters[first + 1] * right;
    const next = first + this.#columns;
    const north = this.#meters[next] * (1 - right) + this.#meters[next + 1] * right;
    return south * (1 - down) + north * down;
  }
}

/** The ground without noise, block by block. */
export class SmoothGround {
  readonly #open: OpenBlock;
  readonly #blocks = new BoundedMap<number, Block | null>(MAX_BLOCKS);
  readonly #smooth = new BoundedMap<number, SmoothBlock | null>(MAX_SMOOTH_BLOCKS);

  constructor(open: OpenBlock) {
    this.#open = open;
  }

  /** Elevation of a point [m], NaN where it is unknown; undefined until the block is loaded. @param y, x [1e-6 degrees] */
  at(y: number, x: number): number | undefined {
    const up = (y / 1e6 + 90) * BLOCKS_PER_DEGREE;
    const across = (x / 1e6 + 180) * BLOCKS_PER_DEGREE;
    const row = Math.min(ROWS_OF_EARTH - 1, Math.floor(up));
    const column = Math.min(COLUMNS_OF_EARTH - 1, Math.floor(across));
    const block = this.#smooth.get(keyOf(row, column));
    if (block === undefined) return undefined;
    return block ? block.at(up - row, across - column) : Number.NaN;
  }

  /** Loads the block around a point. */
  async load(y: number, x: number): Promise<void> {
    const key = blockOf(y, x);
    if (this.#smooth.has(key)) return;
    this.#smooth.set(key, await this.#smoothed(Math.floor(key / COLUMNS_OF_EARTH), key % COLUMNS_OF_EARTH));
  }

  async #block(row: number, column: number): Promise<Block | null> {
    if (row < 0 || row >= ROWS_OF_EARTH) return null;
    const wrapped = (column + COLUMNS_OF_EARTH) % COLUMNS_OF_EARTH;
    const key = keyOf(row, wrapped);
    let block = this.#blocks.get(key);
    if (block === undefined) {
      block = (await this.#open({ row, column: wrapped })) ?? null;
      this.#blocks.set(key, block);
    }
    return block;
  }

  async #smoothed(row: number, column: number): Promise<SmoothBlock | null> {
    const own = await this.#block(row, column);
    if (!own) return null;
    const around: (Block | null)[] = [];
    for (const up of [-1, 0, 1])
      for (const across of [-1, 0, 1])
        around.push(up === 0 && across === 0 ? own : await this.#block(row + up, column + across));
    const columns = columnsOf({ row, column });
    const padded = withMargin(around, columns);
    const across = along(padded, ROWS + 2 * REACH, columns + 2 * REACH, 1);
    const meters = along(across, columns, ROWS + 2 * REACH, columns);
    return new SmoothBlock(columns, meters);
  }
}

const keyOf = (row: number, column: number): number => row * COLUMNS_OF_EARTH + column;

/** Side of the squares of blocks that are worked through one after the other: three rows of them are in memory. */
const SQUARE = 8;

/**
 * Place of the block around a point in the order in which blocks are best loaded: square by square, so that each one is read and smoothed once
 * or twice, however wide the area is. @param y, x [1e-6 degrees]
 */
export function orderOfBlock(y: number, x: number): number {
  const key = blockOf(y, x);
  const [row, column] = [Math.floor(key / COLUMNS_OF_EARTH), key % COLUMNS_OF_EARTH];
  const square = Math.floor(row / SQUARE) * (COLUMNS_OF_EARTH / SQUARE) + Math.floor(column / SQUARE);
  return (square * SQUARE + (row % SQUARE)) * SQUARE + (column % SQUARE);
}

/** Number of the block around a point. @param y, x [1e-6 degrees] */
function blockOf(y: number, x: number): number {
  const row = Math.min(ROWS_OF_EARTH - 1, Math.floor((y / 1e6 + 90) * BLOCKS_PER_DEGREE));
  return keyOf(row, Math.min(COLUMNS_OF_EARTH - 1, Math.floor((x / 1e6 + 180) * BLOCKS_PER_DEGREE)));
}

/** The middle of nine blocks with REACH samples of the others around it, row by row from the south [m]. */
function withMargin(around: readonly (Block | null)[], columns: number): Float32Array {
  const width = columns + 2 * REACH;
  const meters = new Float32Array((ROWS + 2 * REACH) * width);
  for (let y = -REACH; y < ROWS + REACH; y++) {
    // Blocks share the samples of their edges.
    const up = y < 0 ? -1 : y >= ROWS ? 1 : 0;
    const row = y - up * (ROWS - 1);
    for (let x = -REACH; x < columns + REACH; x++) {
      const across = x < 0 ? -1 : x >= columns ? 1 : 0;
      const block = around[3 * (up + 1) + across + 1];
      const column = x - across * (columns - 1);
      // Toward the poles, rows of blocks have fewer samples.
      const at = block ? Math.round((column * (block.columns - 1)) / (columns - 1)) : 0;
      meters[(y + REACH) * width + x + REACH] = (block && metersOf(block, row * block.columns + at)) ?? Number.NaN;
    }
  }
  return meters;
}

/**
 * Weighted means of 2 × REACH + 1 samples along rows (`step` 1) or columns (`step`: their number); of the known ones, if the middle is
 * known. REACH samples at both ends are dropped.
 */
function along(meters: Float32Array, lines: number, length: number, step: number): Float32Array {
  const kept = length - 2 * REACH;
  const out = new Float32Array(lines * kept);
  for (let line = 0; line < lines; line++) {
    const first = step === 1 ? line * length : line;
    for (let i = 0; i < kept; i++) {
      const middle = first + (i + REACH) * step;
      let sum = 0;
      let weights = 0;
      for (let k = -REACH; k <= REACH; k++) {
        const value = meters[middle + k * step];
        if (Number.isNaN(value)) continue;
        const weight = WEIGHTS[Math.abs(k)];
        sum += weight * value;
        weights += weight;
      }
      out[step === 1 ? line * kept + i : line + i * step] = Number.isNaN(meters[middle]) ? Number.NaN : sum / weights;
    }
  }
  return out;
}
