import { internedTexts } from "../../geo/interned.ts";
import type { LayerInput } from "../layer.ts";
import type { OsmElement } from "../osm/element.ts";

const TYPES = ["node", "way", "relation"] as const;

/** The streets of houses by the relations `associatedStreet` and `street` they are members of: 12 bytes a member. */
export class MemberStreets {
  #keys = new Float64Array(1024);
  #streets = new Uint32Array(1024);
  #count = 0;
  readonly #names = internedTexts();

  static async of(input: LayerInput): Promise<MemberStreets> {
    const made = new MemberStreets();
    await input.scan({
      relation({ tags, members }) {
        if (tags.type !== "associatedStreet" && tags.type !== "street") return;
        const name = tags.name ?? tags["addr:street"];
        if (!name) return;
        for (const { type, ref, role } of members) {
          if (role === "house" || role === "address" || role === "") made.#add(keyOf(type, ref), name);
        }
      },
    });
    made.#sort();
    return made;
  }

  /** Where two relations name a street, the later one counts. */
  of(type: OsmElement["type"], id: number): string | undefined {
    const key = keyOf(type, id);
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle] <= key) low = middle + 1;
      else high = middle;
    }
    return low > 0 && this.#keys[low - 1] === key ? this.#names.values[this.#streets[low - 1]] : undefined;
  }

  #add(key: number, name: string): void {
    if (this.#count === this.#keys.length) {
      const keys = new Float64Array(2 * this.#count);
      const streets = new Uint32Array(2 * this.#count);
      keys.set(this.#keys);
      streets.set(this.#streets);
      [this.#keys, this.#streets] = [keys, streets];
    }
    this.#keys[this.#count] = key;
    this.#streets[this.#count++] = this.#names.add(name);
  }

  #sort(): void {
    const { length } = this.#keys.subarray(0, this.#count);
    const order = new Uint32Array(length).map((_, i) => i).sort((a, b) => this.#keys[a] - this.#keys[b] || a - b);
    this.#keys = Float64Array.from(order, (i) => this.#keys[i]);
    this.#streets = Uint32Array.from(order, (i) => this.#streets[i]);
  }
}

const keyOf = (type: OsmElement["type"], id: number) => id * TYPES.length + TYPES.indexOf(type);
