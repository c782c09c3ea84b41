import type { Tags } from "../../../osm/pbf/element.ts";
import { conditionsIn } from "./conditional.ts";

/** Different texts that are counted one by one. */
const MAX_TEXTS = 10_000;

/** Conditions of roads, barriers and restrictions that are not understood, and how often each occurs. */
export class SkippedConditions {
  readonly #counts = new Map<string, number>();
  total = 0;

  /** The most frequent ones, at most so many. */
  most(count: number): [text: string, count: number][] {
    const order = ([a, ofA]: [string, number], [b, ofB]: [string, number]) => ofB - ofA || (a < b ? -1 : 1);
    return [...this.#counts].sort(order).slice(0, count);
  }

  /** `isRead`: of the keys that matter, without the suffix. */
  add(tags: Tags, isRead: (key: string) => boolean): void {
    conditionsIn(tags, isRead, (text) => {
      this.total++;
      const known = this.#counts.get(text);
      if (known !== undefined || this.#counts.size < MAX_TEXTS) this.#counts.set(text, (known ?? 0) + 1);
    });
  }
}
