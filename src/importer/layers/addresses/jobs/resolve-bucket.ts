import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import { TextCache } from "../../../../core/geo/bytes/text-cache.ts";
import type { PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { type Context, NO_CONTEXT } from "../../../../core/geocoding/entry/entry.ts";
import { AddressCollector, type PlacedEntry } from "../../../../core/geocoding/index/collector.ts";
import { coverageOf } from "../../../../core/geocoding/index/coverage.ts";
import { type Names, writeContext, writeEntry, writeNames } from "../../../../core/geocoding/index/entry-record.ts";
import { type HouseNumber, splitHouseNumbers, trimHouseNumber } from "../../../../core/geocoding/words/house-number.ts";
import { type AddressLine, addressLine } from "../records/address-levels.ts";
import { encodeCollected } from "../records/collected-bytes.ts";
import { type HouseArea, keyOfArea, writeHouseArea } from "../records/house-areas.ts";
import { HouseContext } from "../records/house-context.ts";
import { houseFactsOf, plus4Of, unitsOf } from "../records/house-facts.ts";
import { type Raw, readRaw } from "../records/raw-record.ts";
import { RegionDigest } from "./region-digest.ts";
import type { Surroundings } from "./surroundings.ts";

const TEXTS = new TextCache();

/** A bucket once its towns and regions are known. */
export interface Resolved {
  /** Its content (collected-bytes.ts). */
  bytes: Uint8Array;
  isEmpty: boolean;
  houses: number;
  counts: Record<string, number>;
  /** Addresses by country and state. */
  coverage: [area: string, count: number][];
  /** Localities and regions: order, entry; each with its length in front. */
  regions: Uint8Array;
  /** Postal codes and districts of houses that no drawn region has (house-areas.ts). */
  codes: Uint8Array;
  /** Of each of those houses: number of its area, order, latitude, longitude [1e-5 degrees]. */
  coded: Float64Array;
  /** Names of streets in other languages: order, name, context, postal code, names; each with its length in front. */
  translations: Uint8Array;
  /** What its records see of regions (region-digest.ts), if noted. */
  seen?: string;
}

/** @param bytes records by cell: cell less the one before, length, record */
export function resolveBucket(bytes: Uint8Array, surroundings: Surroundings, notes = false): Resolved {
  const seen = notes ? new RegionDigest() : undefined;
  const bucket = new Bucket(seen ? noted(surroundings, seen) : surroundings);
  const reader = new ByteReader(bytes);
  let cell = 0;
  while (reader.at < bytes.length) {
    cell += reader.unsigned();
    const length = reader.unsigned();
    const start = reader.at;
    reader.skip(length);
    bucket.add(readRaw(new ByteReader(bytes, start), TEXTS), cell);
  }
  return { ...bucket.finish(), ...(seen && { seen: seen.finish() }) };
}

/** Each record looks up its regions once. */
function noted(surroundings: Surroundings, seen: RegionDigest): Surroundings {
  const { regionsAt } = surroundings;
  return {
    ...surroundings,
    regionsAt(point, cell) {
      const regions = regionsAt(point, cell);
      seen.add(regions);
      return regions;
    },
  };
}

class Bucket {
  readonly #around: Surroundings;
  readonly #where: HouseContext;
  readonly #collector = new AddressCollector();
  readonly #counts: Record<string, number> = {};
  readonly #regions = new ByteWriter();
  readonly #areas = new Map<string, HouseArea & { number: number; order: number }>();
  readonly #coded: number[] = [];
  readonly #translations = new ByteWriter();
  readonly #named = new Map<number, { order: number; names: Names }>();
  readonly #record = new ByteWriter();

  constructor(around: Surroundings) {
    this.#around = around;
    this.#where = new HouseContext(around.regionsAt, around.settlements);
  }

  add(raw: Raw, cell: PackedCell): void {
    if (raw.kind === "house" || raw.kind === "row") this.#house(raw, cell);
    else if (raw.kind === "between") this.#between(raw, cell);
    else if (raw.kind === "line") this.#line(raw, cell);
    else this.#entry(raw, cell);
  }

  finish(): Resolved {
    const collector = this.#collector;
    for (const [street, { order, names }] of this.#named) this.#translate(street, order, names);
    const codes = new ByteWriter();
    for (const area of this.#areas.values()) writeHouseArea(codes, area);
    return {
      bytes: encodeCollected(collector),
      isEmpty: collector.isEmpty,
      houses: collector.houses.count,
      counts: this.#counts,
      coverage: [...coverageOf(collector)],
      regions: this.#regions.finish(),
      codes: codes.finish(),
      coded: Float64Array.from(this.#coded),
      translations: this.#translations.finish(),
    };
  }

  #house(raw: Raw & { kind: "house" | "row" }, cell: PackedCell): void {
    const { kind, order, at, tags, street } = raw;
    const collector = this.#collector;
    const found: { line?: AddressLine | undefined } = {};
    const { context, postalCode, district } = this.#where.of(tags, at, cell, (country) => {
      found.line = addressLine(tags, street, country);
      return found.line?.name ?? "";
    });
    const { line } = found;
    if (!line) {
      this.#count("left out: house without a street", 1);
      return;
    }
    const number = collector.context(context);
    const id = collector.street(line.name, number, postalCode, [], line.form === "block");
    this.#nameStreet(id, order, at, line);
    const { unit, numbers } = readNumber(line.number, context.countryCode);
    const facts = kind === "row" ? rowFacts(raw, unit, context.countryCode) : undefined;
    const known = facts ?? houseFactsOf(tags, context.countryCode);
    const units = facts ? facts.units : known.units || (unit ?? "");
    for (const one of numbers) {
      collector.house(id, one, at, { ...known, units }, cell);
      if (kind === "house") this.#code(order, context, postalCode);
    }
    if (district && numbers.length > 0)
      this.#inArea(order, { kind: "locality", ...district, context: { ...context, borough: "", neighborhood: "" } });
    this.#count("addresses", numbers.length);
    if (numbers.length === 0) this.#count("left out: no house number to read", 1);
  }

  #between({ order, at, tags, street, number, computed }: Raw & { kind: "between" }, cell: PackedCell): void {
    const collector = this.#collector;
    const { context, postalCode } = this.#where.of(tags, at, cell);
    const own = collector.context(context);
    const id = collector.street(street, own, postalCode);
    collector.house(id, splitHouseNumbers(number)[0], at, { computed }, cell);
    this.#code(order, context, postalCode);
    this.#count(computed ? "addresses between known ones" : "addresses", 1);
  }

  #line({ order, at, name, names, line, isPath }: Raw & { kind: "line" }, cell: PackedCell): void {
    const collector = this.#collector;
    const { context, postalCode } = this.#where.of({}, at);
    const id = collector.street(name, collector.context(context), postalCode);
    collector.piece(id, cell, line, isPath);
    if (names.length > 0) this.#translate(id, order, names);
  }

  /** Names that a house has of its street, or that the place has that is its block: those of its first house count. */
  #nameStreet(street: number, order: number, at: Coordinate, { name, names, form }: AddressLine): void {
    let own = names;
    if (form === "block" && names.length === 0) {
      const english = this.#around.settlements.englishNameOf(name, at);
      if (english !== undefined) own = [["en", english]];
    }
    const known = this.#named.get(street);
    if (own.length > 0 && !(known && known.order <= order)) this.#named.set(street, { order, names: own });
  }

  #translate(street: number, order: number, names: Names): void {
    const { name, context, postalCode } = this.#collector.streets[street];
    this.#write(this.#translations, (out) => {
      out.unsigned(order);
      out.text(name);
      writeContext(out, this.#collector.contexts[context]);
      out.text(postalCode);
      writeNames(out, names);
    });
  }

  #entry(raw: Raw & { kind: "place" | "locality" | "region" }, cell: PackedCell): void {
    const { at, name, names, importance } = raw;
    if (raw.kind === "place") {
      const { context, postalCode } = this.#where.of(raw.tags, at, cell);
      const { confidence } = raw;
      const entry: PlacedEntry = { kind: "place", name, context, postalCode, ...at, importance, names, cell };
      this.#collector.entries.push(confidence === undefined ? entry : { ...entry, confidence });
      this.#count("places", 1);
      return;
    }
    const around = this.#around.regionsAt(at);
    const state = { stateCode: around.state?.code ?? "", state: around.state?.name ?? "" };
    const county = around.county?.name ?? "";
    const countryCode = around.country?.code ?? "";
    let entry: PlacedEntry;
    if (raw.kind === "locality") {
      const city = around.locality && around.locality.name !== name ? around.locality.name : "";
      const context = { ...NO_CONTEXT, city, county, ...state, countryCode };
      entry = { kind: "locality", name, context, postalCode: "", ...at, importance, names, cell };
      this.#count("localities", 1);
    } else {
      const { region: kind, country } = raw;
      const context = {
        ...NO_CONTEXT,
        countryCode: around.country?.code ?? country,
        ...(kind !== "country" && state),
        ...(kind === "locality" && { county }),
      };
      const postalCode = kind === "postalCode" ? name : "";
      entry = { kind, name, context, postalCode, ...at, importance, names, cell };
      this.#count(`regions: ${kind}`, 1);
    }
    this.#collector.entries.push(entry);
    this.#write(this.#regions, (out) => {
      out.unsigned(raw.order);
      writeEntry(out, entry);
    });
  }

  /** Notes the last house with its postal code, where no region is drawn for that code. */
  #code(order: number, context: Context, postalCode: string): void {
    if (postalCode === "" || this.#around.drawnCodes.has(postalCode)) return;
    this.#inArea(order, { kind: "postalCode", name: postalCode, english: "", context });
  }

  #inArea(order: number, area: HouseArea): void {
    const key = keyOfArea(area);
    let known = this.#areas.get(key);
    if (!known) {
      known = { ...area, number: this.#areas.size, order };
      this.#areas.set(key, known);
    } else if (order < known.order) Object.assign(known, area, { order });
    const { houses } = this.#collector;
    const last = houses.count - 1;
    this.#coded.push(known.number, order, houses.latitude[last], houses.longitude[last]);
  }

  #count(what: string, by: number): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + by;
  }

  #write(list: ByteWriter, write: (out: ByteWriter) => void): void {
    const record = this.#record;
    record.length = 0;
    write(record);
    list.unsigned(record.length);
    list.bytes(record.view());
  }
}

interface WrittenNumber {
  numbers: readonly HouseNumber[];
  /** Written before or after it. */
  unit: string | undefined;
}

/** What was read of the numbers of a country: most streets have the same ones. */
const READ = new Map<string, Map<string, WrittenNumber>>();
const MAX_READ = 20_000;

function readNumber(written: string, countryCode: string): WrittenNumber {
  let ofCountry = READ.get(countryCode);
  if (!ofCountry) {
    ofCountry = new Map();
    READ.set(countryCode, ofCountry);
  }
  let read = ofCountry.get(written);
  if (!read) {
    if (ofCountry.size >= MAX_READ) ofCountry.clear();
    const { number, unit } = trimHouseNumber(written, countryCode);
    read = { numbers: splitHouseNumbers(number), unit };
    ofCountry.set(written, read);
  }
  return read;
}

function rowFacts({ tags, source, precision }: Raw & { kind: "row" }, unit: string | undefined, country: string) {
  return {
    source,
    precision,
    units: unitsOf(tags["addr:unit"] || (unit ?? ""), true),
    plus4: plus4Of(tags["addr:postcode"] ?? "", country),
  };
}
