import { TOWNSHIP } from "./layout.ts";
import type { PlanPoint } from "./plane.ts";

/** Side of a square of ground that is occupied or free [metres]. */
const GRAIN = 4;
const ACROSS = Math.ceil(TOWNSHIP / GRAIN) + 2;

/** The occupied ground of a township, so that houses are next to streets and not on them, nor in each other. */
export class Ground {
  readonly #taken = new Uint8Array(ACROSS * ACROSS);
  readonly #u0: number;
  readonly #v0: number;

  constructor(centre: PlanPoint) {
    this.#u0 = centre[0] - TOWNSHIP / 2 - GRAIN;
    this.#v0 = centre[1] - TOWNSHIP / 2 - GRAIN;
  }

  /** Takes a band along a line, `halfWidth` metres to each side. */
  takeLine(points: readonly PlanPoint[], halfWidth: number): void {
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1], points[i]];
      const steps = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / GRAIN));
      for (let k = 0; k <= steps; k++) {
        const u = a[0] + ((b[0] - a[0]) * k) / steps;
        const v = a[1] + ((b[1] - a[1]) * k) / steps;
        this.takeBox(u - halfWidth, v - halfWidth, u + halfWidth, v + halfWidth);
      }
    }
  }

  takeBox(u0: number, v0: number, u1: number, v1: number): void {
    for (let row = this.#index(v0, this.#v0); row <= this.#index(v1, this.#v0); row++) {
      const start = row * ACROSS;
      this.#taken.fill(1, start + this.#index(u0, this.#u0), start + this.#index(u1, this.#u0) + 1);
    }
  }

  /** Takes a quadrilateral if all of it is free, and says whether it was. */
  claim(corners: readonly PlanPoint[]): boolean {
    const cells: number[] = [];
    const [a, b, , d] = corners;
    const across = Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / (GRAIN * 0.75));
    const along = Math.ceil(Math.hypot(d[0] - a[0], d[1] - a[1]) / (GRAIN * 0.75));
    for (let i = 0; i <= across; i++) {
      for (let k = 0; k <= along; k++) {
        const u = a[0] + ((b[0] - a[0]) * i) / across + ((d[0] - a[0]) * k) / along;
        const v = a[1] + ((b[1] - a[1]) * i) / across + ((d[1] - a[1]) * k) / along;
        const cell = this.#index(v, this.#v0) * ACROSS + this.#index(u, this.#u0);
        if (this.#taken[cell] !== 0) return false;
        cells.push(cell);
      }
    }
    for (const cell of cells) this.#taken[cell] = 1;
    return true;
  }

  #index(x: number, origin: number): number {
    return Math.max(0, Math.min(ACROSS - 1, Math.floor((x - origin) / GRAIN)));
  }
}
