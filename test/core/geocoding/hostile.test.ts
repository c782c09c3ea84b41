import { beforeAll, describe, expect, it } from "vitest";
import { Pace } from "../../../src/core/geo/pace.ts";
import { type Candidate, chooseBuilds } from "../../../src/core/geocoding/search/choose-builds.ts";
import type { SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { samples } from "../../support/night.ts";
import { demoAddresses, FORWARD, TYPING, worldBase } from "./index/demo-index.ts";
import { townBuilds } from "./index/many-builds.ts";

let builds: Candidate<string>[];
let world: Candidate<string>;
beforeAll(async () => {
  builds = [
    { build: "demo", index: (await demoAddresses()).index },
    ...townBuilds(samples(15, 40)).map(({ candidate }) => candidate),
  ];
  world = { build: "world", index: (await worldBase()).index };
}, 60_000);

const WORDS = "oak maple cedar pine elm washington lake hill walnut spring north ridge church willow mill sunset".split(
  " ",
);
const swapped = (word: string) => word.replace(/(.)(.)$/, "$2$1");
const QUERIES: [what: string, text: string][] = [
  ["ten thousand letters", "x".repeat(10_000)],
  ["ten thousand words", "oak ".repeat(10_000)],
  ["three hundred words, each with a mistake", Array.from({ length: 300 }, (_, i) => swapped(WORDS[i % 16])).join(" ")],
  ["every kind of street", "street avenue road drive lane court way boulevard place circle terrace square trail loop"],
  ["every letter", [..."abcdefghijklmnopqrstuvwxyz"].join(" ")],
  ["nothing but numbers", Array.from({ length: 64 }, (_, i) => i).join(" ")],
  ["nothing but emoji", "🏠".repeat(5000)],
  ["marks that turn the direction of writing", `${"\u202e\u2067".repeat(2000)}oak street`],
  ["letters under a tower of marks", `o${"\u0301".repeat(5000)}ak street`],
  ["nothing but punctuation", `((((....,,,,;;;;&&&&----////\\\\"'`.repeat(200)],
  ["many crossings", "oak & maple and cedar at pine @ elm und lake ".repeat(20)],
  ["many units", "apt 1 unit 2 suite 3 floor 4 # 5 room 6 flat 7 oak street ".repeat(20)],
  ["a script without blanks", "北京市朝阳区建国路".repeat(500)],
  ["lone surrogates and nulls", "\ud800oak\udfff\u0000street\ud83c"],
  ["blanks", " ".repeat(10_000)],
  ["one long word that is many", "washingtonoakmaplecedarpine".repeat(300)],
];
const NEAR = { latitude: 40.7, longitude: -74 };

async function cpuOf(text: string, options: SearchOptions): Promise<number> {
  const before = process.cpuUsage();
  const [first = [], ...later] = await chooseBuilds(builds, text, options);
  const turns = [[...first, world], ...later].map((turn) => turn.map(({ index }) => index));
  const found = await searchInTurns(turns, text, options);
  expect(found.length).toBeLessThanOrEqual(options.limit);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("a hostile query", () => {
  it.each(QUERIES)("of %s costs less than a second and is answered", async (_, text) => {
    for (const options of [FORWARD, TYPING, { ...TYPING, near: NEAR, limit: 100 }])
      expect(await cpuOf(text, options)).toBeLessThan(1000);
  });

  it("gives way to others on its way", async () => {
    let turns = 0;
    const pace = new Pace(
      async () => {
        turns++;
      },
      { slice: 1000 },
    );
    await cpuOf(WORDS.map(swapped).join(" "), { ...TYPING, near: NEAR, pace });
    expect(pace.spent).toBeGreaterThan(1000);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(pace.spent / 5000));
  });
});
