import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildKey, formatLiveList, LIVE_KEY, parseLiveList } from "../../../../src/core/geo/builds/manifest.ts";
import { unseal } from "../../../../src/core/geo/builds/sealed.ts";
import { readContribution, writeContribution } from "../../../../src/core/routing/learn/contribution.ts";
import type { Drive } from "../../../../src/core/routing/learn/drives.ts";
import { edgesOfTile, type KnownEdge } from "../../../../src/core/routing/learn/edge-facts.ts";
import { FEATURES } from "../../../../src/core/routing/learn/features.ts";
import {
  contributionKey,
  LEARNED_PREFIX,
  newState,
  RESIDUAL_KEY,
  stateKey,
  summaryKey,
} from "../../../../src/core/routing/learn/keys.ts";
import { Observations } from "../../../../src/core/routing/learn/observations.ts";
import { readResidual } from "../../../../src/core/routing/learn/residual.ts";
import { readWeekTile } from "../../../../src/core/routing/learn/week-tile.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../../src/importer/publish/bucket.ts";
import { liveId } from "../../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { learnOnce } from "../../../../src/server/start/nightly-learning.ts";
import { tilesOf } from "../../../bench/importer/learning-town.ts";
import { runInOneProcess } from "../../../server/commands/one-process.ts";
import { randomTown } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";

/** `npm run learn` on a small town: contributions → merged tiles → speeds.csv → a new live build. */

const SCOPE = 3;
const WEEK = 2965;
/** Tuesday, eight in the morning. */
const HOUR = 32;
const RUSH = { day: 1, minute: 8 * 60 + 30 };

let folder: string;
let bucket: Bucket;
let edges: Map<string, KnownEdge>;
let before: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "learn-"));
  const elements = randomTown(12, 7);
  await writePbf(join(folder, "town.osm.pbf"), elements, { bounds: [-8.1, 40.9, -7.9, 41.1] });
  await run("import/import-run", "TOWN", "--layers", "roads");
  bucket = openLocalBucket(join(folder, "state"), geodataBucketName());
  before = await liveId(bucket, "town");
  const { router } = await buildRoads(buildGraph(elements));
  edges = new Map((await tilesOf(router)).flatMap((tile) => [...edgesOfTile(tile)]));
  await bucket.put(stateKey(SCOPE), Buffer.from(JSON.stringify(newState(20_700, 3))));
  for (let device = 1; device <= 4; device++)
    await bucket.put(keyOf(device), await contributionOf(0.5, drivesOf(device, 600)));
});
afterAll(async () => {
  bucket?.close();
  await rm(folder, { recursive: true });
});

const keyOf = (device: number, week = WEEK) => {
  const hash = String(device).padStart(12, "0");
  return contributionKey(SCOPE, week, { device: hash, user: hash });
};

/** A device that drove on every edge at a share of the profile's speed. */
function contributionOf(share: number, drives: Drive[] = []): Promise<Uint8Array> {
  const observations = new Observations();
  for (const [key, { pace }] of edges) for (let i = 0; i < 5; i++) observations.add(key, HOUR, pace / share);
  return writeContribution({ days: 2, observations, drives });
}

/** Journeys that took longer than predicted, by the profile and by learned speeds [s]. */
function drivesOf(device: number, learned: number): Drive[] {
  return Array.from({ length: 200 }, (_, i): Drive => {
    const features = new Float64Array(FEATURES.length);
    features[0] = Math.log(learned + i);
    const times = { profile: 600 + i, learned: learned + i, actual: (learned + i) * (1.3 + ((i + device) % 5) * 0.01) };
    return { day: 20_700 + (i % 7), mode: "car", hour: 8, ...times, features };
  });
}

async function run(script: string, ...words: string[]) {
  const named = words.map((word) => (word === "TOWN" ? join(folder, "town.osm.pbf") : word));
  const places = ["--persist-to", join(folder, "state"), "--cache", join(folder, "cache"), "--threads", "1"];
  const { code, output } = await runInOneProcess(`${script}.ts`, [...named, ...places]);
  expect(output).not.toMatch(/ at .*\.ts:\d/);
  return { code, output };
}

const learn = (...words: string[]) => run("learn/learn-run", "--name", "town", ...words);

/** Time of a route through the live build [s], at a departure or by default. */
async function routeSeconds(departure?: typeof RUSH): Promise<number> {
  const id = (await liveId(bucket, "town"))!;
  const read = async (key: string) => {
    const stored = await bucket.get(buildKey(id, key));
    return stored && unseal(stored.bytes)?.slice();
  };
  const router = (await Router.open({ read }))!;
  const at = (row: number, column: number) => ({ latitude: 41 + row * 0.001, longitude: -8 + column * 0.0013 });
  const route = await router.route([at(1, 1), at(10, 10)], {
    mode: "car",
    reach: 300,
    ...(departure && { departure }),
  });
  return route!.duration;
}

describe("npm run learn", () => {
  it("publishes a build with the speeds of enough devices, whose default speeds remain", {
    timeout: 120_000,
  }, async () => {
    const usual = await routeSeconds();
    const { code, output } = await learn();
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/town is live as build/) });
    expect(await liveId(bucket, "town")).not.toBe(before);
    expect(await routeSeconds()).toBe(usual);
    const slow = await routeSeconds(RUSH);
    expect(slow / usual).toBeGreaterThan(1.5);
    expect(slow / usual).toBeLessThan(2.1);
    const csv = await readFile(join(folder, "cache/kept/town/speeds.csv"), "utf8");
    expect(csv).toMatch(/^from_node,to_node,road_class,days,hours,speed,factor\n,,motorway,/);
    expect(csv).toMatch(/\n\d+,\d+,,[A-Za-z ]*,\d\d:\d\d-\d\d:\d\d,[\d.]+,\n/);
    // No line names a road that is not there.
    expect(output).not.toMatch(/not here/);

    expect((await learn()).output).toMatch(/nothing new was learned/);
    // The journeys were predicted without the speeds that are live now: a model of them would correct twice.
    expect(await bucket.get(RESIDUAL_KEY)).toBeUndefined();
  });

  it("trains the residual model with journeys that learned speeds predicted, and begins again if speeds may have jumped", {
    timeout: 120_000,
  }, async () => {
    const next = async (share: number) => {
      for (let device = 1; device <= 4; device++) {
        await bucket.put(keyOf(device, WEEK + 1), await contributionOf(share, drivesOf(device, 900)));
      }
    };
    await next(0.49);
    await learn("--dry-run");
    expect(await bucket.get(RESIDUAL_KEY)).toBeUndefined();
    expect((await learn()).output).toMatch(/600 journeys, tested with 200 later ones.* It is used/);
    expect((await readResidual((await bucket.get(RESIDUAL_KEY))!.bytes))?.isEnabled).toBe(true);

    const summary = JSON.parse(Buffer.from((await bucket.get(summaryKey("town")))!.bytes).toString("utf8"));
    const old = { ...summary, at: Date.now() - 9 * 86_400_000 };
    await bucket.put(summaryKey("town"), Buffer.from(JSON.stringify(old)));
    await next(0.5);
    expect((await learn()).output).toMatch(/The residual model begins again/);
    expect(await bucket.get(RESIDUAL_KEY)).toBeUndefined();
    await bucket.delete([1, 2, 3, 4].map((device) => keyOf(device, WEEK + 1)));
    await learn();
  });

  it("runs nightly in npm start, only if a project enabled it, with its output in the log", {
    timeout: 120_000,
  }, async () => {
    const lines: string[] = [];
    const log = (_: string, line: string) => lines.push(line);
    expect(await learnOnce({ state: join(folder, "other"), cache: join(folder, "cache"), log })).toBeUndefined();
    expect(lines).toEqual([]);
    expect(await learnOnce({ state: join(folder, "state"), cache: join(folder, "cache"), log })).toBe(0);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      what: "learn",
      line: "town: nothing new was learned.",
    });
    expect(await learnOnce({ state: join(folder, "state"), cache: join(folder, "nothing"), log })).toBe(0);
    expect(lines.at(-1)).toMatch(/No build was imported with .*nothing, so no speeds are published/);
  });

  it("learns all builds at night: one with an operator's speeds does not stop the others, nor does a moved cache", {
    timeout: 120_000,
  }, async () => {
    const moved = join(folder, "moved");
    await cp(join(folder, "cache/kept"), join(moved, "kept"), { recursive: true });
    await cp(join(moved, "kept/town"), join(moved, "kept/another"), { recursive: true });
    const path = join(moved, "kept/another/import.json");
    const kept = JSON.parse(await readFile(path, "utf8"));
    await writeFile(
      path,
      JSON.stringify({ ...kept, name: "another", files: { ...kept.files, speeds: "/my/speeds.csv" } }),
    );
    const list = Buffer.from((await bucket.get(LIVE_KEY))!.bytes);
    const { builds, pages = {} } = parseLiveList(list.toString("utf8"));
    const two = [{ ...builds[0], name: "another" }, ...builds];
    await bucket.put(LIVE_KEY, Buffer.from(formatLiveList(two, { pages, pagesBefore: [] })));
    const lines: string[] = [];
    const log = (_: string, line: string) => lines.push(line);
    const code = await learnOnce({ state: join(folder, "state"), cache: moved, log });
    await bucket.put(LIVE_KEY, list);
    const text = lines.join("\n");
    expect(text).toContain("another was imported with --speeds /my/speeds.csv");
    expect(text).toContain("town: nothing new was learned.");
    expect(text).toContain("Not learned: another.");
    expect(code).toBe(1);
  });

  it("forgets a deleted user with the next merge: with too few devices left, nothing is learned", {
    timeout: 120_000,
  }, async () => {
    await bucket.delete([keyOf(1), keyOf(2)]);
    const { code, output } = await learn();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(await routeSeconds(RUSH)).toBe(await routeSeconds());
    const [tile] = [...(await bucket.list(LEARNED_PREFIX)).keys()].filter((key) => !key.endsWith(".json"));
    const sums = await readWeekTile((await bucket.get(tile))!.bytes);
    expect(new Set([...sums.values()].flatMap((hours) => hours.flatMap(({ devices }) => devices)))).toEqual(
      new Set([3, 4]),
    );
  });

  it("forgets a project that disabled learning, and weeks that are too old", { timeout: 120_000 }, async () => {
    for (let device = 1; device <= 4; device++) await bucket.put(keyOf(device, WEEK + 20), await contributionOf(0.7));
    await learn("--dry-run");
    const weeks = async () => new Set([...(await bucket.list(LEARNED_PREFIX)).keys()].map((key) => key.split("/")[1]));
    expect(await weeks()).toEqual(new Set([String(WEEK + 20)]));
    await bucket.put(stateKey(SCOPE), Buffer.from(JSON.stringify({ ...newState(20_700, 3), disabled: true })));
    expect((await learn("--dry-run")).output).toMatch(/No project has learning enabled/);
    expect(await weeks()).toEqual(new Set());
  });

  it.each<[string[], RegExp]>([
    [["--from", "yesterday"], /--from must be a date/],
    [["--from", "2026-11-02", "--to", "2026-10-02"], /--from must not be after --to/],
    [["--all"], /--name NAME or --all/],
  ])("rejects %j", async (words, sentence) => {
    expect((await learn(...words)).output).toMatch(sentence);
  });

  it("explains a name that was never imported", async () => {
    expect((await run("learn/learn-run", "--name", "nowhere")).output).toMatch(/No import named nowhere/);
  });
});

it("a contribution reads as it was written", async () => {
  const observations = new Observations();
  observations.add("49000000,-110000000,49000100,-110000200", 5, 0.1, 0.02);
  observations.add("49000000,-110000000,49000100,-110000200", 167, 0.2);
  observations.add("-49000000,179999999,-49000100,-179999999", 0, 0.05);
  const features = Float64Array.of(1, 0.5, -2);
  const drive: Drive = { day: 20_600, mode: "bike", hour: 17, profile: 600, learned: 700.5, actual: 712.3, features };
  const bytes = await writeContribution({ days: 65, observations, drives: [drive] });
  const { days, observations: read, drives } = await readContribution(bytes);
  expect(days).toBe(65);
  expect(drives).toEqual([drive]);
  expect([...read.edges.keys()].sort()).toEqual([...observations.edges.keys()].sort());
  for (const [key, hours] of observations.edges) {
    for (const [i, hour] of hours.entries()) {
      const own = read.edges.get(key)![i];
      expect(own).toMatchObject({ hour: hour.hour, count: hour.count });
      expect(own.logs).toBeCloseTo(hour.logs, 2);
      expect(own.squares).toBeCloseTo(hour.squares, 2);
      expect(own.waits).toBeCloseTo(hour.waits, 2);
    }
  }
});
