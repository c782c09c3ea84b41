import type { MeetingLabel } from "../../tracking/types/meeting.ts";
import type { SidedRule } from "../meeting.ts";
import type { Pair } from "./member.ts";

/** The pairs in a cell: by key, and by person. */
export class Pairs {
  readonly #pairs = new Map<string, Pair>();
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #labels = new Map<string, MeetingLabel>();
  readonly #changed: (key: string, pair: Pair | undefined) => void;

  /** @param changed stores a pair; undefined: deletes it */
  constructor(changed: (key: string, pair: Pair | undefined) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#pairs.size;
  }

  get all(): Iterable<[string, Pair]> {
    return this.#pairs;
  }

  get(key: string): Pair | undefined {
    return this.#pairs.get(key);
  }

  has(person: string): boolean {
    return this.#keysOf.has(person);
  }

  /** The pairs that a person is in: each with its key and the other person. They may be changed meanwhile. */
  of(person: string): { key: string; pair: Pair; other: string }[] {
    return Array.from(this.#keysOf.get(person) ?? [], (key) => {
      const pair = this.#pairs.get(key) as Pair;
      const [one, two] = pair.persons;
      return { key, pair, other: one === person ? two : one };
    });
  }

  keep(key: string, pair: Pair): void {
    this.#pairs.set(key, pair);
    for (const person of pair.persons) {
      const keys = this.#keysOf.get(person);
      if (keys) keys.add(key);
      else this.#keysOf.set(person, new Set([key]));
    }
    this.#changed(key, pair);
  }

  forget(key: string): void {
    for (const person of this.#pairs.get(key)?.persons ?? []) {
      const keys = this.#keysOf.get(person);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOf.delete(person);
    }
    this.#pairs.delete(key);
    this.#changed(key, undefined);
  }

  /** Each label once in memory. */
  labelOf({ _id, name, radius }: SidedRule): MeetingLabel {
    let label = this.#labels.get(_id);
    if (label?.name !== name || label.radius !== radius) {
      label = { _id, name, radius };
      this.#labels.set(_id, label);
    }
    return label;
  }
}
