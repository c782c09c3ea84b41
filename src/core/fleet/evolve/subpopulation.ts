import type { Random } from "../insertion.ts";
import type { Individual } from "./edge-assembly.ts";

/** An individual with its violations. */
export interface Member extends Individual {
  late: number;
  overload: number;
  /** Cost with the current penalties. */
  penalized: number;
  /** From 0, the best, on: by cost and by its contribution to diversity. */
  fitness: number;
  /** Share of links that differ, by other members of the same subpopulation; the smallest, ascending. */
  differences: Map<Member, number>;
  nearest: Float64Array;
}

/** Members that remain when there are too many, and how many are too many. */
const MIN_MEMBERS = 25;
const MAX_MEMBERS = 65;
/** Best members whose cost counts more than their diversity. */
const ELITE = 4;
/** Nearest members that diversity is measured with. */
const CLOSE = 5;
/** Instead of the difference from a member that does not exist. */
const FAR = 2;

export const noNearest = (): Float64Array => new Float64Array(CLOSE).fill(FAR);

/**
 * Members that are all feasible, or none is. Survivors are those with a low cost that differ from others (Vidal et al. 2012, "A hybrid
 * genetic algorithm for multidepot and periodic vehicle routing problems").
 */
export class Subpopulation {
  readonly members: Member[] = [];
  readonly #rank: (member: Member) => number;
  #isWeighed = false;

  constructor(rank: (member: Member) => number) {
    this.#rank = rank;
  }

  /** @returns the number of comparisons of two members */
  add(member: Member): number {
    for (const other of this.members) {
      const difference = differenceOf(member, other);
      member.differences.set(other, difference);
      other.differences.set(member, difference);
      note(member.nearest, difference);
      note(other.nearest, difference);
    }
    this.members.push(member);
    this.#isWeighed = false;
    const compared = this.members.length;
    if (this.members.length > MAX_MEMBERS) while (this.members.length > MIN_MEMBERS) this.#removeWorst();
    return compared;
  }

  /** The costs of members have changed. */
  changed(): void {
    this.#isWeighed = false;
  }

  /** Sets the fitness of all members. */
  weigh(): void {
    const { members } = this;
    const size = members.length;
    if (this.#isWeighed || size === 0) return;
    this.#isWeighed = true;
    const order = new Float64Array(size);
    const rank = (keyOf: (member: Member) => number, weight: number) => {
      const keys = members.map(keyOf);
      for (let i = 0; i < size; i++) order[i] = i;
      order.sort((a, b) => keys[a] - keys[b]);
      for (let i = 0; i < size; i++) members[order[i]].fitness += (weight * i) / size;
    };
    for (const member of members) member.fitness = 0;
    rank((member) => -closeness(member), Math.max(0, 1 - ELITE / size));
    rank(this.#rank, 1);
  }

  /** Removes a copy of another member, or the least fit. */
  #removeWorst(): void {
    this.weigh();
    const { members } = this;
    let best = members[0];
    for (const member of members) if (this.#rank(member) < this.#rank(best)) best = member;
    let [worst, isCopy] = [-1, false];
    members.forEach((member, i) => {
      if (member === best) return;
      const copy = member.nearest[0] === 0;
      if (worst < 0 || (copy && !isCopy) || (copy === isCopy && member.fitness > members[worst].fitness)) {
        worst = i;
        isCopy = copy;
      }
    });
    const [removed] = members.splice(worst, 1);
    this.#isWeighed = false;
    for (const other of members) {
      const difference = other.differences.get(removed) as number;
      other.differences.delete(removed);
      if (difference > other.nearest[CLOSE - 1]) continue;
      other.nearest.fill(FAR);
      for (const one of other.differences.values()) note(other.nearest, one);
    }
  }
}

/** The fitter of two random members. */
export function fitterOf(populations: readonly Subpopulation[], random: Random): Member {
  for (const population of populations) population.weigh();
  const one = drawn(populations, random);
  const other = drawn(populations, random);
  return one.fitness <= other.fitness ? one : other;
}

function drawn(populations: readonly Subpopulation[], random: Random): Member {
  let at = Math.floor(random() * populations.reduce((sum, { members }) => sum + members.length, 0));
  for (const { members } of populations) {
    if (at < members.length) return members[at];
    at -= members.length;
  }
  throw new Error("a population without members");
}

/** Mean difference from the nearest members. */
function closeness({ differences, nearest }: Member): number {
  const count = Math.min(CLOSE, differences.size);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += nearest[i];
  return count > 0 ? sum / count : 1;
}

/** Adds a difference to the smallest ones, if it is one of them. */
function note(nearest: Float64Array, difference: number): void {
  let i = CLOSE - 1;
  if (difference >= nearest[i]) return;
  for (; i > 0 && nearest[i - 1] > difference; i--) nearest[i] = nearest[i - 1];
  nearest[i] = difference;
}

/** Share of stops after or before which another stop comes. */
function differenceOf(a: Individual, b: Individual): number {
  const { next, prev } = a;
  const stops = next.length;
  let different = 0;
  for (let stop = 0; stop < stops; stop++) {
    if (next[stop] !== b.next[stop]) different++;
    if (prev[stop] === stops && b.prev[stop] !== stops) different++;
  }
  return different / stops;
}
