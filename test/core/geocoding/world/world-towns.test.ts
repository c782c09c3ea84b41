import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import { search } from "../../../../src/core/geocoding/search/search.ts";
import { addressIndexesAt } from "../../../../src/worker/geodata/addresses.ts";
import type { Geodata } from "../../../../src/worker/geodata/live.ts";
import { FORWARD } from "../index/demo-index.ts";
import { publishTowns, scoreOf } from "./ask-world-towns.ts";
import { type DrawnTown, WORLD_TOWNS } from "./world-towns.ts";

/** The least share of houses that are found as people write them; 0.95 where nothing else is said. */
const LEAST: Record<string, number> = {
  // A block behind a number is read as a unit.
  "BR Brasília": 0,
  // The letter of a house is a word of its street, too: B-193, Federal B Area.
  "PK Karachi": 0.9,
  // A name of one character, which no pair of characters is.
  "JP Sapporo": 0.4,
  // Castelló de la Plana has the name of a part of Venice.
  "IT Venezia": 0.85,
};

/** [m] */
const NEAR = 1000;

let geodata: Geodata;
let towns: DrawnTown[];
beforeAll(async () => {
  ({ geodata, towns } = await publishTowns(7));
}, 240_000);

describe("houses by the habits of their country, beside the world base", () => {
  it.each(WORLD_TOWNS.map(({ name }) => name))(
    "%s: are found as people write them, and at their position",
    async (name) => {
      const { found, asked, reversed, houses, missed } = await scoreOf(
        geodata,
        towns.find((town) => town.name === name)!,
      );
      expect(found / asked, missed.slice(0, 5).join("\n")).toBeGreaterThanOrEqual(LEAST[name] ?? 0.95);
      expect(reversed).toBe(houses);
    },
  );

  it("a district that only houses name is found, in the middle of them, and once", async () => {
    for (const [text, country] of [
      ["Kadıköy", "TR"],
      ["Nasr City", "EG"],
      ["大安區", "TW"],
    ]) {
      const { at } = towns.find(({ name }) => name.startsWith(country))!;
      const center = { latitude: at[0], longitude: at[1] };
      const localities = { ...FORWARD, layers: new Set(["locality"] as const) };
      const found = await search(addressIndexesAt(geodata, center), text, localities);
      const near = found.filter(({ location }) => distance(center, location) < NEAR);
      expect([text, near.map(({ kind }) => kind)]).toEqual([text, ["locality"]]);
    }
  });
});
