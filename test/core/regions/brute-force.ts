import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { GRID } from "../../../src/core/regions/crossing.ts";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";

/** Edges of one ring walked in one piece, by bands of latitude, and how far they reach. */
interface Banded {
  bands: Map<number, number[][]>;
  west: number;
  east: number;
}

/** A ring walked in one piece may lie whole turns away from a point. */
const TURNS = [-720, -360, 0, 360, 720];
const BANDS_PER_DEGREE = 20;

/**
 * Point in region the plain way, to compare the tiles with: a ray to the east through every edge of every ring (even-odd),
 * no cells and no carried-over sides. A ring round a pole is closed along that pole.
 */
export class BruteForce {
  /** Rings by band of latitude. */
  readonly #rings = new Map<number, { shape: number; edges: number[][]; west: number; east: number }[]>();
  readonly #shapes: readonly RegionShape[];

  constructor(shapes: readonly RegionShape[]) {
    this.#shapes = shapes;
    shapes.forEach(({ rings }, shape) => {
      for (const ring of rings) {
        if (ring.length < 3) continue;
        const { bands, west, east } = banded(ring);
        for (const [band, edges] of bands) {
          const known = this.#rings.get(band);
          if (known) known.push({ shape, edges, west, east });
          else this.#rings.set(band, [{ shape, edges, west, east }]);
        }
      }
    });
  }

  /** Names (or codes) of the regions that hold the point, sorted. */
  regionsAt({ latitude, longitude }: Coordinate): string[] {
    const inside = new Set<number>();
    for (const { shape, edges, west, east } of this.#rings.get(Math.floor(latitude * BANDS_PER_DEGREE)) ?? []) {
      for (const turn of TURNS) {
        const x = longitude + turn;
        if (x < west || x > east) continue;
        let odd = false;
        for (const [x1, y1, x2, y2] of edges) {
          if (y1 > latitude !== y2 > latitude && x1 + ((latitude - y1) * (x2 - x1)) / (y2 - y1) > x) odd = !odd;
        }
        if (odd && !inside.delete(shape)) inside.add(shape);
      }
    }
    return [...inside].map((shape) => label(this.#shapes[shape])).sort();
  }
}

export const label = ({ kind, country, code, name }: { kind: string; country: string; code: string; name: string }) =>
  `${kind} ${country} ${code} ${name}`;

const round = (degrees: number) => Math.round(degrees * GRID) / GRID;

function banded(ring: readonly (readonly number[])[]): Banded {
  const corners: number[][] = [];
  let x = round(ring[0][0]);
  for (const corner of [...ring, ring[0]]) {
    let step = (round(corner[0]) - x) % 360;
    if (step > 180) step -= 360;
    if (step < -180) step += 360;
    x += step;
    corners.push([x, round(corner[1])]);
  }
  const turned = x - corners[0][0];
  if (Math.abs(turned) > 180) {
    const pole = corners.reduce((sum, [, y]) => sum + y, 0) < 0 ? -90 : 90;
    corners.push([x, pole], [corners[0][0], pole], corners[0]);
  }
  const bands = new Map<number, number[][]>();
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < corners.length; i++) {
    const [x1, y1] = corners[i - 1];
    const [x2, y2] = corners[i];
    west = Math.min(west, x1);
    east = Math.max(east, x1);
    const low = Math.floor(Math.min(y1, y2) * BANDS_PER_DEGREE);
    const high = Math.floor(Math.max(y1, y2) * BANDS_PER_DEGREE);
    for (let band = low; band <= high; band++) {
      const edges = bands.get(band) ?? [];
      edges.push([x1, y1, x2, y2]);
      bands.set(band, edges);
    }
  }
  return { bands, west, east };
}

/** Mulberry32 (Ettinger 2017): the same numbers from the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Half of the points anywhere on the sphere, half within some hundred metres to kilometres of a border. */
export function* testPoints(shapes: readonly RegionShape[], count: number, seed: number): Generator<Coordinate> {
  const random = randomFrom(seed);
  const rings = shapes.flatMap((shape) => shape.rings).filter((ring) => ring.length >= 3);
  for (let i = 0; i < count; i++) {
    let longitude = random() * 360 - 180;
    let latitude = (Math.asin(2 * random() - 1) * 180) / Math.PI;
    if (i % 2 === 1) {
      const ring = rings[Math.floor(random() * rings.length)];
      const corner = ring[Math.floor(random() * ring.length)];
      const spread = 10 ** (-4 * random());
      longitude = ((((corner[0] + (random() - 0.5) * spread + 180) % 360) + 360) % 360) - 180;
      latitude = Math.max(-90, Math.min(90, corner[1] + (random() - 0.5) * spread));
    }
    yield { latitude, longitude };
  }
}
