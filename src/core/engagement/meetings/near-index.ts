import type { Coordinate } from "../../geo/coordinate.ts";
import { EARTH_RADIUS, RADIANS } from "../../geo/distance.ts";

/** Cubes on each side of the middle of the Earth, and their shortest edge [m]. */
const [OFFSET, MIN_EDGE] = [2 ** 15, 200];

/** An item at a point of the sphere [m], in a cube. */
interface Entry<T> {
  item: T;
  x: number;
  y: number;
  z: number;
  cube: number;
  /** Its place in the list of the cube. */
  place: number;
}

/** Points on the sphere as vectors in cubes: neither poles nor the 180th meridian are special. */
export class NearIndex<T extends object> {
  readonly reach: number;
  readonly #edge: number;
  readonly #cubes = new Map<number, Entry<T>[]>();
  readonly #entries = new Map<T, Entry<T>>();

  /** @param reach maximum distance of a search [m] */
  constructor(reach: number) {
    this.reach = reach;
    this.#edge = Math.max(MIN_EDGE, reach);
  }

  set(item: T, at: Coordinate): void {
    const [x, y, z] = vectorOf(at);
    const cube = keyOf(Math.floor(x / this.#edge), Math.floor(y / this.#edge), Math.floor(z / this.#edge));
    const before = this.#entries.get(item);
    if (before?.cube === cube) {
      Object.assign(before, { x, y, z });
      return;
    }
    if (before) this.#remove(before);
    const entries = this.#cubes.get(cube) ?? [];
    const entry = { item, x, y, z, cube, place: entries.length };
    entries.push(entry);
    this.#cubes.set(cube, entries);
    this.#entries.set(item, entry);
  }

  delete(item: T): void {
    const entry = this.#entries.get(item);
    if (!entry) return;
    this.#remove(entry);
    this.#entries.delete(item);
  }

  /** The last entry of the cube takes its place. */
  #remove({ cube, place }: Entry<T>): void {
    const entries = this.#cubes.get(cube) as Entry<T>[];
    const last = entries.pop() as Entry<T>;
    if (place < entries.length) {
      entries[place] = last;
      last.place = place;
    }
    if (entries.length === 0) this.#cubes.delete(cube);
  }

  /**
   * Calls `visit` with each item within reach [m] and its distance through the Earth, which is at most that on it, until it returns true.
   * A chord is shorter than its arc, so nothing within reach is more than one cube away.
   */
  around(at: Coordinate, reach: number, visit: (item: T, chord: number) => boolean | undefined): void {
    const [px, py, pz] = vectorOf(at);
    const [i, j, k] = [px, py, pz].map((value) => Math.floor(value / this.#edge));
    const limit = reach * reach;
    for (let x = i - 1; x <= i + 1; x++)
      for (let y = j - 1; y <= j + 1; y++)
        for (let z = k - 1; z <= k + 1; z++) {
          const entries = this.#cubes.get(keyOf(x, y, z));
          for (let n = 0; n < (entries?.length ?? 0); n++) {
            const entry = (entries as Entry<T>[])[n];
            const square = (entry.x - px) ** 2 + (entry.y - py) ** 2 + (entry.z - pz) ** 2;
            if (square <= limit && visit(entry.item, Math.sqrt(square))) return;
          }
        }
  }
}

function vectorOf({ latitude, longitude }: Coordinate): [number, number, number] {
  const ring = Math.cos(latitude * RADIANS) * EARTH_RADIUS;
  return [
    ring * Math.cos(longitude * RADIANS),
    ring * Math.sin(longitude * RADIANS),
    Math.sin(latitude * RADIANS) * EARTH_RADIUS,
  ];
}

const keyOf = (x: number, y: number, z: number) =>
  ((x + OFFSET) * 2 * OFFSET + (y + OFFSET)) * 2 * OFFSET + (z + OFFSET);
