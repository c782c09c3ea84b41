import type { NewEntry } from "../../../core/geocoding/index/names-tile.ts";
import type { HeadBuilder } from "../../../core/geocoding/index/pack-head.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";

/** Entries of the world base, which go to the head one by one. */
export class WorldEntries {
  readonly #head: HeadBuilder;
  readonly #areas = new Set<string>();
  readonly #countries = new Set<string>();
  #count = 0;

  constructor(head: HeadBuilder) {
    this.#head = head;
  }

  entry(entry: NewEntry): void {
    this.#head.add(entry, this.#count++);
    const { kind, name, names = [], aliases = [], context } = entry;
    if (kind !== "state" && kind !== "country") return;
    for (const one of [name, ...[...names, ...aliases].map(([, other]) => other)])
      this.#areas.add(`${context.countryCode} ${fold(one)}`);
    if (kind === "country") this.#countries.add(fold(name));
  }

  /** Is there a state of this name so far, or a country: the middle of the Philippines is in the sea? */
  hasArea(country: string, name: string): boolean {
    return this.#areas.has(`${country} ${fold(name)}`) || this.#countries.has(fold(name));
  }
}
