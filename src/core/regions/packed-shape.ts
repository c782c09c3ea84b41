import type { Region, RegionKind, RegionRank } from "./region.ts";
import type { RegionShape } from "./region-shape.ts";

type Rings = RegionShape["rings"];

/** Degrees per unit if all corners are on OpenStreetMap's grid. */
const FINE = 1e7;

/**
 * Rings as two numbers per corner: 8 bytes on OpenStreetMap's grid, 16 elsewhere; arrays of pairs would take about 70.
 */
export class PackedRings {
  readonly #corners: Int32Array | Float64Array;
  /** Where each ring ends [corners]. */
  readonly #ends: Uint32Array;

  constructor(rings: Rings) {
    const corners = rings.reduce((sum, ring) => sum + ring.length, 0);
    this.#ends = new Uint32Array(rings.length);
    const exact = new Float64Array(2 * corners);
    let at = 0;
    let fine = true;
    for (const [i, ring] of rings.entries()) {
      for (const [longitude, latitude] of ring) {
        fine &&= onGrid(longitude) && onGrid(latitude);
        exact[at++] = longitude;
        exact[at++] = latitude;
      }
      this.#ends[i] = at / 2;
    }
    this.#corners = fine ? Int32Array.from(exact, (value) => Math.round(value * FINE)) : exact;
  }

  get corners(): number {
    return this.#corners.length / 2;
  }

  /** Bytes that identify these rings. */
  columns(): Uint8Array[] {
    const own = (column: ArrayBufferView) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    return [own(this.#corners), own(this.#ends)];
  }

  /** Recomputed on each call. */
  unpack(): [longitude: number, latitude: number][][] {
    const corners = this.#corners;
    const scale = corners instanceof Int32Array ? FINE : 1;
    let at = 0;
    return Array.from(this.#ends, (end) =>
      Array.from({ length: end - at }, () => {
        const i = 2 * at++;
        return [corners[i] / scale, corners[i + 1] / scale];
      }),
    );
  }
}

const onGrid = (degrees: number) => Math.round(degrees * FINE) / FINE === degrees;

/** A shape that takes little memory until its rings are requested. */
export class PackedShape implements RegionShape {
  readonly kind: RegionKind;
  readonly rank: RegionRank;
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly state: string;
  readonly dma?: Region["dma"];
  readonly packed: PackedRings;

  constructor({ kind, rank, code, name, country, state, dma }: Region, packed: PackedRings) {
    this.kind = kind;
    this.rank = rank;
    this.code = code;
    this.name = name;
    this.country = country;
    this.state = state;
    if (dma) this.dma = dma;
    this.packed = packed;
  }

  /** Recomputed on each access: read it once. */
  get rings(): Rings {
    return this.packed.unpack();
  }
}

/** Returns the shape with some properties of its region replaced. */
export function changed(shape: RegionShape, more: Partial<Region>): RegionShape {
  return shape instanceof PackedShape
    ? new PackedShape({ ...regionOf(shape), ...more }, shape.packed)
    : { ...shape, ...more };
}

const regionOf = ({ kind, rank, code, name, country, state, dma }: PackedShape): Region => ({
  kind,
  rank,
  code,
  name,
  country,
  state,
  ...(dma && { dma }),
});
