import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildKey } from "../../../../src/core/geo/builds/manifest.ts";
import { distance } from "../../../../src/core/geo/distance.ts";
import { LAYERS } from "../../../../src/core/geocoding/search/search.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import { answersTo } from "../../../../src/worker/answers/geocode/answers.ts";
import { addressesAt } from "../../../../src/worker/answers/geocode/reverse.ts";
import { type Geodata, openGeodata } from "../../../../src/worker/geodata/live.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";
import { runLayer } from "../../regions/extract-harness.ts";
import { worldBase } from "../index/demo-index.ts";
import { type DrawnTown, drawTown, WORLD_TOWNS } from "./world-towns.ts";

/** [m] */
const SAME_HOUSE = 30;
/** How far an extract reaches around its town [degrees]. */
const REACH = 0.02;

/** All towns as one build beside the world base. */
export async function publishTowns(seed: number): Promise<{ geodata: Geodata; towns: DrawnTown[] }> {
  const towns = WORLD_TOWNS.map((town, i) => drawTown(town, seed + i));
  const folder = await mkdtemp(join(tmpdir(), "graticule-towns-"));
  try {
    const extracts: string[] = [];
    for (const [i, { at, elements }] of towns.entries()) {
      const path = join(folder, `${i}.osm.pbf`);
      const bounds = [at[1] - REACH, at[0] - REACH, at[1] + REACH, at[0] + REACH] as const;
      await writePbf(path, elements, { bounds });
      extracts.push(path);
    }
    const bucket = new FakeBucket();
    const id = `towns-${seed}`;
    for (const [key, bytes] of (await runLayer(addressesLayer, extracts)).objects) bucket.put(buildKey(id, key), bytes);
    for (const [key, bytes] of (await worldBase()).objects) bucket.put(buildKey("base", key), bytes);
    const layers = { addresses: addressesLayer.formatVersion };
    const build = { areas: [[-180, -90, 180, 90]], sources: [], previous: [], layers };
    const builds = [
      { ...build, name: "towns", id },
      { ...build, name: "world", id: "base" },
    ];
    bucket.put("live.json", JSON.stringify({ version: 1, builds }));
    return { geodata: await openGeodata(bucket, { now: 0, waitUntil: undefined }), towns };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface TownScore {
  town: string;
  asked: number;
  found: number;
  /** Answers elsewhere that claim to be exact. */
  wrong: number;
  /** Houses that are the first answer at their own position. */
  reversed: number;
  houses: number;
  missed: string[];
}

/** Asks for each house as people write it, and for what is at its position. */
export async function scoreOf(geodata: Geodata, { name, houses }: DrawnTown): Promise<TownScore> {
  const score = {
    town: name,
    asked: 0,
    found: 0,
    wrong: 0,
    reversed: 0,
    houses: houses.length,
    missed: [] as string[],
  };
  const asked = { layers: new Set(LAYERS), limit: 10, language: "en", open: false, now: 0 } as const;
  for (const { at, written, tags } of houses) {
    for (const text of written) {
      score.asked++;
      const [first] = await answersTo(geodata, text, asked);
      const isThis =
        first?.number !== undefined &&
        first.confidence !== "fallback" &&
        distance(at, { latitude: first.latitude, longitude: first.longitude }) <= SAME_HOUSE;
      if (isThis) score.found++;
      else {
        if (first?.confidence === "exact") score.wrong++;
        score.missed.push(`${text} → ${first?.formattedAddress} (${first?.confidence}) ${JSON.stringify(tags)}`);
      }
    }
    const [here] = await addressesAt(geodata, at, new Set(LAYERS), "en", 0);
    if (here?.number !== undefined && (here.distance ?? 99) <= 2) score.reversed++;
  }
  return score;
}
