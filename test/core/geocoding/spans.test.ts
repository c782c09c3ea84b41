import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { type Context, type EntryKind, GRID, NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import type { NamesTile } from "../../../src/core/geocoding/index/names-tile.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { parseQuery } from "../../../src/core/geocoding/parse/query.ts";
import { isInside } from "../../../src/core/geocoding/search/inside.ts";
import type { Anchor, Spot } from "../../../src/core/geocoding/search/named-region.ts";
import { findSpans } from "../../../src/core/geocoding/search/spans.ts";

/** One degree of latitude [m]. */
const DEGREE = 111_195;

const context = (more: Partial<Context>): Context => ({ ...NO_CONTEXT, ...more });

function anchor(kind: EntryKind, around: Partial<Context>, more: { words?: string; isProvince?: true } = {}): Anchor {
  const center = { latitude: 50 * GRID, longitude: 0 };
  const town = { from: 0, to: 1, names: [], ...center, reach: 10_000 };
  const region = {
    by: "main" as const,
    names: {} as NamesTile,
    entry: 0,
    kind,
    context: context(around),
    importance: 100,
    town,
    ...center,
  };
  const words = (more.words ?? "nowhere").split(" ");
  return {
    from: 0,
    to: words.length,
    words,
    regions: [{ ...region, ...(more.isProvince && { isProvince: true }) }],
  };
}

/** A result so many meters north of the region's center. */
const spot = (away: number, around: Partial<Context> = {}, kind: EntryKind = "street"): Spot => ({
  context: context(around),
  kind,
  latitude: (50 + away / DEGREE) * GRID,
  longitude: 0,
});
const inside = (one: Spot, ...anchors: Anchor[]) => isInside(one, anchors);

describe("a result in the region that a text names", () => {
  it("has the country of a country, or none, or is in one of its territories", () => {
    const france = anchor("country", { countryCode: "FR" });
    expect(inside(spot(1e6, { countryCode: "FR" }), france)).toBe(true);
    expect(inside(spot(1e6), france)).toBe(true);
    expect(inside(spot(0, { countryCode: "BE" }), france)).toBe(false);
    expect(inside(spot(0, { countryCode: "BE" }), anchor("country", {}))).toBe(true);
  });

  it.each(
    Object.entries({
      FR: "BL GF GP MF MQ NC PF PM RE YT",
      US: "AS GU MP PR VI",
      GB: "GG GI IM JE",
      DK: "FO GL",
      CN: "HK MO",
      NO: "SJ",
      FI: "AX",
    }).flatMap(([country, codes]) => codes.split(" ").map((code) => [code, country])),
  )("%s is written as a part of %s", (code, country) => {
    expect(inside(spot(1e6, { countryCode: code }), anchor("country", { countryCode: country }))).toBe(true);
    expect(inside(spot(1e6, { countryCode: country }), anchor("country", { countryCode: code }))).toBe(false);
  });

  it("has the state of a state; without borders it is within 400 km, of a province 100 km", () => {
    const us = (stateCode: string) => ({ countryCode: "US", stateCode });
    const texas = anchor("state", us("TX"));
    expect(inside(spot(900_000, us("TX")), texas)).toBe(true);
    expect(inside(spot(1000, us("OK")), texas)).toBe(false);
    expect(inside(spot(399_000, us("")), texas)).toBe(true);
    expect(inside(spot(401_000, us("")), texas)).toBe(false);
    const de = (stateCode: string) => ({ countryCode: "DE", stateCode });
    expect(inside(spot(399_000, de("")), anchor("state", de("BY")))).toBe(true);
    expect(inside(spot(401_000, de("")), anchor("state", de("BY")))).toBe(false);
    // A place of another state may be in a department or a natural region.
    expect(inside(spot(99_000, de("BE")), anchor("state", de("BY")))).toBe(true);
    expect(inside(spot(101_000, de("BE")), anchor("state", de("BY")))).toBe(false);
    const province = anchor("state", de(""), { isProvince: true });
    expect(inside(spot(99_000, de("")), province)).toBe(true);
    expect(inside(spot(101_000, de("")), province)).toBe(false);
    expect(inside(spot(0, { countryCode: "AT" }), anchor("state", de("BY")))).toBe(false);
  });

  it("is within 100 km of a county's center", () => {
    expect(inside(spot(99_000), anchor("county", {}))).toBe(true);
    expect(inside(spot(101_000), anchor("county", {}))).toBe(false);
  });

  it("is within reach of a town, and in its country and its state, if data has them", () => {
    const town = anchor("locality", { countryCode: "US", stateCode: "KS" });
    expect(inside(spot(9000, { countryCode: "US", stateCode: "KS" }), town)).toBe(true);
    expect(inside(spot(9000, { countryCode: "US" }), town)).toBe(true);
    expect(inside(spot(9000), town)).toBe(true);
    expect(inside(spot(12_000), town)).toBe(false);
    expect(inside(spot(9000, { countryCode: "US", stateCode: "MO" }), town)).toBe(false);
    expect(inside(spot(9000, { countryCode: "CA" }), town)).toBe(false);
    const stateless = anchor("locality", { countryCode: "US" });
    expect(inside(spot(9000, { countryCode: "US", stateCode: "MO" }), stateless)).toBe(true);
    const german = anchor("locality", { countryCode: "DE", stateCode: "BY" });
    expect(inside(spot(9000, { countryCode: "DE", stateCode: "BW" }), german)).toBe(true);
  });

  it("is not the country around a town, even if the country's center is there", () => {
    expect(inside(spot(0, { countryCode: "FR" }, "country"), anchor("locality", { countryCode: "FR" }))).toBe(false);
    const named = anchor("locality", { countryCode: "FR" }, { words: "france" });
    expect(inside(spot(1e6, { countryCode: "FR" }, "country"), named)).toBe(false);
  });

  it("may have the words as its own town, all of them, or as its country", () => {
    const far = anchor("locality", { countryCode: "US" }, { words: "green valley" });
    expect(inside(spot(1e6, { city: "Green Valley", countryCode: "US" }), far)).toBe(true);
    expect(inside(spot(1e6, { city: "Green Valley Farms", countryCode: "US" }), far)).toBe(false);
    expect(inside(spot(1e6, { city: "Green", state: "Valley", countryCode: "US" }), far)).toBe(false);
    expect(
      inside(spot(1e6, { countryCode: "US" }), anchor("state", { countryCode: "DE" }, { words: "united states" })),
    ).toBe(true);
  });

  it("may have a town whose name begins with the word that is still being typed", () => {
    const typed = { ...anchor("locality", { countryCode: "FR" }, { words: "singa" }), open: true as const };
    expect(inside(spot(1e6, { city: "Singapore", countryCode: "SG" }), typed)).toBe(true);
    expect(inside(spot(1e6, { city: "Newsinga", countryCode: "SG" }), typed)).toBe(false);
    expect(inside(spot(1e6, { state: "Singapore", countryCode: "SG" }), typed)).toBe(false);
    expect(
      inside(spot(1e6, { city: "Singapore" }), anchor("locality", { countryCode: "FR" }, { words: "singa" })),
    ).toBe(false);
  });

  it("is in a region of every name", () => {
    const [here, there] = [anchor("locality", {}), anchor("country", { countryCode: "FR" })];
    expect(inside(spot(0, { countryCode: "FR" }), here, there)).toBe(true);
    expect(inside(spot(0, { countryCode: "DE" }), here, there)).toBe(false);
    expect(inside(spot(20_000, { countryCode: "FR" }), here, there)).toBe(false);
    const two = { ...here, regions: [...anchor("locality", { countryCode: "CA" }).regions, ...here.regions] };
    expect(inside(spot(0, { countryCode: "DE" }), two)).toBe(true);
  });
});

/** Regions in one block of names: those whose names begin with x, and codes. */
const REGIONS: readonly [
  kind: EntryKind,
  name: string,
  country: string,
  latitude: number,
  importance: number,
  more?: Partial<Context>,
][] = [
  ["country", "Xlandia", "XL", 10, 220],
  ["country", "Xistan", "XI", 60, 220],
  ["state", "Xoria", "XL", 10.2, 150],
  ["state", "Xport", "XL", 10.4, 150],
  ["locality", "Xport", "XL", 10.3, 170],
  ["locality", "Xville", "XL", 10.1, 190],
  ["locality", "Xville", "XI", 60.1, 120],
  ["locality", "Xton an der Xach", "XL", 10.2, 140],
  ["locality", "Xbourg Xham", "XL", 10.15, 130],
  ["locality", "Xham", "XI", 60.2, 120],
  ["locality", "Xstreet", "XL", 10.2, 110],
  ["locality", "Colonia", "XL", 10.25, 110],
  ["state", "E", "XI", 60, 110],
];

async function findIn(text: string, open: boolean) {
  const collector = new AddressCollector();
  for (const [kind, name, countryCode, latitude, importance] of REGIONS)
    collector.entry({
      kind,
      name,
      context: context({ countryCode }),
      postalCode: "",
      latitude,
      longitude: 5,
      importance,
      names: [],
    });
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  const index = new AddressIndex(keepDecoded(memorySource(objects)));
  const { words } = parseQuery(text, open);
  const heads = await Promise.all(words.map((word) => index.head(word.text)));
  const blocks = [...new Set(heads.filter((head) => head !== undefined).map(({ names }) => names))];
  return findSpans(words, blocks);
}

/** Each run of words with the regions of its name, and how surely it means one, in tenths; the surest first. */
async function spansOf(text: string, open = false) {
  return (await findIn(text, open)).map(({ words: own, strength, regions }) => {
    const names = regions.map(
      ({ kind, context: { countryCode }, isProvince }) => `${kind} ${countryCode}${isProvince ? " province" : ""}`,
    );
    return `${own.join(" ")} ${Math.round(10 * strength)}: ${names.join(", ")}`;
  });
}

describe("the regions that words may name", () => {
  it.each([
    ["12 Oak Street, Xville", ["xville 10: locality XL, locality XI"]],
    ["12 Oak Street Xville", ["xville 8: locality XL, locality XI"]],
    ["Xville", ["xville 10: locality XL, locality XI"]],
    ["12 Oak Street, 12345 Xville", ["xville 8: locality XL, locality XI"]],
    ["12 Oak Street, Xville 1234", ["xville 10: locality XL, locality XI"]],
    // Before a region at the end is another end.
    ["Xville Xlandia", ["xville 10: locality XL, locality XI", "xlandia 8: country XL"]],
    ["Oak, Xton", ["xton 4: locality XL"]],
    ["Oak, Xton an der Xach", ["xton an der xach 8: locality XL", "xton 2: locality XL"]],
    ["Oak, Xport", ["xport 10: locality XL, state XL province"]],
    ["Oak, Xoria", ["xoria 10: state XL"]],
    ["Colonia, Xlandia", ["xlandia 10: country XL", "colonia 2: locality XL"]],
    // The name of a street, and one beside a house number.
    ["Rue Xville", ["xville 1: locality XL, locality XI"]],
    ["Xville 12, Xlandia", ["xlandia 10: country XL", "xville 1: locality XL, locality XI"]],
    // A town before a larger one that it is not in is rather a part of it, and a name does not go on after a comma.
    ["Oak, Xham, Xport", ["xport 10: locality XL, state XL province", "xham 2: locality XI"]],
    ["Xbourg, Xham", ["xham 7: locality XI", "xbourg xham 2: locality XL"]],
    ["Oak, Xvi", []],
    ["Oak, Nowhere", []],
    ["Xham Station (A,B,E)", ["xham 2: locality XI"]],
    ["", []],
  ])("%s", async (text, expected) => expect(await spansOf(text)).toEqual(expected));

  it("include every reading of the words, the longer and the shorter", async () => {
    const words = (await findIn("Oak, Xbourg Xham", false)).map((one) => one.words.join(" "));
    expect(words).toEqual(["xbourg xham", "xham"]);
  });

  it("have no name that is hardly begun, and less certainty while one is typed", async () => {
    expect(await spansOf("Oak, Xvi", true)).toEqual([]);
    const [[typed], [ended]] = [await findIn("Oak, Xham", true), await findIn("Oak, Xham", false)];
    expect(typed.strength).toBeLessThan(ended.strength);
    expect((await findIn("Oak, Xham G", true))[0].strength).toBeLessThan(
      (await findIn("Oak, Xham G ", true))[0].strength + 0.01,
    );
  });

  it("compete for the level that the words mean, by how well known they are", async () => {
    const [{ levels }] = await findIn("Oak, Xport", false);
    expect(levels.town).toBeGreaterThan(levels.state);
    expect(levels.town + levels.state + levels.country).toBeCloseTo(1);
  });
});
