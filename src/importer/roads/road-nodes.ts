import type { Tags } from "../osm/element.ts";
import { tooMany } from "./column.ts";
import { effectOf, NO_EFFECT, type NodeEffect, NodeEffects } from "./node-effects.ts";

/** States of a node, in two bits; 1: one road passes. Where roads are cut the state is CUT or more. */
const UNUSED = 0;
const CUT = 2;
/** Cut, and something stands there. */
const SPECIAL = 3;

const PER_WORD = 16;
/** Words of states between two entries of the directory. */
const BLOCK = 8;
/** Nodes of one word that are cut have their higher bit set. */
const HIGHER_BITS = 0xaaaaaaaa;

/**
 * What is known of the nodes of an extract as the roads use them, by their number: two bits each, and four bytes for
 * those at which roads are cut.
 *
 *     counting   ways say which nodes they use     unused ─▶ passed ─▶ cut
 *     nodes      what stands at them               passed, cut ─▶ special
 *     cutting    the junction made at each
 */
export class RoadNodes {
  readonly #states: Uint32Array;
  readonly #effects = new NodeEffects();
  /** Special nodes: number × EFFECTS + effect, ascending once frozen. */
  #special = new Float64Array(64);
  #specialCount = 0;
  /** Cut nodes before each block; made when the states are final. */
  #before: Uint32Array | undefined;
  #junctions = new Int32Array(0);

  constructor(size: number) {
    this.#states = new Uint32Array(Math.ceil(size / PER_WORD));
  }

  /** A road uses the node: `more` is 2 where it begins or ends. */
  use(number: number, more: number): void {
    const state = this.#state(number);
    if (state < CUT) this.#setState(number, Math.min(CUT, state + more));
  }

  isCut(number: number): boolean {
    return this.#state(number) >= CUT;
  }

  /** What stands at a node, where roads use it. Each node once. */
  stands(number: number, tags: Tags): void {
    if (this.#state(number) === UNUSED) return;
    const effect = this.#effects.add(effectOf(tags));
    if (effect === 0) return;
    if (effect >= EFFECTS) throw tooMany("different things that stand at roads", EFFECTS);
    this.#setState(number, SPECIAL);
    if (this.#specialCount === this.#special.length) {
      const larger = new Float64Array(this.#special.length * 2);
      larger.set(this.#special);
      this.#special = larger;
    }
    this.#special[this.#specialCount++] = number * EFFECTS + effect;
  }

  /** Nothing more is said of the nodes; junctions may be made. */
  freeze(): void {
    this.#special = this.#special.slice(0, this.#specialCount).sort();
    const before = new Uint32Array(Math.ceil(this.#states.length / BLOCK) + 1);
    let cut = 0;
    for (let word = 0; word < this.#states.length; word++) {
      if (word % BLOCK === 0) before[word / BLOCK] = cut;
      cut += ones(this.#states[word] & HIGHER_BITS);
    }
    this.#before = before;
    this.#junctions = new Int32Array(cut).fill(-1);
  }

  effectOf(number: number): NodeEffect {
    if (this.#state(number) !== SPECIAL) return NO_EFFECT;
    return this.#effects.get(this.#effectNumber(number));
  }

  /** The junction at a node that is cut, or −1 while there is none. */
  junctionOf(number: number): number {
    return number >= 0 && this.isCut(number) ? this.#junctions[this.#rank(number)] : -1;
  }

  setJunction(number: number, junction: number): void {
    this.#junctions[this.#rank(number)] = junction;
  }

  #state(number: number): number {
    return (this.#states[Math.floor(number / PER_WORD)] >>> ((number % PER_WORD) * 2)) & 3;
  }

  #setState(number: number, state: number): void {
    const word = Math.floor(number / PER_WORD);
    const shift = (number % PER_WORD) * 2;
    this.#states[word] = (this.#states[word] & ~(3 << shift)) | (state << shift);
  }

  /** How many nodes before this one are cut. */
  #rank(number: number): number {
    const word = Math.floor(number / PER_WORD);
    const block = Math.floor(word / BLOCK);
    let rank = this.#before![block];
    for (let i = block * BLOCK; i < word; i++) rank += ones(this.#states[i] & HIGHER_BITS);
    const below = 2 ** ((number % PER_WORD) * 2) - 1;
    return rank + ones(this.#states[word] & HIGHER_BITS & below);
  }

  /** Binary search for the entry of the node. */
  #effectNumber(number: number): number {
    let low = 0;
    let high = this.#special.length - 1;
    const end = (number + 1) * EFFECTS;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#special[middle] < end) low = middle;
      else high = middle - 1;
    }
    return this.#special[low] % EFFECTS;
  }
}

/** Different effects there can be: with the node's number they fit the 53 bits of a float. */
const EFFECTS = 2 ** 20;

/** How many bits are set (Warren 2012, Hacker's Delight, figure 5–2). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
