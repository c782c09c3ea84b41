import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { detailsOf, detailsText, readDetails } from "../../../src/core/places/details.ts";
import { encodeIds, PlaceIds } from "../../../src/core/places/ids.ts";
import { packPlaces } from "../../../src/core/places/pack.ts";
import { placeId, placeKey, placeKeyOf } from "../../../src/core/places/place.ts";
import { PlaceIndex } from "../../../src/core/places/place-index.ts";
import type { PlaceRecord } from "../../../src/core/places/tile.ts";

const record = (id: number, name: string, more: Partial<PlaceRecord> = {}): PlaceRecord => ({
  key: placeKey("node", id),
  name,
  categories: [0],
  footprint: 10,
  location: { latitude: 48.99 + (id % 97) / 1000, longitude: -111.2 + (id % 89) / 1000 },
  ...more,
});

describe("places by their id", () => {
  it("each of five thousand is found by its own id, with its details, and no other is", async () => {
    const places = Array.from({ length: 5000 }, (_, i) => record(7 + i * 1_000_003, `Place ${i}`));
    places[17] = { ...places[17], details: { openingHours: "Mo-Fr 08:00-18:00", phone: "+1 406 555 0100" } };
    const objects = new Map([...packPlaces(places, [])].map(({ key, bytes }) => [key, bytes]));
    expect([...objects.keys()].filter((key) => key.startsWith("places/ids/")).length).toBe(4);
    const index = new PlaceIndex(keepDecoded(memorySource(objects)));
    for (const { key, name } of places)
      expect((await index.withKey(key))?.place).toMatchObject({ id: placeId(key), name });
    expect((await index.withKey(places[17].key))?.details).toEqual(places[17].details);
    expect((await index.withKey(places[18].key))?.details).toBeUndefined();
    expect(await index.withKey(placeKey("node", 8))).toBeUndefined();
    expect(await index.withKey(placeKey("way", 7))).toBeUndefined();
    // The filter of keys says no to nearly all others, and to none of these.
    const may = await Promise.all(places.map(({ key }) => index.mayHave(key)));
    expect(may).not.toContain(false);
    const others = Array.from({ length: 1000 }, (_, i) => index.mayHave(placeKey("way", 7 + i * 1_000_003)));
    expect((await Promise.all(others)).filter(Boolean).length).toBeLessThan(30);
  });

  it("builds without ids know none", async () => {
    const index = new PlaceIndex(keepDecoded(memorySource(new Map())));
    expect(await index.withKey(placeKey("node", 7))).toBeUndefined();
    expect(await index.mayHave(placeKey("node", 7))).toBe(true);
  });

  it("keys that share their lower half are distinguished", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(0xffff), { maxLength: 40 }), (highs) => {
        const ids = new PlaceIds(encodeIds(highs.map((high) => ({ high, low: high % 3, cell: high }))));
        for (const high of highs) expect(ids.cellOf({ high, low: high % 3 })).toBe(high);
        expect(ids.cellOf({ high: 0x10000, low: 1 })).toBeUndefined();
      }),
      { seed: 19 },
    );
  });

  it("an id that is no place's has no key", () => {
    expect(placeKeyOf(placeId(placeKey("way", 12_345_678_901)))).toEqual(placeKey("way", 12_345_678_901));
    for (const id of ["", "x", "706c61634", "61646472000000000000000a", `706c6163${"f".repeat(16)}`])
      expect(placeKeyOf(id)).toBeUndefined();
  });
});

describe("what the map tells of a place", () => {
  it("is stored as it was written, in whichever tag it is", () => {
    const tags = { "contact:phone": "+49 6221 1", website: "https://a.example\n", cuisine: "pizza;pasta", name: "x" };
    const details = detailsOf(tags)!;
    expect(details).toEqual({ phone: "+49 6221 1", website: "https://a.example", cuisine: "pizza;pasta" });
    expect(readDetails(detailsText(details))).toEqual(details);
    expect(detailsOf({ name: "x", phone: " " })).toBeUndefined();
    expect(readDetails(detailsText(undefined))).toBeUndefined();
  });
});
