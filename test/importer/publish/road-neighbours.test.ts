import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bounds, LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import { neighboursIn } from "../../../src/core/geo/builds/neighbours.ts";
import { savePreviousImport } from "../../../src/importer/frame/stores/previous-import.ts";
import { roadNeighbours } from "../../../src/importer/publish/road-neighbours.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { areApart, pairsByBuild } from "../../../src/worker/geodata/roads.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";

const build = (name: string, ...areas: Bounds[]): LiveBuild => ({
  name,
  id: `id-${name}`,
  areas,
  layers: { roads: 3 },
  sources: [],
  previous: [],
});
const found = (...builds: LiveBuild[]) =>
  neighboursIn(builds, "roads").map(({ a, b, how }) => `${a.name} ${b.name} ${how}`);

/** Along a meridian:  |-- west --|-- east --|      |-- far --| */
const west = build("west", [0, 50, 1, 51]);
const east = build("east", [1, 50, 2, 51]);
const far = build("far", [3, 50, 4, 51]);

describe("roads of two live builds", () => {
  it("touch along a border, overlap where they share ground, and are apart some hundred metres on", () => {
    expect(found(west, east, far)).toEqual(["west east touch"]);
    expect(found(west, build("half", [0.5, 50, 1.5, 51]))).toEqual(["west half overlap"]);
    // 0.005 degrees of longitude are 355 m here, 0.003 are 213.
    expect(found(west, build("behind a river", [1.003, 50, 2, 51]))).toEqual(["west behind a river touch"]);
    expect(found(west, build("behind a lake", [1.005, 50, 2, 51]))).toEqual([]);
  });

  it("meet across the 180th meridian", () => {
    expect(found(build("fiji", [177, -19, -179, -16]), build("tonga", [-179, -19, -175, -16]))).toEqual([
      "fiji tonga touch",
    ]);
    expect(found(build("a", [179, 0, 180, 1]), build("b", [-180, 0, -179, 1]))).toEqual(["a b touch"]);
  });

  it("of which one lies in the other are no neighbours, nor is the world, nor a build without roads", () => {
    expect(found(build("town", [0.2, 50.2, 0.3, 50.3]), west)).toEqual([]);
    expect(found(build("world", [-180, -90, 180, 90]), west)).toEqual([]);
    expect(found({ ...east, layers: { places: 3 } }, west)).toEqual([]);
  });

  it("hold a route's ends apart only where no build holds both", () => {
    const at = (longitude: number) => ({ latitude: 50.5, longitude });
    const both = Geodata.of(new FakeBucket(), [west, east]);
    expect(areApart(both, [at(0.5), at(1.5)])).toBe(true);
    expect(areApart(both, [at(0.5), at(0.6)])).toBe(false);
    // Where nothing was imported at all is another matter.
    expect(areApart(both, [at(0.5), at(7)])).toBe(false);
    expect(areApart(Geodata.of(new FakeBucket(), [west, east, build("all", [0, 50, 2, 51])]), [at(0.5), at(1.5)])).toBe(
      false,
    );
  });
});

describe("a request between them", () => {
  const CASES: [file: string, fields: Record<string, unknown>][] = [
    ["distance", { origin: "50.5,0.5", destination: "50.5,1.5", modes: "car" }],
    ["directions", { locations: "50.5,0.5|50.5,1.5" }],
    ["optimize", { locations: "50.5,0.5|50.5,0.6|50.5,1.5" }],
  ];
  it.each(CASES)("%s: is told why there is no way", async (name, fields) => {
    const bucket = new FakeBucket();
    bucket.put("live.json", JSON.stringify({ version: 1, builds: [west, east] }));
    const { [name]: endpoint } = await import(
      new URL(`../../../src/worker/http/routes/${name}.ts`, import.meta.url).href
    );
    const left: string[] = [];
    const answer = await endpoint.handle({
      params: {},
      caller: { settings: {} },
      env: { GEODATA: bucket },
      now: 6000,
      waitUntil: () => {},
      query: endpoint.query.parse(fields),
      leftOut: (what: string) => left.push(what),
      credit: () => {},
    });
    expect(JSON.stringify(answer.unavailable)).toContain("imported separately");
    expect(left).toContain("roads-between-imports");
  });
});

describe("a matrix over both", () => {
  it("has each pair in the build of its two points, and those between them in none", () => {
    const at = (longitude: number) => ({ latitude: 50.5, longitude });
    const both = Geodata.of(new FakeBucket(), [west, east]);
    const [origins, destinations] = [
      [at(0.5), at(1.5), at(7)],
      [at(1.6), at(0.6)],
    ];
    const parts = pairsByBuild(both, origins, destinations);
    const pairs = parts.map((part) => origins.map((_, i) => destinations.map((_, j) => part.has(i, j))));
    // A point in no import belongs to the other one's build.
    expect(pairs).toEqual([
      [
        [false, true],
        [false, false],
        [false, true],
      ],
      [
        [false, false],
        [true, false],
        [true, false],
      ],
    ]);
    expect(parts.map((part) => part.destinations)).toEqual([[1], [0]]);
    const [whole, ...others] = pairsByBuild(both, [at(0.5), at(0.6)], [at(0.7)]);
    expect([whole.origins, whole.destinations, others]).toEqual([[0, 1], [0], []]);
  });

  it("tells only the pairs between them that the imports are separate", async () => {
    const bucket = new FakeBucket();
    bucket.put("live.json", JSON.stringify({ version: 1, builds: [west, east] }));
    const { matrix } = await import(new URL("../../../src/worker/http/routes/matrix.ts", import.meta.url).href);
    const call = {
      ...{
        params: {},
        caller: { settings: {} },
        env: { GEODATA: bucket },
        now: 6000,
        request: new Request("http://a"),
      },
      ...{ waitUntil: () => {}, leftOut: () => {}, credit: () => {} },
      query: matrix.query.parse({ origins: "50.5,0.5|50.5,1.5", destinations: "50.5,0.6|50.5,1.6", mode: "car" }),
    };
    const answer = (await matrix.handle(call)) as { matrix: { reason?: string }[][] };
    const isApart = answer.matrix.map((row) => row.map(({ reason }) => reason?.includes("imported separately")));
    expect(isApart).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});

describe("the operator", () => {
  let cache: string;
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), "graticule-neighbours-"));
  });
  afterAll(() => rm(cache, { recursive: true }));

  it("is told the command that imports both together, with the files as they were named", async () => {
    const files = { addresses: [] };
    await savePreviousImport(cache, {
      version: 1,
      name: "west",
      extracts: ["/data/my west.osm.pbf"],
      files,
      layers: ["roads"],
    });
    const inputsOf = async () => [{ name: "east.osm.pbf", bytes: 1, sha256: "" }];
    const [advice, ...others] = await roadNeighbours([east, far, west], inputsOf, cache, "west");
    expect(others).toEqual([]);
    expect(advice.text).toBe(
      "The roads of west and east touch, and were imported apart: no route leads from one to the other. To have one, import " +
        "them together: npm run import -- '/data/my west.osm.pbf' east.osm.pbf --name west; then: npm run geodata -- remove east",
    );
    expect(await roadNeighbours([east, far, west], inputsOf, cache, "far")).toEqual([]);
  });
});
