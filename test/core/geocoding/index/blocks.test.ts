import { describe, expect, it } from "vitest";
import { beginObject } from "../../../../src/core/geo/bytes/bytes.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { encodeNames, NamesTile, type NewEntry } from "../../../../src/core/geocoding/index/names-tile.ts";
import { findHouse } from "../../../../src/core/geocoding/search/find-house.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";

const CONTEXT = { ...NO_CONTEXT, city: "中央区", neighborhood: "京橋", countryCode: "JP" };
const GINZA: NewEntry = {
  kind: "street",
  name: "銀座",
  names: [["en", "Ginza"]],
  isBlock: true,
  context: CONTEXT,
  postalCode: "",
  latitude: 35.67,
  longitude: 139.76,
  importance: 50,
};

describe("a tile of names", () => {
  it("keeps neighborhoods, and which entries are blocks", () => {
    const tile = new NamesTile(encodeNames([GINZA, { ...GINZA, name: "銀座通り", isBlock: false }], [0, 0]));
    expect([0, 1].map((i) => [tile.name(i), tile.isBlock(i), tile.nameIn(i, "en")])).toEqual([
      ["銀座", true, "Ginza"],
      ["銀座通り", false, "Ginza"],
    ]);
    expect(tile.context(0)).toEqual(CONTEXT);
  });

  it("of version 4 is read, with no neighborhoods and no blocks", () => {
    const out = beginObject("GADN", 4);
    const texts = ["", "Jay Street", "Brooklyn", "NY", "US", "Calle Jay"];
    for (const count of [texts.length, 1, 1, 0]) out.unsigned(count);
    for (const text of texts) out.text(text);
    // City, borough, county, state code, state, country code.
    for (const text of [0, 2, 0, 3, 0, 4]) out.unsigned(text);
    // A street with one other name.
    for (const value of [0 + 8 * 1, 1, 0, 0]) out.unsigned(value);
    out.signed(4_070_000);
    out.signed(-7_398_000);
    out.byte(38);
    out.unsigned(0);
    out.unsigned(2);
    out.unsigned(5);
    const tile = new NamesTile(out.finish());
    expect([tile.name(0), tile.otherNames(0), tile.isBlock(0)]).toEqual(["Jay Street", ["Calle Jay"], false]);
    expect(tile.context(0)).toEqual({ ...NO_CONTEXT, borough: "Brooklyn", stateCode: "NY", countryCode: "US" });
  });
});

describe("a number in a block", () => {
  const house = (text: string, latitude: number) => ({
    number: parseHouseNumber(text)!,
    location: { latitude, longitude: 139.76 },
    units: [],
    computed: false,
  });
  const find = (houses: readonly string[], asked: string, isBlock = true) =>
    findHouse(
      houses.map((text, i) => house(text, 35 + i / 1e4)),
      asked,
      "JP",
      isBlock,
    );

  it("is the house itself, or one of its block, but nothing between two houses", () => {
    const houses = ["4-6-1", "4-6-9", "4-7-2"];
    expect(find(houses, "4-6-9")).toMatchObject({ number: "4-6-9", confidence: "exact" });
    expect(find(houses, "4-7")).toMatchObject({ confidence: "interpolated", location: { latitude: 35.0002 } });
    expect(find(houses, "4-6-5")).toBeUndefined();
    expect(find(["45", "47", "49"], "51")).toBeUndefined();
    expect(find(["45", "49"], "47")).toBeUndefined();
    expect(find(["45", "49"], "47", false)).toMatchObject({ confidence: "interpolated" });
  });

  it("may begin with letters, which one may leave out", () => {
    expect(find(["A-115", "B-115"], "b115")).toMatchObject({ number: "B-115", confidence: "exact" });
    expect(find(["B115"], "B 115")).toMatchObject({ number: "B115", confidence: "exact" });
    expect(find(["115"], "B115")).toMatchObject({ confidence: "interpolated" });
    expect(find(["A115"], "B115")).toBeUndefined();
  });
});
