import type { LayerInput } from "../layer.ts";
import type { Tags } from "../osm/element.ts";

/** The nodes that interpolation lines run through, in columns: 8 bytes each, and the tags of those with a number. */
export class InterpolationEnds {
  readonly #ids: Float64Array;
  readonly #tags = new Map<number, Tags>();

  private constructor(ids: Float64Array) {
    this.#ids = ids;
  }

  static async of(input: LayerInput): Promise<InterpolationEnds> {
    let ids = new Float64Array(1024);
    let count = 0;
    await input.scan({
      way(way) {
        if (!way.tags["addr:interpolation"]) return;
        for (const ref of way.refs) {
          if (count === ids.length) {
            const larger = new Float64Array(2 * count);
            larger.set(ids);
            ids = larger;
          }
          ids[count++] = ref;
        }
      },
    });
    return new InterpolationEnds(ids.slice(0, count).sort());
  }

  has(node: number): boolean {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ids[middle] < node) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === node;
  }

  /** Keeps what the line needs to know of a node that the scan has reached. */
  see(node: number, tags: Tags): void {
    if (tags["addr:housenumber"] === undefined || !this.has(node)) return;
    const kept = Object.entries(tags).filter(([key]) => key.startsWith("addr:"));
    this.#tags.set(node, Object.fromEntries(kept));
  }

  /** Undefined for a node without a number. */
  tagsOf(node: number): Tags | undefined {
    return this.#tags.get(node);
  }
}
