import type { Penalties } from "./penalized-tours.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

/** Share of children that should have no violation of one kind (Vidal et al. 2013). */
const TARGET = 0.43;
const TOLERANCE = 0.05;
/** How penalties are adapted to it, and after how many children. */
const RAISE = 1.2;
const LOWER = 0.85;
const CHILDREN_PER_ADAPTATION = 50;
/** Penalties at the beginning, in mean costs of a second and of a load. */
const FIRST_PENALTY = 2;
/** Bounds of their adaptation: beyond, rounding would decide. */
const MAX_SCALE = 1000;

/** Adapts penalties so that the intended share of children is feasible. */
export class PenaltyControl {
  penalties: Penalties;
  readonly #first: Penalties;
  #children = 0;
  #inTime = 0;
  #withinCapacity = 0;

  /** `way`: mean cost of a way between two stops. `rate`: mean cost of a second of driving. */
  constructor({ load }: UniformFleet, way: number, rate: number) {
    const largest = load.reduce((most, one) => Math.max(most, one), 0);
    this.#first = { load: largest > 0 ? (FIRST_PENALTY * way) / largest : 1, late: FIRST_PENALTY * rate };
    this.penalties = this.#first;
  }

  /** Starts again for a new population. */
  reset(): void {
    this.penalties = this.#first;
    this.#children = this.#inTime = this.#withinCapacity = 0;
  }

  penalize(cost: number, late: number, overload: number): number {
    return cost + this.penalties.late * late + this.penalties.load * overload;
  }

  /** Counts a child. `isAdapted`: the penalties have changed. */
  count({ late, overload }: { late: number; overload: number }): { isAdapted: boolean } {
    this.#children++;
    if (late === 0) this.#inTime++;
    if (overload === 0) this.#withinCapacity++;
    if (this.#children < CHILDREN_PER_ADAPTATION) return { isAdapted: false };
    const adapted = (now: number, first: number, share: number) => {
      const factor = share < TARGET - TOLERANCE ? RAISE : share > TARGET + TOLERANCE ? LOWER : 1;
      return Math.min(first * MAX_SCALE, Math.max(first / MAX_SCALE, now * factor));
    };
    this.penalties = {
      late: adapted(this.penalties.late, this.#first.late, this.#inTime / this.#children),
      load: adapted(this.penalties.load, this.#first.load, this.#withinCapacity / this.#children),
    };
    this.#children = this.#inTime = this.#withinCapacity = 0;
    return { isAdapted: true };
  }
}
