import { beforeAll, describe, expect, it } from "vitest";
import { LAYERS, type SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { otherForms } from "../../../src/core/geocoding/words/abbreviations.ts";
import { tokensOf } from "../../../src/core/geocoding/words/normalise.ts";
import { airportsWithService } from "../../../src/importer/world/lists.ts";
import { searchWithAirports } from "../../../src/worker/answers/geocode/airports.ts";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { airportsWith, placeWithId } from "../../../src/worker/geodata/places.ts";
import { wireAddress } from "../../../src/worker/wire/address.ts";
import { publishBase } from "./live-build.ts";

/** What the world base alone answers: no import is there. */

const ALL: SearchOptions = { layers: new Set(LAYERS), limit: 10, language: "en", open: false };
const PLACES = new Set(["place"] as const);
let geodata: Geodata;
beforeAll(async () => {
  geodata = await publishBase();
}, 120_000);

const ask = async (text: string, options: Partial<SearchOptions> = {}) => {
  const found = await searchWithAirports(geodata, text, { ...ALL, ...options });
  return found.map((one) => wireAddress({ ...one, street: one.kind === "street" }, {}, "en", 0));
};
const airportsFor = async (...asked: Parameters<typeof ask>) =>
  (await ask(...asked)).filter(({ layer }) => layer === "place").map(({ name }) => name);

describe("a word for a kind of street", () => {
  it("is not a misspelled name of a region", async () => {
    for (const text of ["Rua X, 332 - apto 4", "Rua 5", "Calle 332", "Rue X 12", "Via X 5"])
      for (const { city = "" } of await ask(text))
        expect([text, city]).toEqual([text, expect.stringMatching(/^$|\b(?:Rue|Via)\b/)]);
    expect((await ask("Rue"))[0]).toMatchObject({ layer: "locality", name: "Rue" });
  });
});

describe("an airport of the world base", () => {
  it("is found by its code, however many layers are searched", async () => {
    for (const layers of [PLACES, ALL.layers]) {
      for (const open of [true, false]) {
        const [first] = await ask("LAX", { layers, open });
        expect(first).toMatchObject({ layer: "place", name: "Los Angeles International Airport", confidence: "exact" });
      }
    }
    expect((await airportsFor("lax"))[0]).toBe("Los Angeles International Airport");
    expect(await airportsFor("LAX", { countries: ["DE"] })).toEqual([]);
    expect(await airportsFor("LAX", { layers: new Set(["address", "locality"]) })).toEqual([]);
  });

  it("is found by a word of its name where only places are searched", async () => {
    expect((await airportsFor("Adelaide", { layers: PLACES }))[0]).toBe("Adelaide Airport");
  });

  it("is a place with an _id, categories and a position, under every code of the list", async () => {
    const [place, ...more] = await airportsWith(geodata, "LAX");
    expect(more).toEqual([]);
    expect(place).toMatchObject({
      name: "Los Angeles International Airport",
      categories: ["travel-transportation", "airport"],
    });
    expect(place.location.latitude).toBeCloseTo(33.94, 1);
    expect((await placeWithId(geodata, place.id))?.place).toEqual(place);
    expect((await ask("LAX"))[0].id).toBe(place.id);
    const list = airportsWithService();
    const lacking = [];
    for (const { iata, name } of list) {
      const found = await airportsWith(geodata, iata);
      if (!found.some((one) => one.name === name)) lacking.push(iata);
    }
    expect(lacking).toEqual([]);
    expect(list.length).toBeGreaterThan(4000);
    expect(await airportsWith(geodata, "ZZZ")).toEqual([]);
  }, 60_000);

  it("is not found by a word that its code abbreviates, in any country", async () => {
    const byWord = new Map<string, string[]>([
      ["airport drive", ["DRV"]],
      ["heights airport", ["HTS"]],
    ]);
    const list = airportsWithService();
    for (const { iata } of list)
      for (const word of otherForms(iata.toLowerCase()))
        if (word.length > 3) byWord.set(word, [...(byWord.get(word) ?? []), iata]);
    for (const word of ["avenue", "drive", "plaza", "street", "station", "south"]) expect(byWord.has(word)).toBe(true);
    const wrong: string[] = [];
    for (const [word, codes] of byWord) {
      const found = await airportsFor(word, { layers: PLACES });
      for (const { iata, name } of list)
        if (codes.includes(iata) && found.includes(name) && !tokensOf(name).includes(word))
          wrong.push(`${word} ${iata}`);
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  it.each([
    ["STR", "Stuttgart Airport"],
    ["MDW", "Chicago Midway International Airport"],
    ["mdw airport", "Chicago Midway International Airport"],
    ["DRV", "Dharavandhoo AIrport"],
    ["LAX airport", "Los Angeles International Airport"],
  ])("is found by a code that is a word's abbreviation where it is written as a code: %s", async (text, name) => {
    expect((await airportsFor(text, { layers: PLACES }))[0]).toBe(name);
  });
});

describe("a state of the world base", () => {
  it.each([
    ["Bavaria", "Bavaria, Germany"],
    ["Texas", "Texas USA"],
    ["Île-de-France", "Île-de-France, France"],
    ["Ontario", "Ontario, Canada"],
    ["Tuscany", "Tuscany, Italy"],
    ["Hokkaido", "Hokkaidō, Japan"],
  ])("has its name in formattedAddress: %s", async (text, formattedAddress) => {
    const [state] = await ask(text, { layers: new Set(["state"]) });
    expect(state).toMatchObject({ layer: "state", formattedAddress });
    expect(state.formattedAddress).toContain(state.state);
    expect(state.addressLabel).toBe(state.state);
  });
});
