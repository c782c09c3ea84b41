import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildKey, LIVE_KEY } from "../../../src/core/geo/builds/manifest.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { type PlatformWorker, startPlatform } from "../../bench/worker.ts";
import { wholeFiles } from "../../support/whole-files.ts";
import { street } from "./street.ts";

const DAMAGES: [name: string, west: number, damage: (bytes: Uint8Array) => Uint8Array | undefined][] = [
  ["flipped", -111.2, (bytes) => bytes.map((byte, i) => (i % 50 === 20 ? byte ^ 1 : byte))],
  ["cut-short", -101.2, (bytes) => bytes.slice(0, bytes.length / 3)],
  ["missing", -91.2, () => undefined],
];

/** A Worker of its own, as here everything that is live is broken. */
let platform: PlatformWorker;
let r2: Bucket;
/** Everything as it was published. */
const objects = new Map<string, Uint8Array>();

const memory: Bucket = {
  where: "a map",
  get: async (name) => (objects.has(name) ? { bytes: objects.get(name)!, etag: "" } : undefined),
  list: async () => new Map(),
  folders: async () => [],
  put: async (name, bytes) => objects.set(name, bytes).size > 0,
  async putMany(all) {
    for await (const { key: name, bytes } of all) objects.set(name, bytes);
  },
  ...wholeFiles(
    (name) => objects.get(name),
    (name, bytes) => objects.set(name, bytes),
  ),
  async delete() {},
  close() {},
};

beforeAll(async () => {
  platform = await startPlatform({});
  r2 = openLocalBucket(platform.state, geodataBucketName());
  const folder = await mkdtemp(join(tmpdir(), "graticule-damage-"));
  for (const [name, west] of DAMAGES) {
    const extract = join(folder, `${name}.osm.pbf`);
    await writePbf(extract, street(west));
    const files = { addresses: [] };
    await importGeodata({ name, extracts: [extract], files, layers, cache: folder, bucket: memory, reporter: silent });
  }
  await rm(folder, { recursive: true });
}, 240_000);
afterAll(async () => {
  r2?.close();
  await platform?.stop();
});

/** Writes all that is live, each build with its damage or as it was. */
async function store(damaged: boolean): Promise<void> {
  const { builds } = JSON.parse(Buffer.from(objects.get(LIVE_KEY)!).toString()) as {
    builds: { name: string; id: string }[];
  };
  for (const { name, id } of builds) {
    const damage = DAMAGES.find(([one]) => one === name)![2];
    for (const [path, bytes] of objects) {
      if (!path.startsWith(buildKey(id, ""))) continue;
      const stored = damaged ? damage(bytes) : bytes;
      if (stored) await r2.put(path, stored);
    }
  }
  await r2.put(LIVE_KEY, objects.get(LIVE_KEY)!);
}

/** Waits until it is so, at most a minute: a Worker reads what is live again after seconds. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()) && Date.now() < end; ) await sleep(500);
}

/** All builds but the first one of DAMAGES. */
const others = (builds: { name: string }[]) => builds.filter(({ name }) => name !== DAMAGES[0][0]);

interface Answer {
  status: number;
  leftOut: string;
  text: string;
}

async function ask(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${platform.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: platform.keys.testPublishable,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    leftOut: response.headers.get("x-graticule-left-out") ?? "",
    text: await response.text(),
  };
}

/** What is asked about a street, and what of a whole answer shows that it was found. */
const QUESTIONS = (west: number): [path: string, layer: string, found: RegExp, body?: unknown][] => {
  const at = `48.9,${west}`;
  const x = Math.floor(((west + 180) / 360) * 2 ** 14);
  const track = { deviceId: crypto.randomUUID(), userId: `user${west}`, latitude: 48.9, longitude: west, accuracy: 10 };
  return [
    [`/v1/context?coordinates=${at}`, "regions", /"country":\{/],
    [`/v1/search/places?near=${at}&categories=bakery&radius=500`, "places", /Bakery/],
    [`/v1/geocode/forward?query=2+Lindenweg,+Meridale`, "addresses", /Lindenweg/],
    [`/v1/geocode/reverse?coordinates=${at}`, "addresses", /Lindenweg/],
    [`/v1/search/autocomplete?query=Lindenw&near=${at}`, "addresses", /Lindenweg/],
    [
      `/v1/route/distance?origin=${at}&destination=48.9,${west + 0.01}&modes=car&units=metric`,
      "roads",
      /"car":\{"distance":\{"value":73\d/,
    ],
    [`/maps/tiles/14/${x}/5633.mvt`, "basemap", /Lindenweg/],
    [`/v1/track`, "regions", /"success"|"user"/, track],
  ];
};

describe("a Worker whose live geodata is damaged all over", () => {
  it("answers every question, says what it did without, and is whole soon after the repair, without a restart", async () => {
    await store(true);
    // Nothing is known of the world before the first request, so nothing is kept from better days.
    for (const [name, west] of DAMAGES) {
      for (const [path, layer, , body] of QUESTIONS(west)) {
        const { status, leftOut, text } = await ask(path, body);
        expect(status, `${name} ${path}: ${text}`).toBeLessThan(300);
        expect(leftOut.split(", "), `${name} ${path}`).toContain(layer);
      }
    }
    await store(false);
    await eventually(async () => {
      for (const [, west] of DAMAGES)
        for (const [path, , found, body] of QUESTIONS(west)) {
          const { leftOut, text } = await ask(path, body);
          if (leftOut !== "" || !found.test(text)) return false;
        }
      return true;
    });
    for (const [name, west] of DAMAGES) {
      for (const [path, , found, body] of QUESTIONS(west)) {
        const { status, leftOut, text } = await ask(path, body);
        expect([status, leftOut], `${name} ${path}`).toEqual([200, ""]);
        expect(text, `${name} ${path}`).toMatch(found);
      }
    }
  }, 180_000);

  it("goes on when the list of what is live is damaged, and takes up the next whole one", async () => {
    const context = `/v1/context?coordinates=48.9,${DAMAGES[0][1]}`;
    await r2.put(LIVE_KEY, Buffer.from("{ damaged"));
    for (let i = 0; i < 12; i++) {
      expect(await ask(context)).toMatchObject({ status: 200, text: expect.stringContaining("United States") });
      await sleep(1000);
    }
    const list = JSON.parse(Buffer.from(objects.get(LIVE_KEY)!).toString());
    await r2.put(LIVE_KEY, Buffer.from(JSON.stringify({ version: 1, builds: others(list.builds) })));
    await eventually(async () => !(await ask(context)).text.includes("United States"));
    expect((await ask(context)).text).not.toContain("United States");
  }, 180_000);

  it("answers through a rollback under way: requests see the one build or the other, never an error", async () => {
    const list = JSON.parse(Buffer.from(objects.get(LIVE_KEY)!).toString());
    const without = Buffer.from(JSON.stringify({ version: 1, builds: others(list.builds) }));
    const whole = Buffer.from(JSON.stringify({ version: 1, builds: list.builds }));
    const until = Date.now() + 14_000;
    let switched = 0;
    while (Date.now() < until) {
      await r2.put(LIVE_KEY, switched++ % 2 === 0 ? whole : without);
      const answers = await Promise.all(QUESTIONS(DAMAGES[0][1]).map(([path, , , body]) => ask(path, body)));
      for (const { status, leftOut, text } of answers) expect([status < 300, leftOut], text).toEqual([true, ""]);
      await sleep(700);
    }
  }, 180_000);
});
