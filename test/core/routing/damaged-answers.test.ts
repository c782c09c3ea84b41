import { beforeAll, describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { MANIFEST_KEY } from "../../../src/core/routing/graph/pack.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { randomTown } from "./graph/random-town.ts";
import { buildRoads } from "./graph/road-build.ts";
import { pointMaker } from "./search/compare.ts";

/** What the routing endpoints answer when objects of the roads cannot be read. The endpoints run here without a server. */

let objects: Map<string, Uint8Array>;
let places: string[];
let builds = 0;

beforeAll(async () => {
  const made = await buildRoads(buildGraph(randomTown(30, 4)), [16, 64, 256]);
  objects = made.objects;
  const point = pointMaker(made.build, 3);
  places = Array.from({ length: 4 }, () => {
    const { latitude, longitude } = point();
    return `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
  });
}, 60_000);

/** A bucket with one live build of the town, in which `spoil` says what becomes of an object. */
function bucketWith(spoil: (key: string, bytes: Uint8Array) => Uint8Array | undefined): FakeBucket {
  const bucket = new FakeBucket();
  const id = `damaged-${++builds}`;
  const build = { name: id, id, areas: [[-180, -90, 180, 90]], layers: { roads: 2 }, sources: [], previous: [] };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [build] }));
  for (const [key, bytes] of objects) {
    const left = spoil(key, bytes);
    if (left) bucket.put(`builds/${id}/${key}`, left);
  }
  return bucket;
}

type Answer = { body: Record<string, never>; leftOut: string[] };

async function ask(bucket: FakeBucket, file: string, fields: Record<string, unknown>): Promise<Answer> {
  // By name: these modules know the Worker's types, which tests do not have.
  const endpoint = (await import(new URL(`../../../src/worker/http/routes/${file}.ts`, import.meta.url).href))[file];
  const leftOut = new Set<string>();
  const call = {
    params: {},
    caller: { settings: {} },
    env: { GEODATA: bucket },
    now: Date.now(),
    request: new Request("https://api.example.com/"),
    query: endpoint.query?.parse(fields),
    body: endpoint.body?.parse(fields),
    pace: unpaced(),
    waitUntil: () => undefined,
    leftOut: (what: string) => leftOut.add(what),
  };
  return { body: await endpoint.handle(call), leftOut: [...leftOut] };
}

const cutShort = (bytes: Uint8Array) => bytes.slice(0, bytes.length >> 1);
const isTile = (key: string) => key.startsWith("roads/tiles/");

describe.each([
  ["whose tiles are all damaged", (key: string, bytes: Uint8Array) => (isTile(key) ? cutShort(bytes) : bytes)],
  ["whose tiles are missing", (key: string, bytes: Uint8Array) => (isTile(key) ? undefined : bytes)],
  ["whose manifest is damaged", (key: string, bytes: Uint8Array) => (key === MANIFEST_KEY ? cutShort(bytes) : bytes)],
])("a road network %s", (_, spoil) => {
  const asking = (file: string, fields: Record<string, unknown>) => ask(bucketWith(spoil), file, fields);

  it("leaves every mode of a distance unavailable, and says why", async () => {
    const { body, leftOut } = await asking("distance", {
      origin: places[0],
      destination: places[1],
      modes: "car,foot",
    });
    expect(Object.keys(body.routes)).toEqual(["geodesic"]);
    const message = "Some of the roads are temporarily unavailable.";
    expect(body.unavailable).toEqual([
      { mode: "car", message },
      { mode: "foot", message },
    ]);
    expect(leftOut).toEqual(["roads"]);
  });

  it("leaves every cell of a matrix without numbers, and says why", async () => {
    const sides = places.slice(0, 2).join("|");
    const { body, leftOut } = await asking("matrix", { origins: sides, destinations: sides, mode: "car" });
    const cells = (body.matrix as { reason: string }[][]).flat();
    for (const cell of cells) {
      expect(cell).not.toHaveProperty("duration");
      expect(cell.reason).toContain("temporarily unavailable");
    }
    expect(leftOut).toEqual(["roads"]);
  });

  it("has no directions, no order and nothing to match", async () => {
    const locations = places.join("|");
    const directions = await asking("directions", { locations });
    const unavailable = "Some of the roads are temporarily unavailable.";
    expect([directions.body, directions.leftOut]).toEqual([{ routes: [], unavailable }, ["roads"]]);
    const optimized = await asking("optimize", { locations });
    expect(optimized.body).toEqual({ unavailable });
    expect(optimized.leftOut).toEqual(["roads"]);
    const path = places.map((coordinates) => ({ coordinates }));
    const matched = await asking("match", { path });
    expect([matched.body.matchedPath, matched.leftOut]).toEqual([[], ["roads"]]);
  });
});

describe("a road network whose overlay is damaged", () => {
  it("answers as a sound one, and says what it had to do without", async () => {
    const query = { origin: places[0], destination: places[1], modes: "car,bike", geometry: "polyline6" };
    const sound = await ask(
      bucketWith((_, bytes) => bytes),
      "distance",
      query,
    );
    expect(sound.leftOut).toEqual([]);
    const spoilt = await ask(
      bucketWith((key, bytes) => (/^roads\/(bundles|packs)\//.test(key) ? undefined : bytes)),
      "distance",
      query,
    );
    expect(spoilt.leftOut).toEqual(["roads"]);
    expect(spoilt.body.routes).toEqual(sound.body.routes);
  });
});
