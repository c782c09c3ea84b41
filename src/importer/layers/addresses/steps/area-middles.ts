import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { byKey, type Sorter } from "../../../../core/geo/bytes/sorter.ts";
import { GRID } from "../../../../core/geocoding/entry/entry.ts";
import type { NewEntry } from "../../../../core/geocoding/index/names-tile.ts";
import { type HouseArea, keyOfArea, readHouseArea } from "../records/house-areas.ts";
import { importanceOf } from "../records/settlements.ts";
import { REGION_IMPORTANCE } from "./collect-osm.ts";

interface Area extends HouseArea {
  /** Of its first house. */
  order: number;
  houses: number;
  latitude: number;
  longitude: number;
}

/** Fewer houses with a district are mistakes. */
const MIN_HOUSES = 5;
/** People of a house, of which mostly not all are in the data. */
const PEOPLE = 10;

/**
 * Postal codes and districts that only occur on houses, in the middle of those houses, in the order of their first ones. The
 * houses come bucket by bucket and are summed up in the order of the extract, as the last digit of a sum depends on it.
 */
export class AreaMiddles {
  readonly #sorter: Sorter;
  readonly #areas: Area[] = [];
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
    const own: { number: number; area: HouseArea }[] = [];
    while (reader.at < codes.length) {
      const area = readHouseArea(reader);
      own.push({ number: this.#numberOf(area), area });
    }
    for (let i = 0; i < coded.length; i += 4) {
      const { number, area } = own[coded[i]];
      const order = coded[i + 1];
      if (order < this.#areas[number].order) Object.assign(this.#areas[number], area, { order });
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
      this.#areas[open].latitude /= count;
      this.#areas[open].longitude /= count;
      this.#areas[open].houses = count;
      count = 0;
    };
    const houses = byKey(this.#sorter, ({ key, bytes, start }) => {
      const number = Math.floor(key / this.#records);
      if (number !== open) close();
      open = number;
      const reader = new ByteReader(bytes, start);
      this.#areas[number].latitude += reader.signed() / GRID;
      this.#areas[number].longitude += reader.signed() / GRID;
      count++;
    });
    for (const _ of houses);
    close();
    this.#sorter.close();
    return [...this.#areas].sort((a, b) => a.order - b.order).flatMap(entryOf);
  }

  #numberOf(area: HouseArea): number {
    const key = keyOfArea(area);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      const none = { order: Number.POSITIVE_INFINITY, houses: 0, latitude: 0, longitude: 0 };
      number = this.#areas.push({ ...area, ...none }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

function entryOf({ kind, name, english, context, latitude, longitude, houses }: Area): NewEntry[] {
  const at = { latitude, longitude };
  if (kind === "postalCode")
    return [{ kind, name, context, postalCode: name, ...at, importance: REGION_IMPORTANCE.postalCode }];
  if (houses < MIN_HOUSES) return [];
  const importance = Math.min(REGION_IMPORTANCE.locality, importanceOf(PEOPLE * houses));
  return [{ kind, name, context, postalCode: "", ...at, importance, names: english === "" ? [] : [["en", english]] }];
}
