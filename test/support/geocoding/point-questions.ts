import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { fold, tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { crossingsOf, everyEntry } from "../../core/geocoding/asked.ts";
import { randomFrom, sampleHouses } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import type { Question } from "./question.ts";

/** Questions about points: what is at one, where two streets meet, a place near the caller. */

const asText = ({ latitude, longitude }: Coordinate) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;

function drawn<T>(list: readonly T[], most: number, draw: () => number): T[] {
  const left = [...list];
  return Array.from({ length: Math.min(most, left.length) }, () => left.splice(Math.floor(draw() * left.length), 1)[0]);
}

/** Points of houses, corners and places of a town, the most of each. */
export async function pointQuestions(
  path: string,
  index: AddressIndex,
  most: number,
  seed: number,
): Promise<Question[]> {
  const from = basename(path, ".osm.pbf");
  const draw = randomFrom(seed);
  return [
    ...(await houses(index, from, most, seed, draw)),
    ...(await corners(index, from, most, draw)),
    ...(await places(index, from, most, draw)),
  ];
}

/** Up to 5 m from a house: the answer is this house, or one that is at least as near. */
async function houses(index: AddressIndex, from: string, most: number, seed: number, draw: () => number) {
  const all = await sampleHouses(index, Infinity, seed);
  return all.slice(0, most).map((house): Question => {
    const reverse = destination(house.at, draw() * 360, draw() * 5);
    const reach = distance(reverse, house.at) + 0.5;
    const near = all.filter(({ at }) => distance(reverse, at) <= reach);
    return {
      set: "town: reverse",
      query: asText(reverse),
      reverse,
      at: [house.at],
      km: 0,
      from,
      is: ({ layer, number, ...one }) =>
        layer === "address" && near.some((own) => own.number === number && distance(own.at, one) < 1),
    };
  });
}

const SIGNS = [" / ", " & ", "/", " at ", " and "];

async function corners(index: AddressIndex, from: string, most: number, draw: () => number): Promise<Question[]> {
  const all = (await crossingsOf(index)).filter(({ city }) => city !== "");
  return drawn(all, most, draw).map(({ names, city }, i): Question => {
    const [a, b] = draw() < 0.5 ? names : names.toReversed();
    const isSame = (one: (typeof all)[number]) => names.every((name) => one.names.includes(name));
    const at = all.filter((one) => one.city === city && isSame(one)).map((one) => one.at);
    const query = i % 6 === 5 ? `corner of ${a} and ${b}, ${city}` : `${a}${SIGNS[i % 6]}${b}, ${city}`;
    return { set: "town: junction", query, at, km: 0.05, from };
  });
}

/** A place by its name, for someone within 5 km: typed, or asked for among places. */
async function places(index: AddressIndex, from: string, most: number, draw: () => number): Promise<Question[]> {
  const keyOf = (name: string) => tokensOf(name).join(" ");
  const all = (await everyEntry(index)).filter(({ kind, name }) => kind === "place" && keyOf(name).length > 3);
  return drawn(all, most, draw).map((place, i): Question => {
    const near = destination(place.at, draw() * 360, draw() * 5000);
    // Any other of its name that is about as near is meant as well.
    const at = all
      .filter(({ name, at }) => keyOf(name) === keyOf(place.name) && distance(at, place.at) < 6000)
      .map((one) => one.at);
    const asked = i % 2 === 0 ? { open: true, among: 5 } : { layers: "place" };
    return { set: "town: place near", query: place.name, near, at, km: 0.06, from, ...asked };
  });
}

/** Points of cities of an atlas: the answer has a city that the atlas has within 30 km. */
export function basePoints(seed: number, most = 400): Question[] {
  const draw = randomFrom(seed);
  const { features } = JSON.parse(
    gunzipSync(readFileSync(join(EXTRACTS, "natural-earth/populated-places.geojson.gz"))).toString(),
  ) as { features: { properties: Record<string, string | number | null> }[] };
  const all = features.map(({ properties: one }) => ({
    at: { latitude: Number(one.latitude), longitude: Number(one.longitude) },
    country: String(one.iso_a2),
    people: Number(one.pop_max),
    names: Object.entries(one).flatMap(([key, value]) =>
      /^(?:name|meganame)/.test(key) && typeof value === "string" ? value.split(/[|,]/).map(fold) : [],
    ),
  }));
  return drawn(
    all.filter(({ people }) => people > 20_000),
    most,
    draw,
  ).map(({ at, country }): Question => {
    const reverse = destination(at, draw() * 360, draw() * 2000);
    const names = new Set(all.filter((one) => distance(one.at, at) < 30_000).flatMap((one) => one.names));
    const is: Question["is"] = ({ city = "" }) => names.has(fold(city));
    return { set: "base: reverse", query: asText(reverse), reverse, at: [at], km: 30, from: country, is };
  });
}
