import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import type { Language } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { splitHouseNumbers } from "../../../../src/core/geocoding/words/house-number.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import { ImportedElements } from "../../../../src/importer/frame/layer-input.ts";
import { StepFolder } from "../../../../src/importer/frame/stores/step-folder.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { HouseContext } from "../../../../src/importer/layers/addresses/records/house-context.ts";
import { unitsOf } from "../../../../src/importer/layers/addresses/records/house-facts.ts";
import { importanceOf, Settlements } from "../../../../src/importer/layers/addresses/records/settlements.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import { type ElementStore, readExtracts } from "../../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { randomFrom } from "../../../core/geocoding/sample.ts";
import { layerOutput, testResources } from "../../../core/regions/layer-harness.ts";
import { samples } from "../../../support/night.ts";

const HOUSES = samples(5_000, 14_000);

/**
 * An island of three towns in the middle of the Atlantic, where the base of the world has nothing: streets that run through many cells,
 * with names in German here and there, houses with postal codes that no region is drawn for, lists of units so that
 * there is something to sort.
 */
function island(): OsmElement[] {
  const random = randomFrom(7);
  const [south, west] = [30, -40];
  const elements: OsmElement[] = [];
  let id = 1;
  const node = (at: Coordinate, tags: Record<string, string> = {}) => {
    const grid = (value: number) => Math.round(value * 1e7) / 1e7;
    elements.push({ type: "node", id, latitude: grid(at.latitude), longitude: grid(at.longitude), tags });
    return id++;
  };
  for (const [i, name] of ["Atlantis", "Thule", "Avalon"].entries())
    node(
      { latitude: south + 0.1 + i * 0.2, longitude: west + 0.3 },
      { place: "city", name, "name:de": `${name}stadt` },
    );
  const units = Array.from({ length: 60 }, (_, i) => `U${i}`).join(";");
  for (let i = 0; i < HOUSES; i++) {
    // Three quarters of them stand close together, so that cells of many sizes are tiles.
    const spread = i % 4 === 0 ? 0.6 : 0.05;
    const at = { latitude: south + 0.05 + random() * spread, longitude: west + 0.05 + random() * spread };
    const street = `Street ${Math.floor(random() * 60)}`;
    node(at, {
      "addr:housenumber": i % 50 === 0 ? `${i};${i + 1}` : `${1 + (i % 300)}`,
      "addr:street": street,
      "addr:postcode": `A${Math.floor(random() * 40)}1`,
      ...(i % 3 > 0 && { "addr:unit": units }),
    });
  }
  const ways: OsmElement[] = [];
  for (let i = 0; i < 600; i++) {
    const at = { latitude: south + random() * 0.6, longitude: west + random() * 0.6 };
    const refs = [0, 1, 2, 3].map((k) =>
      node({ latitude: at.latitude + k * 0.006, longitude: at.longitude + k * 0.004 }),
    );
    const number = Math.floor(random() * 60);
    const german = number % 2 === 0 && i % 3 === 0 && { "name:de": `Straße ${number} ${i % 4}` };
    ways.push({ type: "way", id: i + 1, refs, tags: { highway: "residential", name: `Street ${number}`, ...german } });
  }
  return [...elements, ...ways];
}

const world = island();

/** The same island, all of it held in memory and packed at once. */
function atOnce(): Map<string, Uint8Array> {
  const settlements = new Settlements();
  const collector = new AddressCollector();
  const where = new HouseContext(() => ({}), settlements);
  const places = new Map<number, Coordinate>();
  const namesOf = (german: string | undefined) => (german ? ([["de", german]] as [Language, string][]) : []);
  for (const one of world) {
    if (one.type !== "node") continue;
    places.set(one.id, { latitude: one.latitude, longitude: one.longitude });
    if (one.tags.place) settlements.add(one.tags, one);
  }
  for (const one of world) {
    if (one.type !== "node" || !one.tags.place) continue;
    const { context } = {
      context: { city: "", borough: "", neighborhood: "", county: "", stateCode: "", state: "", countryCode: "" },
    };
    const importance = importanceOf(200_000);
    const { latitude, longitude } = one;
    const names = namesOf(one.tags["name:de"]);
    collector.entry({
      kind: "locality",
      name: one.tags.name,
      context,
      postalCode: "",
      latitude,
      longitude,
      importance,
      names,
    });
  }
  const codes = new Map<string, { count: number; latitude: number; longitude: number; context: number }>();
  for (const one of world) {
    if (one.type !== "node" || !one.tags["addr:street"]) continue;
    const at = { latitude: one.latitude, longitude: one.longitude };
    const { context, postalCode } = where.of(one.tags, at);
    const number = collector.context(context);
    const street = collector.street(one.tags["addr:street"], number, postalCode);
    for (const house of splitHouseNumbers(one.tags["addr:housenumber"])) {
      collector.house(street, house, at, { units: unitsOf(one.tags["addr:unit"] ?? "", true) });
      const sum = codes.get(postalCode) ?? { count: 0, latitude: 0, longitude: 0, context: number };
      sum.count++;
      sum.latitude += collector.houses.latitude[collector.houses.count - 1] / 1e5;
      sum.longitude += collector.houses.longitude[collector.houses.count - 1] / 1e5;
      codes.set(postalCode, sum);
    }
  }
  for (const one of world) {
    if (one.type !== "way") continue;
    const line = one.refs.map((ref) => places.get(ref)!);
    const { context, postalCode } = where.of({}, line[line.length >> 1]);
    const names = namesOf(one.tags["name:de"]);
    collector.line(collector.street(one.tags.name, collector.context(context), postalCode, names), line);
  }
  for (const [postalCode, { count, latitude, longitude, context }] of codes) {
    collector.entry({
      kind: "postalCode",
      name: postalCode,
      context: collector.contexts[context],
      postalCode,
      latitude: latitude / count,
      longitude: longitude / count,
      importance: 90,
    });
  }
  return new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
}

describe("addresses, bucket by bucket", () => {
  const folder = mkdtempSync(join(tmpdir(), "addresses-"));
  let store: ElementStore;
  let work: StepFolder;

  beforeAll(async () => {
    const path = join(folder, "island.osm.pbf");
    await writePbf(path, world);
    work = await StepFolder.open(join(folder, "work"), silent);
    store = await readExtracts([path], addressesLayer.reads, work);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  const build = async (resources: Parameters<typeof testResources>[0]) => {
    const elements = await ImportedElements.open(store, { addresses: [] });
    const { objects, counts, out } = layerOutput();
    const input = elements.forLayer(addressesLayer.reads, (what) => out.count(what), testResources(resources));
    await addressesLayer.build(input, out, quiet);
    return { objects, counts };
  };

  it("are what they are when packed all at once, within any memory and by any number of threads", async () => {
    const expected = atOnce();
    expect([...expected.keys()].filter((key) => key.startsWith("addresses/names/")).length).toBeGreaterThan(20);
    const sizes = [{ memory: 1e9 }, { memory: 1 }, { memory: 4e6, threads: 1 }, { memory: 1e9, threads: 2 }];
    const found = [];
    for (const size of sizes) found.push(await build(size));
    for (const { objects, counts } of found) {
      expect([...objects.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, bytes] of expected)
        if (Buffer.compare(bytes, objects.get(key)!) !== 0) expect.fail(`${key} differs`);
      expect(counts).toEqual(found[0].counts);
    }
    expect(found[0].counts).toMatchObject({
      addresses: HOUSES + HOUSES / 50,
      localities: 3,
      "regions: postalCode": 40,
      "pieces of streets": 600,
    });
  }, 120_000);

  it("go on from the last finished step, wherever they were interrupted", async () => {
    const path = (name: string) => join(folder, `resumed-${name}`);
    const results = new Map<string, string>();
    const kept = { objects: new Map<string, Uint8Array>(), counts: {} as Record<string, number> };
    let attempts = 0;
    // Each attempt finishes one step more than the one before, as if the power failed within the next.
    for (let done = false; !done; attempts++) {
      let fresh = 0;
      const step = async <T>(name: string, run: (progress: typeof quiet) => Promise<T>): Promise<T> => {
        const known = results.get(name);
        if (known !== undefined) return JSON.parse(known);
        if (fresh++ > 0) throw new Error("no power");
        const result = await run(quiet);
        results.set(name, JSON.stringify(result ?? null));
        return result;
      };
      try {
        const { objects, counts } = await build({ memory: 1, path, step });
        for (const [key, bytes] of objects) kept.objects.set(key, bytes);
        expect(counts.addresses).toBeUndefined();
        done = true;
      } catch (error) {
        expect((error as Error).message).toBe("no power");
      }
    }
    const whole = await build({ memory: 1e9 });
    expect(attempts).toBe(results.size);
    expect([...results.keys()]).toEqual(
      expect.arrayContaining(["collect", `resolve ${samples(1, 3)}`, "join", "pack 1", "write"]),
    );
    expect(kept.objects.size).toBe(whole.objects.size);
    for (const [key, bytes] of whole.objects)
      if (Buffer.compare(bytes, kept.objects.get(key)!) !== 0) expect.fail(`${key} differs`);
  }, 120_000);

  it("leave no sorted runs behind", async () => {
    const own = join(folder, "room");
    const paths: string[] = [];
    const path = (name: string) => {
      paths.push(name);
      return `${own}-${name}`;
    };
    await build({ memory: 1, path });
    const left = readdirSync(folder).filter((name) => /run-\d+$/.test(name));
    expect([left, new Set(paths).size > 5]).toEqual([[], true]);
  }, 60_000);
});
