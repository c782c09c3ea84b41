import { ByteReader, ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { haversine, METRES_PER_DEGREE } from "../../../../core/geo/distance.ts";
import { localCityName } from "../../../../core/geocoding/parse/city-names.ts";
import type { PointRegions } from "../../../../core/regions/region.ts";
import type { Bounds } from "../../../frame/layer.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import type { City } from "../../../world/cities.ts";

/**
 * How far the names of settlements reach [m], how many people live there where nothing is said, and whether it is a
 * part of one.
 */
const KINDS: Record<string, { reach: number; people: number; part?: true }> = {
  city: { reach: 15_000, people: 200_000 },
  town: { reach: 6_000, people: 15_000 },
  borough: { reach: 6_000, people: 50_000, part: true },
  village: { reach: 3_000, people: 1_500 },
  suburb: { reach: 2_500, people: 8_000, part: true },
  quarter: { reach: 1_500, people: 3_000, part: true },
  hamlet: { reach: 1_500, people: 100 },
  neighbourhood: { reach: 1_000, people: 1_000, part: true },
  isolated_dwelling: { reach: 300, people: 5 },
  locality: { reach: 300, people: 1 },
};

/** The importance of a settlement by its population, 0 … 255: a village 100, a city of a million 190, Tokyo 230. */
export function importanceOf(people: number): number {
  return Math.min(255, 32 * Math.log10(people + 1));
}

/** Tags of a `place` → its people; undefined for what is no settlement (islands, seas, squares). */
export function peopleOf(tags: Tags): number | undefined {
  const kind = KINDS[tags.place ?? ""];
  if (!kind) return undefined;
  const written = Number((tags.population ?? "").replace(/[\s,.]/g, ""));
  return written > 0 && written < 1e8 ? written : kind.people;
}

/**
 * How far the name of a city of the world base reaches [m]: 2.6 km with 1,000 people, 9 km with 100,000, 17 km with a
 * million.
 */
const reachOf = (people: number) => 400 * people ** 0.27;

/** Degrees: a square and its neighbours reach farther than any settlement. */
const SQUARE = 0.25;

/** Codes of what a settlement is in; "" for what is unknown. */
interface Area {
  country: string;
  state: string;
  county: string;
}

interface Settlement {
  name: string;
  at: Coordinate;
  reach: number;
  /** From the world base: used only where no settlement of the extracts reaches. */
  base: boolean;
  /** What it is called in English, and how far blocks of its name around it are it [m]. */
  english?: { name: string; reach: number };
  area?: Area;
}

const areaOf = ({ country, state, county }: PointRegions): Area => ({
  country: country?.code ?? "",
  state: state?.code ?? "",
  county: county?.code || county?.name || "",
});

/** A house in Queens is not in a village across the county line, however near. */
const canHold = (a: Area, b: Area) =>
  (["country", "state", "county"] as const).every((part) => a[part] === "" || b[part] === "" || a[part] === b[part]);

/** Those of the world's cities that reach into one of the boxes. */
export const citiesAround = (cities: readonly City[], boxes: readonly Bounds[]): City[] =>
  cities.filter(
    ({ latitude, longitude, population }) =>
      population >= 500 && boxes.some((box) => isAround(box, latitude, longitude)),
  );

/** Settlements around a point, for houses without a city. */
export class Settlements {
  readonly #squares = new Map<string, Settlement[]>();
  /** Those with a name in English, by their own. */
  readonly #named = new Map<string, Settlement[]>();

  add(tags: Tags, at: Coordinate): void {
    const kind = KINDS[tags.place ?? ""];
    if (!kind || !tags.name || kind.reach < 1000) return;
    // A part of a town is used only where no town reaches.
    const { name, "name:en": other } = tags;
    const english = other === undefined || other === name ? undefined : { name: other, reach: kind.reach };
    this.#put({ name, at, reach: kind.part ? kind.reach / 10 : kind.reach, base: false, ...(english && { english }) });
  }

  /** What a place of this name around a point is called in English; undefined where there is none, or the map does not say. */
  englishNameOf(name: string, point: Coordinate): string | undefined {
    let best: { name: string; apart: number } | undefined;
    for (const { at, english } of this.#named.get(name) ?? []) {
      const apart = haversine(point.latitude, point.longitude, at.latitude, at.longitude);
      if (english && apart <= english.reach && (!best || apart < best.apart)) best = { name: english.name, apart };
    }
    return best?.name;
  }

  /** Cities of the world base, for what the extracts leave out: those within the boxes. */
  addCities(cities: readonly City[], boxes: readonly Bounds[]): number {
    let count = 0;
    for (const { name, country, latitude, longitude, population } of citiesAround(cities, boxes)) {
      const at = { latitude, longitude };
      this.#put({ name: localCityName(country, name), at, reach: reachOf(population), base: true });
      count++;
    }
    return count;
  }

  /** Call after the last settlement: finds the county of each. */
  async settle(regionsAt: (point: Coordinate) => PointRegions | Promise<PointRegions>): Promise<void> {
    for (const list of this.#squares.values()) {
      for (const one of list) one.area ??= areaOf(await regionsAt(one.at));
    }
  }

  /** The settlement of the same county that is nearest in terms of its reach; "" where none reaches. */
  at(point: Coordinate, regions: PointRegions): string {
    const own = areaOf(regions);
    const best = { extract: { name: "", share: 1 }, base: { name: "", share: 1 } };
    for (const { name, at, reach, base, area } of this.#around(point)) {
      const known = base ? best.base : best.extract;
      // For most the latitude is enough; the arithmetic of the distance is skipped for them.
      if (Math.abs(point.latitude - at.latitude) * METRES_PER_DEGREE * 0.999 > reach * known.share) continue;
      const share = haversine(point.latitude, point.longitude, at.latitude, at.longitude) / reach;
      if (share > known.share || (share === known.share && name >= known.name)) continue;
      if (area && !canHold(own, area)) continue;
      known.name = name;
      known.share = share;
    }
    return best.extract.name || best.base.name;
  }

  /** All that points in a box may ask of, as a text: the same whatever is elsewhere. */
  describe([west, south, east, north]: Bounds): string {
    const latitude = Math.max(Math.abs(south), Math.abs(north));
    const wide = Math.max(1, Math.ceil(1 / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))));
    const [top, bottom] = [Math.floor(north / SQUARE) + 1, Math.floor(south / SQUARE) - 1];
    const first = Math.floor((west + 180) / SQUARE) - wide;
    const across = Math.floor((east + 180) / SQUARE) + wide - first;
    const texts: string[] = [];
    for (const [key, list] of this.#squares) {
      const [y, x] = key.split(" ").map(Number);
      if (y < bottom || y > top) continue;
      const column = x + 180 / SQUARE - first;
      const around = 360 / SQUARE;
      if (((column % around) + around) % around > across) continue;
      for (const one of list) {
        const reach = Math.max(one.reach, one.english?.reach ?? 0);
        if (distanceToBox(one.at, [west, south, east, north]) <= reach) texts.push(JSON.stringify(one));
      }
    }
    return texts.sort().join("\n");
  }

  /** All of them as bytes, for other threads. */
  encode(): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter();
    for (const list of this.#squares.values()) {
      for (const { name, at, reach, base, area, english } of list) {
        out.text(name);
        for (const number of [at.latitude, at.longitude, reach]) out.f64(number);
        out.byte((base ? 1 : 0) + (area ? 2 : 0) + (english ? 4 : 0));
        if (area) for (const text of [area.country, area.state, area.county]) out.text(text);
        if (english) {
          out.text(english.name);
          out.unsigned(english.reach);
        }
      }
    }
    return out.finish();
  }

  static decode(bytes: Uint8Array): Settlements {
    const made = new Settlements();
    const reader = new ByteReader(bytes);
    while (reader.at < bytes.length) {
      const name = reader.text();
      const at = { latitude: reader.f64(), longitude: reader.f64() };
      const reach = reader.f64();
      const flags = reader.byte();
      const area = flags & 2 ? { country: reader.text(), state: reader.text(), county: reader.text() } : undefined;
      const english = flags & 4 ? { name: reader.text(), reach: reader.unsigned() } : undefined;
      made.#put({ name, at, reach, base: (flags & 1) === 1, area, ...(english && { english }) });
    }
    return made;
  }

  *#around({ latitude, longitude }: Coordinate): Generator<Settlement> {
    const wide = Math.max(1, Math.ceil(1 / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))));
    for (let y = -1; y <= 1; y++) {
      for (let x = -wide; x <= wide; x++)
        yield* this.#squares.get(squareOf(latitude + y * SQUARE, longitude + x * SQUARE)) ?? [];
    }
  }

  #put(settlement: Settlement): void {
    const key = squareOf(settlement.at.latitude, settlement.at.longitude);
    const list = this.#squares.get(key) ?? [];
    list.push(settlement);
    this.#squares.set(key, list);
    if (!settlement.english) return;
    const { name } = settlement;
    this.#named.set(name, [...(this.#named.get(name) ?? []), settlement]);
  }
}

/** How far a place surely is from all of a box [m], a little less than that: a place with a smaller reach affects nothing in it. */
function distanceToBox({ latitude, longitude }: Coordinate, [west, south, east, north]: Bounds): number {
  const up = Math.max(0, south - latitude, latitude - north);
  const across = Math.max(
    0,
    Math.min(...[-360, 0, 360].map((turn) => Math.max(west - longitude - turn, longitude + turn - east))),
  );
  const most = Math.max(Math.abs(south), Math.abs(north), Math.abs(latitude));
  const shrink = Math.cos((Math.min(90, most) * Math.PI) / 180);
  return Math.max(up, across * shrink * 0.99) * METRES_PER_DEGREE * 0.99;
}

/** In the box or a square beyond its edge. */
function isAround([west, south, east, north]: Bounds, latitude: number, longitude: number): boolean {
  if (latitude < south - SQUARE || latitude > north + SQUARE) return false;
  const margin = SQUARE / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  const beyond = (((longitude - west + margin) % 360) + 360) % 360;
  return beyond <= ((((east - west) % 360) + 360) % 360) + 2 * margin;
}

function squareOf(latitude: number, longitude: number): string {
  return `${Math.floor(latitude / SQUARE)} ${Math.floor((((longitude + 540) % 360) - 180) / SQUARE)}`;
}
