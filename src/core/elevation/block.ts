import { inflateRaw } from "../geo/bytes/inflate.ts";
import { type BlockId, columnsOf, ROWS } from "./grid.ts";

/** The version of the layer's objects. Layout: docs/formats/elevation.md. */
export const ELEVATION_VERSION = 1;
/** Stands for a sample without a value. */
export const NO_SAMPLE = 65_535;
/** Samples are eighths of a meter above the base of their block. */
export const STEPS_PER_METER = 8;
/** Of the base: the lowest point on land is at −430 m, sources with sea floors go to −11,000 m [m]. */
const LOWEST_BASE = -32_768;
const MAGIC = "GELV";
/** Magic, version, base. */
const HEADER_BYTES = 4 + 1 + 2;

/** The samples of a block, row by row from the south, west to east. */
export interface Block {
  columns: number;
  /** [m] */
  base: number;
  /** Eighths of a meter above the base, or NO_SAMPLE. */
  samples: Uint16Array;
}

/** @param meters ROWS × columns elevations, row by row from the south; NaN: unknown */
export function blockOf(id: BlockId, meters: Float64Array, columns = columnsOf(id)): Block {
  let base = Number.POSITIVE_INFINITY;
  for (const one of meters) if (one < base) base = one;
  base = Number.isFinite(base) ? Math.max(LOWEST_BASE, Math.floor(base)) : 0;
  const samples = Uint16Array.from(meters, (one) =>
    Number.isNaN(one) ? NO_SAMPLE : Math.max(0, Math.min(NO_SAMPLE - 1, Math.round((one - base) * STEPS_PER_METER))),
  );
  return { columns, base, samples };
}

/** The elevation of a sample [m]; undefined where it is unknown. */
export function metersOf({ base, samples }: Block, index: number): number | undefined {
  const steps = samples[index];
  return steps === NO_SAMPLE ? undefined : base + steps / STEPS_PER_METER;
}

/**
 * Each sample as its difference from the plane through its neighbors to the west, south and southwest (the predictor of
 * Martucci 1990, without its clamp): all low bytes, then all high bytes, deflated.
 * @param deflate raw (RFC 1951)
 */
export function encodeBlock({ columns, base, samples }: Block, deflate: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  const count = samples.length;
  const planes = new Uint8Array(2 * count);
  for (let i = 0; i < count; i++) {
    const rest = (samples[i] - predicted(samples, i, columns)) & 0xffff;
    // Small differences of both signs have a high byte of 0.
    const folded = rest < 0x8000 ? rest << 1 : ((0xffff - rest) << 1) | 1;
    planes[i] = folded & 0xff;
    planes[count + i] = folded >> 8;
  }
  const packed = deflate(planes);
  const object = new Uint8Array(HEADER_BYTES + packed.length);
  for (let i = 0; i < 4; i++) object[i] = MAGIC.charCodeAt(i);
  object[4] = ELEVATION_VERSION;
  new DataView(object.buffer).setInt16(5, base, true);
  object.set(packed, HEADER_BYTES);
  return object;
}

function predicted(samples: Uint16Array, i: number, columns: number): number {
  const isFirst = i % columns === 0;
  if (i < columns) return isFirst ? 0 : samples[i - 1];
  if (isFirst) return samples[i - columns];
  return samples[i - 1] + samples[i - columns] - samples[i - columns - 1];
}

/** A block as it is stored; checked and inflated on first use. */
export class PackedBlock {
  readonly #columns: number;
  readonly #base: number;
  #packed: Uint8Array | undefined;
  #block: Block | undefined;

  /** @throws Error if the object is of another kind or version */
  constructor(id: BlockId, object: Uint8Array, columns = columnsOf(id)) {
    const found = String.fromCharCode(...object.subarray(0, 4));
    if (found !== MAGIC || object.length < HEADER_BYTES)
      throw new Error(`expected ${MAGIC}, found ${JSON.stringify(found)}`);
    if (object[4] !== ELEVATION_VERSION)
      throw new Error(`elevation version ${object[4]}, this reader knows ${ELEVATION_VERSION}`);
    this.#columns = columns;
    this.#base = new DataView(object.buffer, object.byteOffset).getInt16(5, true);
    this.#packed = object.slice(HEADER_BYTES);
  }

  /** Memory once it is inflated [bytes]. */
  get weight(): number {
    return 2 * ROWS * this.#columns;
  }

  /** @throws Error if it is damaged */
  async open(): Promise<Block> {
    // A value, not a promise: a promise belongs to the request that created it.
    if (this.#block) return this.#block;
    const packed = this.#packed as Uint8Array;
    const columns = this.#columns;
    const count = ROWS * columns;
    const planes = await inflateRaw(packed);
    if (planes.length !== 2 * count) throw new Error(`${planes.length} bytes in place of ${2 * count}`);
    const samples = new Uint16Array(count);
    for (let i = 0; i < count; i++) {
      const folded = planes[i] | (planes[count + i] << 8);
      const rest = folded & 1 ? 0xffff - (folded >> 1) : folded >> 1;
      samples[i] = rest + predicted(samples, i, columns);
    }
    this.#block = { columns, base: this.#base, samples };
    this.#packed = undefined;
    return this.#block;
  }
}
