import { ByteReader, ByteWriter } from "../../../core/geo/bytes/bytes.ts";
import { byKey, type MakeSorter, type Sorter } from "../../../core/geo/bytes/sorter.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../../core/geo/distance.ts";
import { readPlace, writePlace } from "../../../core/places/place-record.ts";
import {
  type ComparedName,
  type ComparedPlace,
  comparedName,
  groupsOf,
  isSamePlace,
  SAME_PLACE_METERS,
} from "../../../core/places/same-place.ts";
import type { PlaceRecord } from "../../../core/places/tile.ts";

/** Side of a square of the grid [degrees of latitude]. */
const SIDE = 0.01;
/** More squares than a row can have. */
const ROW = 100_000;
const REACH = (SAME_PLACE_METERS + 1) / METRES_PER_DEGREE;
/** Confidence of what no other source overrules. */
const SURE = 255;

/** A place of a source, as it takes part. */
interface Candidate {
  place: PlaceRecord;
  /** Other names that it is known by. */
  names: readonly string[];
  /** In hundredths; undefined for a place that is not overruled. */
  confidence: number | undefined;
}

interface Compared extends ComparedPlace {
  confidence: number;
  key: number;
}

/**
 * Finds the places of one source that another has too, on a grid, so that only the places of a square are held. A place is omitted if there is
 * a surer one within reach with a similar name, whatever becomes of that one: so each place is judged by its neighbors alone, and the
 * result does not depend on any order.
 */
export class PlaceMerger {
  readonly #sorter: Sorter;
  readonly #record = new ByteWriter(1024);

  constructor(sorter: MakeSorter) {
    this.#sorter = sorter("merging");
  }

  add({ place, names, confidence }: Candidate): void {
    const { latitude, longitude } = place.location;
    const home = squareAt(latitude, longitude);
    for (const square of squaresAround(latitude, longitude)) {
      const record = this.#record;
      record.length = 0;
      record.byte(square === home && confidence !== undefined ? 1 : 0);
      record.byte(confidence ?? SURE);
      record.unsigned(names.length);
      for (const name of names) record.text(name);
      // Next to its square, only what is compared.
      const { address: _, details: __, ...compared } = place;
      writePlace(record, square === home ? place : compared);
      this.#sorter.add(square, record.view());
    }
  }

  /** The places that remain of those that may be overruled, and how many do not. */
  *finish(omitted: () => void): Generator<PlaceRecord> {
    let square: { place: PlaceRecord; isHome: boolean; compared: Compared }[] = [];
    const take = ({ bytes, start }: { bytes: Uint8Array; start: number }) => {
      const reader = new ByteReader(bytes, start);
      const isHome = reader.byte() === 1;
      const confidence = reader.byte();
      const names = Array.from({ length: reader.unsigned() }, () => reader.text());
      const place = readPlace(reader);
      square.push({ place, isHome, compared: comparedOf(place, names, confidence) });
    };
    for (const _ of byKey(this.#sorter, take)) {
      const own = square.sort((a, b) => a.place.location.latitude - b.place.location.latitude);
      square = [];
      for (const [i, { place, isHome, compared }] of own.entries()) {
        if (!isHome) continue;
        if (isOverruled(own, i, compared)) omitted();
        else yield place;
      }
    }
    this.#sorter.close();
  }
}

function isOverruled(own: readonly { compared: Compared }[], i: number, one: Compared): boolean {
  for (const step of [-1, 1]) {
    for (let at = i + step; at >= 0 && at < own.length; at += step) {
      const { compared: other } = own[at];
      if (Math.abs(other.location.latitude - one.location.latitude) > REACH) break;
      const isSurer = other.confidence > one.confidence || (other.confidence === one.confidence && other.key < one.key);
      if (isSurer && isSamePlace(one, other)) return true;
    }
  }
  return false;
}

function comparedOf(
  { name, location, chain, categories, key }: PlaceRecord,
  names: readonly string[],
  confidence: number,
): Compared {
  let compared: readonly ComparedName[] | undefined;
  return {
    location,
    // Most places have none near them, and their names are never compared.
    get names() {
      compared ??= [...new Set([name, ...names])].map(comparedName);
      return compared;
    },
    chain: chain?.slug,
    groups: groupsOf(categories),
    confidence,
    key: key.high * 0x100000000 + key.low,
  };
}

/** Squares of a row are as wide as high; the last one of a row may be narrower. */
function columnOf(row: number, longitude: number): number {
  const scale = Math.max(0.001, Math.cos(((row + 0.5) * SIDE - 90) * RADIANS));
  return Math.floor(((longitude + 180) * scale) / SIDE);
}

const rowOf = (latitude: number) => Math.floor((latitude + 90) / SIDE);
const squareAt = (latitude: number, longitude: number) => rowOf(latitude) * ROW + columnOf(rowOf(latitude), longitude);

/** The square of a point, and those that are within reach. */
function squaresAround(latitude: number, longitude: number): Set<number> {
  const found = new Set<number>();
  const wide = REACH / Math.max(0.001, Math.cos(latitude * RADIANS));
  const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  for (const north of [latitude, Math.max(-90, latitude - REACH), Math.min(90, latitude + REACH)]) {
    for (const east of [longitude, turned(longitude - wide), turned(longitude + wide)])
      found.add(squareAt(north, east));
  }
  return found;
}
