import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { byKey, type Sorter } from "../../../../core/geo/bytes/sorter.ts";
import { type Context, GRID } from "../../../../core/geocoding/entry/entry.ts";
import { readContext } from "../../../../core/geocoding/index/entry-record.ts";
import type { NewEntry } from "../../../../core/geocoding/index/names-tile.ts";
import { REGION_IMPORTANCE } from "./collect-osm.ts";

interface Code {
  code: string;
  /** Of its first house, and what that is in. */
  order: number;
  context: Context;
  latitude: number;
  longitude: number;
}

/**
 * Postal codes that only occur on houses, in the middle of those houses, in the order of their first ones. The houses
 * come bucket by bucket and are summed up in the order of the extract, as the last digit of a sum depends on it.
 */
export class PostalMiddles {
  readonly #sorter: Sorter;
  readonly #codes: Code[] = [];
  readonly #numbers = new Map<string, number>();
  /** More than any order. */
  readonly #records: number;
  readonly #record = new ByteWriter(16);

  constructor(sorter: Sorter, records: number) {
    this.#sorter = sorter;
    this.#records = records;
  }

  /** The result of one bucket (resolve-bucket.ts). */
  add(codes: Uint8Array, coded: Float64Array): void {
    const reader = new ByteReader(codes);
    const own: { number: number; context: Context }[] = [];
    while (reader.at < codes.length) {
      const code = reader.text();
      const context = readContext(reader);
      own.push({ number: this.#numberOf(code, context), context });
    }
    for (let i = 0; i < coded.length; i += 4) {
      const { number, context } = own[coded[i]];
      const order = coded[i + 1];
      if (order < this.#codes[number].order) Object.assign(this.#codes[number], { order, context });
      this.#record.length = 0;
      this.#record.signed(coded[i + 2]);
      this.#record.signed(coded[i + 3]);
      this.#sorter.add(number * this.#records + order, this.#record.view());
    }
  }

  entries(): NewEntry[] {
    let count = 0;
    let open = -1;
    const close = () => {
      if (open < 0) return;
      this.#codes[open].latitude /= count;
      this.#codes[open].longitude /= count;
      count = 0;
    };
    const houses = byKey(this.#sorter, ({ key, bytes, start }) => {
      const number = Math.floor(key / this.#records);
      if (number !== open) close();
      open = number;
      const reader = new ByteReader(bytes, start);
      this.#codes[number].latitude += reader.signed() / GRID;
      this.#codes[number].longitude += reader.signed() / GRID;
      count++;
    });
    for (const _ of houses);
    close();
    this.#sorter.close();
    return [...this.#codes]
      .sort((a, b) => a.order - b.order)
      .map(({ code, context, latitude, longitude }) => ({
        kind: "postalCode",
        name: code,
        context,
        postalCode: code,
        latitude,
        longitude,
        importance: REGION_IMPORTANCE.postalCode,
      }));
  }

  #numberOf(code: string, context: Context): number {
    const key = `${context.countryCode}\n${code}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#codes.push({ code, order: Number.POSITIVE_INFINITY, context, latitude: 0, longitude: 0 }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
