import type { Random } from "../insertion.ts";
import { Exchange } from "./exchange.ts";
import type { PenalizedTours } from "./penalized-tours.ts";
import { MIN_GAIN, Reordering } from "./reordering.ts";
import { StopQueue } from "./stop-queue.ts";

/** The longest piece that is moved or exchanged. */
const MAX_LENGTH = 3;
const MAX_CHANGES_PER_STOP = 100;
/** Work of looking at a pair of stops, in stops passed. */
const LOOK = 1;

/**
 * Local search on penalized tours: a piece of up to three stops moves after a stop, also reversed, or changes places with
 * another piece; two routes exchange their ends (2-opt*); a piece is reversed. Tried only around stops that are near
 * each other. Lateness and load of changed routes follow from a few stops (Vidal et al. 2013, "A hybrid genetic algorithm with
 * adaptive diversity management for a large class of vehicle routing problems with time-windows").
 */
export class Descent {
  readonly #tours: PenalizedTours;
  readonly #random: Random;
  readonly #fixed: number;
  readonly #queue: StopQueue;
  readonly #exchange: Exchange;
  readonly #reordering: Reordering;

  /** `fixed`: the cost of using a vehicle. */
  constructor(tours: PenalizedTours, random: Random, fixed: number) {
    this.#tours = tours;
    this.#random = random;
    this.#fixed = fixed;
    this.#queue = new StopQueue(tours.fleet.stops);
    this.#reordering = new Reordering(tours, this.#queue);
    this.#exchange = new Exchange(tours, this.#queue, this.#reordering, fixed);
  }

  /**
   * Improves until no change is left around the stops that are looked at: these (by stop, 1; all if undefined) and those next to a
   * change.
   */
  run(isOpen?: Uint8Array): void {
    const tours = this.#tours;
    const { stops } = tours.fleet;
    const queue = this.#queue;
    queue.fill(isOpen, this.#random);
    // Changes that save no more than rounding could follow each other forever.
    let left = MAX_CHANGES_PER_STOP * stops;
    while (queue.waiting > 0 && left > 0) {
      const u = queue.take();
      if (this.#lookAround(u)) {
        queue.add(u);
        left--;
      }
      const empty = tours.count.indexOf(0);
      if (empty < 0) continue;
      const start = tours.start(empty);
      if (this.#tryAfter(u, start) || (tours.next[u] < stops && this.#exchange.swapEnds(u, start))) {
        queue.add(u);
        left--;
      }
    }
  }

  #tryAfter(u: number, v: number): boolean {
    for (let m = 1; m <= MAX_LENGTH; m++) {
      if (this.#exchange.exchange(u, m, v, 0, false)) return true;
      if (m > 1 && this.#exchange.exchange(u, m, v, 0, true)) return true;
    }
    return false;
  }

  /**
   * Tries the changes of a stop and its neighbors. Most changes cost more than they can save in penalties: these are rejected here,
   * by a few numbers, because this happens most often.
   */
  #lookAround(u: number): boolean {
    const tours = this.#tours;
    const exchange = this.#exchange;
    const { next, prev, place, routeOf, penalty, count, position, fleet, late, lateBefore, lateAfter } = tours;
    const { cost, stops } = fleet;
    const weight = tours.penalties.late;
    const places = stops + 1;
    const near = fleet.near(u);
    const fixed = this.#fixed;
    let improved = false;
    let isStale = true;
    // The piece of 1, 2 and 3 stops from u on: its last stop, the costs of taking it out, and what that saves in lateness and in all
    // penalties.
    let one = 0;
    let before = 0;
    let u1 = 0;
    let u2 = 0;
    let u3 = 0;
    let at = 0;
    let after1 = 0;
    let after2 = 0;
    let after3 = 0;
    let in1 = 0;
    let in2 = 0;
    let in3 = 0;
    let out1 = 0;
    let out2 = 0;
    let out3 = 0;
    let turn2 = 0;
    let turn3 = 0;
    let own = 0;
    let bonus = 0;
    let late1 = 0;
    let late2 = 0;
    let late3 = 0;
    let own1 = 0;
    let own2 = 0;
    let own3 = 0;
    let ownEnd = 0;
    let isPair = false;
    let isTriple = false;
    for (let j = 0; j < near.length; j++) {
      const v = near[j];
      const two = routeOf[v];
      if (two < 0) continue;
      if (isStale) {
        isStale = false;
        one = routeOf[u];
        before = prev[u];
        at = place[before] * places;
        u1 = next[u];
        after1 = place[u1];
        in1 = cost[at + u];
        out1 = cost[at + after1] - in1 - cost[u * places + after1];
        bonus = (fixed > 0 && count[one] <= MAX_LENGTH ? fixed : 0) - MIN_GAIN;
        const theirs = penalty[one];
        const isLate = late[one] > 0;
        own = theirs + bonus;
        ownEnd = theirs + bonus - weight * lateBefore[u];
        late1 = late2 = late3 = -MIN_GAIN;
        own1 = own2 = own3 = bonus;
        if (theirs > 0) {
          if (isLate) late1 = weight * (late[one] - exchange.lateWithout(before, u1)) - MIN_GAIN;
          own1 = late1 + exchange.lighter(one, u, 1) + bonus + MIN_GAIN;
        }
        isPair = u1 < stops;
        isTriple = false;
        if (isPair) {
          u2 = next[u1];
          after2 = place[u2];
          in2 = cost[u1 * places + after2];
          out2 = cost[at + after2] - in1 - in2;
          turn2 = cost[u1 * places + u] - cost[u * places + u1];
          if (theirs > 0) {
            if (isLate) late2 = weight * (late[one] - exchange.lateWithout(before, u2)) - MIN_GAIN;
            own2 = late2 + exchange.lighter(one, u, 2) + bonus + MIN_GAIN;
          }
          isTriple = u2 < stops;
          if (isTriple) {
            u3 = next[u2];
            after3 = place[u3];
            in3 = cost[u2 * places + after3];
            out3 = cost[at + after3] - in1 - in3;
            turn3 = turn2 + cost[u2 * places + u1] - cost[u1 * places + u2];
            if (theirs > 0) {
              if (isLate) late3 = weight * (late[one] - exchange.lateWithout(before, u3)) - MIN_GAIN;
              own3 = late3 + exchange.lighter(one, u, 3) + bonus + MIN_GAIN;
            }
          }
        }
      }
      const isWithin = one === two;
      const w = next[v];
      const p = prev[v];
      // What taking v out of the other route saves in penalties. To insert a stop never saves, if a detour takes longer.
      let other = 0;
      if (!isWithin && penalty[two] > 0) {
        other = exchange.lighter(two, v, 1);
        if (late[two] > 0) other += weight * (late[two] - exchange.lateWithout(p, w));
      }
      let swap1 = own1 + other;
      let swap2 = own2 + other;
      if (isWithin) {
        // Lateness before and after both pieces remains.
        const remains =
          own === bonus
            ? 0
            : position[u] < position[v]
              ? lateBefore[before] + lateAfter[w]
              : lateBefore[p] + lateAfter[u1];
        swap1 = own - weight * remains;
        swap2 = own;
      }
      const most1 = isWithin ? late1 : own1;
      const most2 = isWithin ? late2 : own2;
      const most3 = isWithin ? late3 : own3;
      const from = v * places;
      const to = place[w];
      const link = cost[from + to];
      const toU = cost[from + u];
      let done = false;
      if (out1 + toU + cost[u * places + to] - link < most1) done = exchange.exchange(u, 1, v, 0, false);
      if (!done && isPair) {
        if (out2 + toU + cost[u1 * places + to] - link < most2) done = exchange.exchange(u, 2, v, 0, false);
        if (!done && out2 + turn2 + cost[from + u1] + cost[u * places + to] - link < most2)
          done = exchange.exchange(u, 2, v, 0, true);
        if (!done && isTriple) {
          if (out3 + toU + cost[u2 * places + to] - link < most3) done = exchange.exchange(u, 3, v, 0, false);
          if (!done && out3 + turn3 + cost[from + u2] + cost[u * places + to] - link < most3)
            done = exchange.exchange(u, 3, v, 0, true);
        }
      }
      const beforeV = place[p] * places;
      const intoV = cost[beforeV + v];
      const intoU = cost[beforeV + u];
      const putV = cost[at + v];
      if (!done) {
        const outV = -intoV - link;
        if (putV + cost[from + after1] - in1 - cost[u * places + after1] + intoU + cost[u * places + to] + outV < swap1)
          done = exchange.exchange(u, 1, v, 1, false);
        if (!done && isPair) {
          if (putV + cost[from + after2] - in1 - in2 + intoU + cost[u1 * places + to] + outV < swap2)
            done = exchange.exchange(u, 2, v, 1, false);
          if (!done && w < stops) {
            const x = place[next[w]];
            const outW = -intoV - cost[w * places + x];
            if (
              putV + cost[w * places + after2] - in1 - in2 + intoU + cost[u1 * places + x] + outW <
              (isWithin ? own : own2 + penalty[two])
            )
              done = exchange.exchange(u, 2, v, 2, false);
          }
        }
      }
      if (!done) {
        if (!isWithin) {
          if (
            fixed > 0 ||
            cost[u * places + v] + cost[beforeV + after1] - cost[u * places + after1] - intoV <
              ownEnd + penalty[two] - weight * (lateAfter[v] + lateBefore[p] + lateAfter[u1])
          )
            done = exchange.swapEnds(u, p);
        } else if (position[u] + 1 < position[v]) {
          // The inner links are unknown here: those of most matrices are alike in both directions.
          done = this.#reordering.reverse(u, v);
        }
      }
      if (!done && p >= stops) done = this.#tryAfter(u, p);
      if (done) {
        improved = true;
        isStale = true;
      }
    }
    tours.passed += LOOK * near.length;
    return improved;
  }
}
