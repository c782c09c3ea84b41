import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { internedTexts } from "../../../../core/geo/bytes/interned.ts";
import { firstAtLeast, lastIndexOf } from "../../../common/sorted-numbers.ts";
import type { LayerInput } from "../../../frame/layer.ts";
import type { OsmElement } from "../../../osm/pbf/element.ts";
import { shared } from "./surroundings.ts";

const TYPES = ["node", "way", "relation"] as const;

/** Columns that all threads see: 12 bytes a member, by ascending key. */
export interface SharedStreets {
  keys: Float64Array;
  /** By member: which of the names. */
  numbers: Uint32Array;
  /** Each with its length in front. */
  names: Uint8Array;
}

/** The streets of houses by the relations `associatedStreet` and `street` they are members of. */
export class MemberStreets {
  readonly #keys: Float64Array;
  readonly #numbers: Uint32Array;
  readonly #names: readonly string[];

  constructor({ keys, numbers, names }: SharedStreets) {
    this.#keys = keys;
    this.#numbers = numbers;
    this.#names = textsIn(names);
  }

  /** Where two relations name a street, the later one counts. */
  of(type: OsmElement["type"], id: number): string | undefined {
    const at = lastIndexOf(this.#keys, keyOf(type, id));
    return at < 0 ? undefined : this.#names[this.#numbers[at]];
  }

  /** All that is said of elements with these ids, as a text. */
  between(first: number, last: number): string {
    const lines: string[] = [];
    const end = keyOf("node", last + 1);
    let at = Math.max(0, firstAtLeast(this.#keys, keyOf("node", first)));
    for (; at < this.#keys.length && this.#keys[at] < end; at++)
      lines.push(`${this.#keys[at]} ${this.#names[this.#numbers[at]]}`);
    return lines.join("\n");
  }
}

export async function memberStreets(input: LayerInput): Promise<SharedStreets> {
  let keys = new Float64Array(1024);
  let streets = new Uint32Array(1024);
  let count = 0;
  const names = internedTexts();
  const add = (key: number, name: string) => {
    if (count === keys.length) {
      const [moreKeys, moreStreets] = [new Float64Array(2 * count), new Uint32Array(2 * count)];
      moreKeys.set(keys);
      moreStreets.set(streets);
      [keys, streets] = [moreKeys, moreStreets];
    }
    keys[count] = key;
    streets[count++] = names.add(name);
  };
  await input.scan({
    relation({ tags, members }) {
      if (tags.type !== "associatedStreet" && tags.type !== "street") return;
      const name = tags.name ?? tags["addr:street"];
      if (!name) return;
      for (const { type, ref, role } of members) {
        if (role === "house" || role === "address" || role === "") add(keyOf(type, ref), name);
      }
    },
  });
  const order = new Uint32Array(count).map((_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
  const made = {
    keys: new Float64Array(new SharedArrayBuffer(8 * count)),
    numbers: new Uint32Array(new SharedArrayBuffer(4 * count)),
    names: shared(bytesOf(names.values)),
  };
  for (const [at, from] of order.entries()) {
    made.keys[at] = keys[from];
    made.numbers[at] = streets[from];
  }
  return made;
}

const keyOf = (type: OsmElement["type"], id: number) => id * TYPES.length + TYPES.indexOf(type);

function bytesOf(texts: readonly string[]): Uint8Array {
  const out = new ByteWriter();
  for (const text of texts) out.text(text);
  return out.view();
}

function textsIn(bytes: Uint8Array): string[] {
  // A copy: texts are not decoded from shared memory everywhere.
  const reader = new ByteReader(new Uint8Array(bytes));
  const texts: string[] = [];
  while (reader.at < bytes.length) texts.push(reader.text());
  return texts;
}
