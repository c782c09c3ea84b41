import { LIVE_KEY, parseLiveList } from "../../../src/core/geo/builds/manifest.ts";
import { chooseBuilds } from "../../../src/core/geocoding/search/choose-builds.ts";
import { nearby } from "../../../src/core/geocoding/search/reverse.ts";
import type { SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { placeId } from "../../../src/core/places/place.ts";
import { addressesToSearch, addressIndexesAt } from "../../../src/worker/geodata/addresses.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { airportsWith, placeWithId } from "../../../src/worker/geodata/places.ts";
import { forgetGeodata, r2Reads } from "../../../src/worker/geodata/r2-source.ts";
import { FORWARD, TYPING } from "../../core/geocoding/index/demo-index.ts";
import { type TownBuild, townBuilds } from "../../core/geocoding/index/many-builds.ts";
import { mistyped, randomFrom } from "../../core/geocoding/sample.ts";
import { iataOf, liveTowns, placeIn, tileOf } from "../../worker/geodata/live-towns.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "builds";
export const summary =
  "1, 15 and 100 live builds: forward geocoding without a position; what is read cold, with pages and without.";

const ROUNDS = 400;

export async function run(report: Report): Promise<void> {
  const one = new Map<string, number>();
  for (const count of [1, 15, 100]) {
    const builds = townBuilds(count, 120);
    for (const [label, textOf, options] of CASES) {
      const draw = randomFrom(7);
      const texts = Array.from({ length: ROUNDS }, () => textOf(builds[Math.floor(draw() * count)], draw));
      // Once to warm the code and what is kept.
      for (const text of texts.slice(0, 100)) await find(builds, text, options);
      const times: number[] = [];
      for (const text of texts) {
        const began = performance.now();
        await find(builds, text, options);
        times.push(performance.now() - began);
      }
      const p50 = percentile(times, 0.5);
      if (count === 1) one.set(label, p50);
      report({ case: `${label}, ${count} live`, metric: "p50", value: p50, unit: "ms", baseline: one.get(label) });
      report({ case: `${label}, ${count} live`, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
    }
    await cold(count, report);
  }
}

type Case = [label: string, textOf: (build: TownBuild, draw: () => number) => string, options: SearchOptions];
const houseOf = ({ houses }: TownBuild, draw: () => number) => houses[Math.floor(draw() * houses.length)];
const CASES: Case[] = [
  ["a complete address", (build, draw) => houseOf(build, draw).text, FORWARD],
  ["a town", ({ town }) => `${town.name}, ${town.state}`, FORWARD],
  [
    "a town with a mistake",
    (build, draw) => {
      const { number, street } = houseOf(build, draw);
      return `${number} ${street}, ${mistyped(build.town.name, draw)}, ${build.town.state}`;
    },
    FORWARD,
  ],
  ["a street that all have", () => "Main Street", FORWARD],
  ["still being typed", (build, draw) => houseOf(build, draw).text.slice(0, -12), TYPING],
];

async function find(builds: readonly TownBuild[], text: string, options: SearchOptions) {
  const candidates = builds.map(({ candidate }) => candidate);
  const turns = await chooseBuilds(candidates, text, options);
  return searchInTurns(
    turns.map((turn) => turn.map(({ index }) => index)),
    text,
    options,
  );
}

/** What an isolate that has read live.json asks of the bucket before its first answer. */
async function cold(count: number, report: Report): Promise<void> {
  const { bucket, towns } = await liveTowns(count, 120);
  const text = bucket.objects.get(LIVE_KEY)!;
  report({ case: `${count} live`, metric: "live.json", value: text.length / 1024, unit: "KB" });
  const { builds, pages } = parseLiveList(new TextDecoder().decode(text));
  const one = towns[count - 1];
  const [house] = one.houses;
  const near = one.town;
  const search = async (geodata: Geodata, at?: typeof near) => {
    const found = await addressesToSearch(geodata, house.text, { open: false, near: at });
    return searchInTurns(found, house.text, { ...FORWARD, near: at });
  };
  const questions: Record<string, (geodata: Geodata) => Promise<unknown>> = {
    "forward without near": (geodata) => search(geodata),
    "forward with near": (geodata) => search(geodata, near),
    reverse: (geodata) => nearby(addressIndexesAt(geodata, near), near, "en"),
    "map tile": async (geodata) => (await openBasemap(geodata, bucket)).tile(...tileOf(near)),
    "map tile, zoom 3": async (geodata) => (await openBasemap(geodata, bucket)).tile(3, 1, 2),
    "route, before its roads": async (geodata) => geodata.at(near, "roads"),
    "place by id": async (geodata) => placeWithId(geodata, placeId(placeIn(count - 1))),
    airport: async (geodata) => airportsWith(geodata, iataOf(count - 1)),
  };
  for (const [label, question] of Object.entries(questions)) {
    const [reads, bytes] = await readsOf(async () => {
      forgetGeodata();
      await question(Geodata.of(bucket, builds, undefined, pages));
    });
    // The same with lists of older importers, where each build is asked itself.
    const [without] = await readsOf(async () => {
      forgetGeodata();
      await question(Geodata.of(bucket, builds));
    });
    const row = { case: `${label}, ${count} live, cold` };
    report({ ...row, metric: "reads", value: reads, unit: "objects", baseline: without });
    report({ ...row, metric: "read", value: bytes / 1024, unit: "KB" });
  }
}

async function readsOf(work: () => Promise<void>): Promise<[reads: number, bytes: number]> {
  const before = { ...r2Reads };
  await work();
  return [r2Reads.count - before.count, r2Reads.bytes - before.bytes];
}
