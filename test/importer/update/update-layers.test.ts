import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { divide } from "../../../src/importer/frame/budget.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { basemapLayer } from "../../../src/importer/layers/basemap/basemap-layer.ts";
import { roadsLayer } from "../../../src/importer/layers/roads/roads-layer.ts";
import type { OsmElement, OsmNode, OsmWay } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import { samples } from "../../support/night.ts";

let folder: string;
let bucket: Bucket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "update-layers-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterAll(async () => {
  bucket.close();
  await rm(folder, { recursive: true, force: true });
});

/** Streets that cross in a grid, in two languages, houses along them, lines between houses, a town and shops. */
function town(): Map<string, OsmElement> {
  const all = new Map<string, OsmElement>();
  const draw = randomFrom(7);
  const put = (element: OsmElement) => all.set(`${element.type} ${element.id}`, element);
  const node = (id: number, x: number, y: number, tags = {}) =>
    put({ type: "node", id, longitude: 7.4 + x / 1000, latitude: 47.1 + y / 1000, tags });
  for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) node(1000 + y * SIDE + x, 3 * x, 3 * y);
  let id = 5000;
  for (let i = 0; i < SIDE; i++) {
    const across = Array.from({ length: SIDE }, (_, k) => 1000 + i * SIDE + k);
    const along = Array.from({ length: SIDE }, (_, k) => 1000 + k * SIDE + i);
    const names = { name: `Weg ${i}`, "name:fr": `Chemin ${i}` };
    put({ type: "way", id: id++, refs: across, tags: { highway: "residential", ...names } });
    put({ type: "way", id: id++, refs: along, tags: { highway: "tertiary", name: `Gasse ${i}` } });
    for (let k = 0; k < 40; k++) {
      const tags = { "addr:housenumber": `${k + 1}`, "addr:street": `Weg ${i}`, "addr:postcode": `25${10 + (k % 3)}` };
      node(10_000 + i * 100 + k, draw() * 3 * SIDE, 3 * i + draw(), tags);
    }
    const [first, last] = [20_000 + 2 * i, 20_001 + 2 * i];
    node(first, 1, 3 * i + 1, { "addr:housenumber": "101", "addr:street": `Gasse ${i}` });
    node(last, 9, 3 * i + 1, { "addr:housenumber": "121", "addr:street": `Gasse ${i}` });
    put({ type: "way", id: 30_000 + i, refs: [first, last], tags: { "addr:interpolation": "odd" } });
    node(40_000 + i, 3 * i, 3 * i + 1.5, { shop: "bakery", name: `Bäckerei ${i}` });
    node(50_000 + i, 3 * i, 3 * i + 2, { "addr:housenumber": `${i + 1}` });
    put({
      type: "relation",
      id: 60_000 + i,
      tags: { type: "associatedStreet", name: `Ring ${i}` },
      members: [{ type: "node", ref: 50_000 + i, role: "house" }],
    });
  }
  node(70_000, 8, 8, { place: "town", name: "Biel", population: "50000" });
  const corners = [
    [-1, -1],
    [11.5, -1],
    [11.5, 30],
    [-1, 30],
  ];
  for (const [i, [x, y]] of corners.entries()) node(80_000 + i, x, y);
  const outline = [0, 1, 2, 3, 0].map((i) => 80_000 + i);
  put({ type: "way", id: 80_000, refs: outline, tags: { boundary: "administrative" } });
  put({
    type: "relation",
    id: 80_000,
    members: [{ type: "way", ref: 80_000, role: "outer" }],
    tags: { type: "boundary", boundary: "administrative", admin_level: "8", name: "Nidau" },
  });
  return all;
}
const SIDE = 8;
const ROUNDS = samples(2, 3);

const ORDER = { node: 0, way: 1, relation: 2 };

async function extractOf(elements: ReadonlyMap<string, OsmElement>): Promise<string> {
  const path = join(folder, "town.osm.pbf");
  const list = [...elements.values()].sort((a, b) => ORDER[a.type] - ORDER[b.type] || a.id - b.id);
  await writePbf(path, list, { bounds: [7.395, 47.095, 7.43, 47.135] });
  return path;
}

/**
 * A house that moves, comes, goes; a street with another name; another town; a border that runs between other houses; a line
 * between houses that ends elsewhere.
 */
function edit(elements: Map<string, OsmElement>, draw: () => number, round: number): void {
  const any = (from: number, count: number) => from + Math.floor(draw() * count);
  const house = `node ${10_000 + 100 * any(0, SIDE) + any(0, 40)}`;
  const there = elements.get(house) as OsmNode | undefined;
  if (there) elements.set(house, { ...there, longitude: there.longitude + 0.0001 });
  const fresh = { "addr:housenumber": `${200 + round}`, "addr:street": "Weg 1", "addr:postcode": "2599" };
  elements.set(`node ${9_000 + round}`, {
    type: "node",
    id: 9_000 + round,
    longitude: 7.401,
    latitude: 47.1031,
    tags: fresh,
  });
  elements.delete(`node ${10_000 + 100 * any(0, SIDE) + any(0, 40)}`);
  const street = elements.get(`way ${any(5000, 2 * SIDE)}`) as OsmWay;
  elements.set(`way ${street.id}`, { ...street, tags: { ...street.tags, name: `Neue Strasse ${round}` } });
  // The first time past houses, then where none stands.
  const corner = elements.get("node 80002") as OsmNode;
  elements.set("node 80002", { ...corner, longitude: corner.longitude + (round === 1 ? 0.004 : 0.000_001) });
  if (round === 1) {
    const end = elements.get("node 20001") as OsmNode;
    elements.set("node 20001", { ...end, tags: { ...end.tags, "addr:housenumber": "131" } });
  }
  if (round === ROUNDS - 1) {
    const centre = elements.get("node 70000") as OsmNode;
    elements.set("node 70000", { ...centre, tags: { ...centre.tags, name: "Bienne" } });
  }
}

/** More memory than this process holds: with 512 MB in a process of many tests, these imports took many times as long. One thread starts none. */
const budget = divide(8e9, 1);

describe("an update", () => {
  it("makes of random edits, with what it kept, the very objects that an import from nothing makes", {
    timeout: 180_000,
  }, async () => {
    const layers: Layer[] = [addressesLayer, roadsLayer, basemapLayer];
    const elements = town();
    const draw = randomFrom(11);
    const parts = join(folder, "parts");
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) edit(elements, draw, round);
      const extract = await extractOf(elements);
      const given = { name: "town", extracts: [extract], files: { addresses: [] }, layers, reporter: silent, budget };
      const updated = await importGeodata({ ...given, cache: join(folder, "cache"), bucket, parts });
      const whole = await importGeodata({ ...given, cache: join(folder, `cache-${round}`) });
      expect(updated.manifest).toEqual(whole.manifest);
      if (round > 0) expect(updated.parts.found).toBeGreaterThan(0);
    }
  });
});
