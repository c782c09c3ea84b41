import type { OsmNode } from "../../../osm/pbf/element.ts";
import { ExternalSort } from "../../../sort/external-sort.ts";
import { Column } from "./column.ts";
import { effectOf, NO_EFFECT, type NodeEffect, NodeEffects } from "./node-effects.ts";

const NOTHING = new Uint8Array(0);
/** 2^32 divided by the golden ratio: spreads ids that follow one another (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0x9e3779b9;

/**
 * The nodes at which roads are cut: where they meet or end, and where something stands that does something to traffic.
 * Every other node of a road is only a point on its line, and nothing is kept of it.
 *
 *     use        ways name their nodes         ─▶ an external sort of their ids
 *     stands     nodes come by ascending id    ─▶ merged with it: those named twice or more, and those with an effect
 *     junctionOf the junction made at each     ─▶ columns by ascending id, found through a hash table
 */
export class Junctions {
  readonly #sort: ExternalSort;
  #uses: { next(): Use | undefined } | undefined;
  /** The next node of the sort, not yet looked at. */
  #pending: Use | undefined;
  readonly #effects = new NodeEffects();
  readonly #ids = new Column(Float64Array, "nodes where roads meet");
  readonly #effectNumbers = new Column(Uint32Array, "nodes where roads meet");
  /** Hash of an id → place in the columns + 1, in the first free place after it. */
  #table = new Int32Array(0);
  #shift = 0;
  #junctions = new Int32Array(0);

  /** @param path what the files of the sort begin with; @param memory bytes that it may hold */
  constructor({ path, memory }: { path: string; memory: number }) {
    this.#sort = new ExternalSort({ path, memory });
  }

  /** A road uses the node; `times` is 2 where it begins or ends, so that it is cut there. */
  use(id: number, times: number): void {
    for (let i = 0; i < times; i++) this.#sort.add(id, NOTHING);
  }

  /** Data of a node. By ascending id, each node once, and after all uses. */
  stands({ id, tags }: OsmNode): void {
    this.#takeUntil(id);
    if (this.#pending?.id !== id) return;
    const effect = this.#effects.add(effectOf(tags));
    if (this.#pending.times > 1 || effect !== 0) this.#cut(id, effect);
    this.#pending = this.#uses!.next();
  }

  /** Nothing more is said of the nodes; junctions may be selected. */
  finish(): void {
    this.#takeUntil(Number.POSITIVE_INFINITY);
    this.#sort.close();
    const count = this.#ids.length;
    const bits = Math.max(4, Math.ceil(Math.log2(count * 1.4 + 1)));
    this.#shift = 32 - bits;
    this.#table = new Int32Array(2 ** bits);
    for (let i = 0; i < count; i++) {
      let place = this.#placeOf(this.#ids.at(i));
      while (this.#table[place] !== 0) place = (place + 1) & (this.#table.length - 1);
      this.#table[place] = i + 1;
    }
    this.#junctions = new Int32Array(count).fill(-1);
  }

  /** Lets go of the files, when something failed before the end. */
  close(): void {
    this.#sort.close();
  }

  get count(): number {
    return this.#ids.length;
  }

  /** The number of a node among those that are cut, −1 for others. */
  numberOf(id: number): number {
    const mask = this.#table.length - 1;
    for (let place = this.#placeOf(id); this.#table[place] !== 0; place = (place + 1) & mask) {
      const number = this.#table[place] - 1;
      if (this.#ids.at(number) === id) return number;
    }
    return -1;
  }

  effectOf(number: number): NodeEffect {
    const effect = this.#effectNumbers.at(number);
    return effect === 0 ? NO_EFFECT : this.#effects.get(effect);
  }

  /** The junction at a node that is cut, −1 while there is none. */
  junctionAt(number: number): number {
    return number < 0 ? -1 : this.#junctions[number];
  }

  setJunction(number: number, junction: number): void {
    this.#junctions[number] = junction;
  }

  #takeUntil(id: number): void {
    if (!this.#uses) {
      this.#uses = usesOf(this.#sort);
      this.#pending = this.#uses.next();
    }
    while (this.#pending && this.#pending.id < id) {
      if (this.#pending.times > 1) this.#cut(this.#pending.id, 0);
      this.#pending = this.#uses.next();
    }
  }

  #cut(id: number, effect: number): void {
    this.#ids.push(id);
    this.#effectNumbers.push(effect);
  }

  #placeOf(id: number): number {
    return Math.imul((id >>> 0) ^ Math.imul(id / 4294967296, 0x85ebca6b), GOLDEN) >>> this.#shift;
  }
}

/** How often roads use a node. */
interface Use {
  id: number;
  times: number;
}

/** Equal ids of the sort as one. The object is the same each time. */
function usesOf(sort: ExternalSort): { next(): Use | undefined } {
  const sorted = sort.sorted();
  const use = { id: -1, times: 0 };
  let step = sorted.next();
  return {
    next() {
      if (step.done) return undefined;
      use.id = step.value.key;
      use.times = 0;
      while (!step.done && step.value.key === use.id) {
        use.times++;
        step = sorted.next();
      }
      return use;
    },
  };
}
