import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unseal } from "../../../src/core/geo/builds/sealed.ts";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { nearby } from "../../../src/core/geocoding/search/reverse.ts";
import { search } from "../../../src/core/geocoding/search/search.ts";
import { divide } from "../../../src/importer/frame/budget.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { FORWARD } from "../../core/geocoding/index/demo-index.ts";

let folder: string;
let bucket: Bucket;
let elsewhere: Bucket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "update-addresses-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
  elsewhere = openLocalBucket(join(folder, "elsewhere"), "geodata");
});
afterAll(async () => {
  bucket.close();
  elsewhere.close();
  await rm(folder, { recursive: true, force: true });
});

const VILLAGES = 30;
const at = (village: number) => ({ latitude: 44 + 0.9 * (village % 6), longitude: 2 + 1.3 * Math.floor(village / 6) });
const nameOf = (village: number) => `${"bcdfghklmnprst"[village % 14]}a${"lmnrst"[village % 6]}o${village}`;

/** Villages, few to a tile, of some houses along a street of their own and one that all have. */
function villages(houses: ReadonlyMap<number, number>): OsmElement[] {
  const nodes: OsmElement[] = [];
  const ways: OsmElement[] = [];
  for (const [village, count] of houses) {
    const { latitude, longitude } = at(village);
    let id = 1 + 1000 * village;
    const node = (y: number, x: number, tags = {}) => {
      nodes.push({ type: "node", id, latitude: latitude + y, longitude: longitude + x, tags });
      return id++;
    };
    node(0, 0, { place: "village", name: nameOf(village), population: "900" });
    for (const [i, name] of ["Rue Haute", `Rue ${nameOf(village)} Neuve`].entries()) {
      const y = 0.001 * (i + 1);
      const refs = [node(y, 0), node(y, 0.01)];
      ways.push({ type: "way", id: 10 * village + i + 1, refs, tags: { highway: "residential", name } });
      for (let k = 1; k <= count; k++)
        node(y + 0.0001, 0.0001 * k, { "addr:housenumber": `${k}`, "addr:street": name, "addr:city": nameOf(village) });
    }
  }
  return [...nodes, ...ways];
}

async function importVillages(houses: ReadonlyMap<number, number>, to: Bucket, follows: boolean) {
  const path = join(folder, "villages.osm.pbf");
  await writePbf(path, villages(houses), { bounds: [1, 43, 11, 50] });
  const name = to === bucket ? "kept" : "whole";
  const given = { name: "villages", extracts: [path], files: { addresses: [] }, layers: [addressesLayer], follows };
  const where = { cache: join(folder, name), bucket: to, ...(to === bucket && { parts: join(folder, "parts") }) };
  const { manifest, sent } = await importGeodata({ ...given, ...where, reporter: silent, budget: divide(8e9, 1) });
  const objects = new Map<string, Uint8Array>();
  const prefix = `builds/${manifest.id}/`;
  for (const key of (await to.list(`${prefix}addresses/`)).keys())
    objects.set(key.slice(prefix.length), unseal((await to.get(key))!.bytes)!);
  return { objects, sent, index: new AddressIndex(keepDecoded(memorySource(objects))) };
}

it("an update of addresses answers as an import from nothing does, and leaves lists of words where no word is new", {
  timeout: 120_000,
}, async () => {
  const houses = new Map(Array.from({ length: VILLAGES }, (_, village) => [village, 10 + 3 * village]));
  const first = await importVillages(houses, bucket, false);
  const namesIn = ({ objects }: { objects: ReadonlyMap<string, Uint8Array> }) =>
    [...objects.keys()].filter((key) => key.startsWith("addresses/names/")).length;
  expect(namesIn(first)).toBeGreaterThan(VILLAGES / 2);

  // Some more houses: the village has more than the next three now.
  houses.set(4, (houses.get(4) ?? 0) + 11);
  const second = await importVillages(houses, bucket, true);
  const whole = await importVillages(houses, elsewhere, false);
  const changed = [...second.objects].filter(([key, bytes]) =>
    Buffer.compare(bytes, first.objects.get(key) ?? Buffer.of()),
  );
  // Names tell how long the details of each street are.
  expect(changed.map(([key]) => key.split("/")[1]).sort()).toEqual(["coverage", "houses", "names"]);
  expect(Buffer.compare(whole.objects.get("addresses/words/0")!, first.objects.get("addresses/words/0")!)).not.toBe(0);

  // One is gone, one is new.
  houses.delete(7);
  houses.set(VILLAGES, 25);
  const third = await importVillages(houses, bucket, true);
  const anew = await importVillages(houses, elsewhere, false);
  for (const [one, other] of [
    [second, whole],
    [third, anew],
  ] as const) {
    expect(namesIn(one)).toBe(namesIn(other));
    for (const village of [0, 4, 7, 8, 13, VILLAGES]) {
      for (const text of [`3 Rue ${nameOf(village)} Neuve`, `5 Rue Haute, ${nameOf(village)}`, nameOf(village)])
        expect(await search([one.index], text, FORWARD), text).toEqual(await search([other.index], text, FORWARD));
      const { latitude, longitude } = at(village);
      const point = { latitude: latitude + 0.0011, longitude: longitude + 0.0005 };
      expect(await nearby([one.index], point, "en")).toEqual(await nearby([other.index], point, "en"));
      const near = { ...FORWARD, near: point };
      const beside = await search([one.index], "7 Rue Haute", near);
      expect(beside).toEqual(await search([other.index], "7 Rue Haute", near));
    }
  }
});
