import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { changeLiveBuilds, switchedTo, takenOff } from "../../../src/core/geo/builds/live-list.ts";
import { decodePage, PAGE_KINDS } from "../../../src/core/geo/builds/live-pages.ts";
import { buildKey, LIVE_KEY, parseLiveList, WORLD } from "../../../src/core/geo/builds/manifest.ts";
import { unseal } from "../../../src/core/geo/builds/sealed.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { placeId } from "../../../src/core/places/place.ts";
import { addressCounts, addressesToSearch } from "../../../src/worker/geodata/addresses.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { airportsWith, placeWithId } from "../../../src/worker/geodata/places.ts";
import { forgetGeodata } from "../../../src/worker/geodata/r2-source.ts";
import { FORWARD } from "../../core/geocoding/index/demo-index.ts";
import type { FakeBucket } from "./fake-bucket.ts";
import { iataOf, type LiveTown, listIn, liveTowns, placeIn, tileOf } from "./live-towns.ts";

const COUNT = 100;
const PAGE = /^live\//;

describe("a hundred live builds", () => {
  let bucket: FakeBucket;
  let towns: LiveTown[];
  beforeAll(async () => {
    ({ bucket, towns } = await liveTowns(COUNT, 20));
  });
  beforeEach(forgetGeodata);

  const list = () => parseLiveList(new TextDecoder().decode(bucket.objects.get(LIVE_KEY)));
  /** An isolate that has read the list and nothing else. */
  const cold = (): Geodata => {
    forgetGeodata();
    bucket.asked.length = 0;
    const { builds, pages } = list();
    return Geodata.of(bucket, builds, undefined, pages);
  };
  const asked = () => ({
    pages: bucket.asked.filter((key) => PAGE.test(key)).length,
    builds: new Set(bucket.asked.filter((key) => !PAGE.test(key)).map((key) => key.split("/")[1])).size,
  });

  it("are asked for an address from nowhere by one read more, however many they are", async () => {
    const { text } = towns[70].houses[3];
    const geodata = cold();
    const found = await searchInTurns(await addressesToSearch(geodata, text, { open: false }), text, FORWARD);
    expect(found[0]).toMatchObject({ confidence: "exact", number: towns[70].houses[3].number });
    expect(asked().pages).toBe(1);
    expect(asked().builds).toBeLessThanOrEqual(8);
  });

  it("tell how many addresses they have, an airport, a place and a tile without each being read", async () => {
    expect((await addressCounts(cold())).size).toBeGreaterThan(10);
    expect(asked()).toEqual({ pages: 1, builds: 0 });
    expect((await airportsWith(cold(), iataOf(61))).map(({ name }) => name)).toEqual([`${towns[61].name} Airport`]);
    expect(asked().builds).toBe(0);
    expect(asked().pages).toBeLessThanOrEqual(2);
    expect((await placeWithId(cold(), placeId(placeIn(37))))?.place.name).toBe(`${towns[37].name} Airport`);
    expect(asked().pages).toBe(1);
    expect(asked().builds).toBeLessThanOrEqual(4);
    const basemap = await openBasemap(cold(), bucket);
    expect((await basemap.tile(...tileOf(towns[12].town)))?.length).toBeGreaterThan(20);
    expect(asked().builds).toBeLessThanOrEqual(2);
    // Of low zooms no town has tiles, and none is opened to say so.
    expect(await (await openBasemap(cold(), bucket)).tile(3, 1, 2)).toBeUndefined();
    expect(asked()).toEqual({ pages: 1, builds: 0 });
  });

  it("are told by their pages what they would tell themselves, whatever is switched, and lost pages change no answer", async () => {
    const text = towns[5].houses[4].text;
    const answer = async () => {
      const geodata = cold();
      const found = await searchInTurns(await addressesToSearch(geodata, text, { open: false }), text, FORWARD);
      return [found, [...(await addressCounts(geodata))].sort(), await airportsWith(geodata, iataOf(5))];
    };
    const [whole] = [JSON.stringify(await answer())];
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const pages = [...bucket.objects].filter(([key]) => PAGE.test(key));
    for (const [key, bytes] of pages) bucket.put(key, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 4));
    expect(JSON.stringify(await answer())).toBe(whole);
    for (const [key] of pages) bucket.objects.delete(key);
    expect(JSON.stringify(await answer())).toBe(whole);
    vi.restoreAllMocks();
    expect(await changed((builds) => takenOff(builds, "town-8"))).toBe(true);
    expect(await changed((builds) => switchedTo(builds, towns[8].manifest, 0))).toBe(true);
    // What is known already is not read again.
    bucket.asked.length = 0;
    const renamed = { ...towns[9].manifest, name: "renamed" };
    expect(await changed((builds) => switchedTo(takenOff(builds, "town-9"), renamed, 0))).toBe(true);
    expect(bucket.asked.filter((key) => !PAGE.test(key))).toEqual([]);
    expect(JSON.stringify(await answer())).toBe(whole);
  });

  /** Changes the list, and compares every page with what the builds say. */
  async function changed(change: Parameters<typeof changeLiveBuilds>[1]): Promise<boolean> {
    await changeLiveBuilds(listIn(bucket), change);
    const { builds, pages = {} } = list();
    for (const { layer, key, beginning } of PAGE_KINDS) {
      const told = new Map(pages[key].flatMap((page) => [...decodePage(bucket.objects.get(page.key)!)]));
      const having = builds.filter(({ name, layers }) => name !== WORLD && layers[layer] !== undefined);
      if (told.size !== new Set(having.map(({ id }) => id)).size) return false;
      for (const { id } of having) {
        const own = bucket.objects.get(buildKey(id, key));
        const bytes = beginning === undefined ? own && unseal(own) : own?.subarray(0, beginning);
        if (!Buffer.from(bytes ?? []).equals(Buffer.from(told.get(id) ?? []))) return false;
      }
    }
    const named = new Set(Object.values(pages).flatMap((some) => some.map(({ key }) => key)));
    const kept = [...bucket.objects.keys()].filter((key) => PAGE.test(key) && !named.has(key));
    // Those of the list before stay for machines that still use it.
    return kept.length <= named.size;
  }
});
