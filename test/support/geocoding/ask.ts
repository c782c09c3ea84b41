import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { Pace } from "../../../src/core/geo/pace.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { worldCityPoints } from "../../../src/importer/layers/regions/world-cities.ts";
import { worldRegions } from "../../../src/importer/layers/regions/world-regions.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { answersTo } from "../../../src/worker/answers/geocode/answers.ts";
import { forwardAnswers } from "../../../src/worker/answers/geocode/forward.ts";
import { addressesAt } from "../../../src/worker/answers/geocode/reverse.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import type { WireAddress } from "../../../src/worker/wire/address.ts";
import { forwardRow } from "../../../src/worker/wire/geocode/batch-fields.ts";
import { ALL_LAYERS, defaultForwardLayers } from "../../../src/worker/wire/geocode/geocode-fields.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { everyEntry } from "../../core/geocoding/asked.ts";
import { worldBase } from "../../core/geocoding/index/demo-index.ts";
import { EXTRACTS, runLayer } from "../../core/regions/extract-harness.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { keptLayer } from "../worlds/kept-layers.ts";
import { pointQuestions } from "./point-questions.ts";
import type { Question } from "./question.ts";
import { formHouses, TOWNS, townQuestions } from "./town-questions.ts";

/** The world base and the addresses of extracts, live together, with questions to each. */
export interface Town {
  geodata: Geodata;
  questions: Question[];
}

/** What a user of the endpoints gets. */
export function ask(geodata: Geodata, { query, near, open, layers, reverse }: Question): Promise<WireAddress[]> {
  if (reverse) return addressesAt(geodata, reverse, defaultForwardLayers(undefined), "en", 0);
  const pace = new Pace(async () => undefined);
  if (open) {
    const options = { language: "en", open: true, limit: 10, layers: ALL_LAYERS, defaultLayers: true, now: 0 } as const;
    return answersTo(geodata, query, { ...options, near, pace });
  }
  const fields = validate(forwardRow, { query, limit: 10, ...(layers && { layers }) });
  return forwardAnswers(geodata, { ...fields, near }, defaultForwardLayers(undefined), pace, 0);
}

let builds = 0;

async function live(extracts: readonly string[]): Promise<{ geodata: Geodata; indexes: AddressIndex[] }> {
  const bucket = new FakeBucket();
  const listed = [];
  const indexes: AddressIndex[] = [];
  const layers = { addresses: addressesLayer.formatVersion };
  for (const extract of extracts) {
    const id = `${basename(extract)}-${++builds}`;
    const { objects } = await runLayer(addressesLayer, [extract]);
    for (const [key, bytes] of objects) bucket.put(buildKey(id, key), bytes);
    const index = new AddressIndex(keepDecoded(memorySource(objects)));
    indexes.push(index);
    listed.push({ name: id, id, areas: [await areaOf(index)], sources: [], previous: [], layers });
  }
  for (const [key, bytes] of (await worldBase()).objects) bucket.put(buildKey("base", key), bytes);
  listed.push({ name: "world", id: "base", areas: [[-180, -90, 180, 90]], sources: [], previous: [], layers });
  bucket.put("live.json", JSON.stringify({ version: 1, builds: listed }));
  return { geodata: await openGeodata(bucket, { now: 0, waitUntil: undefined }), indexes };
}

/** The bounds of all entries, with their surroundings. */
async function areaOf(index: AddressIndex): Promise<readonly number[]> {
  const all = (await everyEntry(index)).map(({ at }) => at);
  const [latitudes, longitudes] = [all.map(({ latitude }) => latitude), all.map(({ longitude }) => longitude)];
  const [west, south, east, north] = [
    Math.min(...longitudes),
    Math.min(...latitudes),
    Math.max(...longitudes),
    Math.max(...latitudes),
  ];
  return [west - 0.02, south - 0.02, east + 0.02, north + 0.02];
}

export const liveBase = async (): Promise<Geodata> => (await live([])).geodata;

/** The areas of the world base and its cities, without names to search. */
export async function liveAreas(): Promise<Geodata> {
  const bucket = new FakeBucket();
  for (const layer of [worldRegions, worldCityPoints])
    for (const [key, bytes] of (await keptLayer(layer)).objects) bucket.put(buildKey("areas", key), bytes);
  const build = { name: "world", id: "areas", areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  const layers = { regions: 1, cities: 1 };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined });
}

/** All towns in one instance, as an operator with many imports has them. */
export async function liveTowns(most: number, seed: number): Promise<Town> {
  const paths = TOWNS.filter((path) => existsSync(path));
  const { geodata, indexes } = await live(paths);
  const questions = await Promise.all(
    paths.flatMap((path, i) => [townQuestions, pointQuestions].map((make) => make(path, indexes[i], most, seed))),
  );
  return { geodata, questions: questions.flat() };
}

/** The houses of the written forms, imported. */
export async function liveForms(): Promise<Geodata | undefined> {
  if (!existsSync(join(EXTRACTS, "geocoding/written-forms.json"))) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "graticule-forms-"));
  try {
    const path = join(folder, "forms.osm.pbf");
    await writePbf(path, formHouses());
    return (await live([path])).geodata;
  } finally {
    await rm(folder, { recursive: true });
  }
}
