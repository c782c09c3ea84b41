import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import {
  FilterHead,
  openFilterShard,
  probeOf,
  qualityOf,
  WordFilterBuilder,
} from "../../../../src/core/geocoding/index/word-filter.ts";
import { parseQuery } from "../../../../src/core/geocoding/parse/query.ts";
import { BUILDS_AT_ONCE, chooseBuilds, MAX_TURNS } from "../../../../src/core/geocoding/search/choose-builds.ts";
import type { Found, SearchOptions } from "../../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { samples } from "../../../support/night.ts";
import { mistyped, randomFrom } from "../sample.ts";
import { FORWARD, TYPING } from "./demo-index.ts";
import { type TownBuild, townBuilds } from "./many-builds.ts";

let builds: TownBuild[];
beforeAll(() => {
  builds = townBuilds(100);
}, 60_000);

async function find(text: string, options: SearchOptions = FORWARD, among = builds): Promise<Found[]> {
  const turns = await chooseBuilds(
    among.map(({ candidate }) => candidate),
    text,
    options,
  );
  const indexes = turns.map((turn) => turn.map(({ index }) => index));
  return searchInTurns(indexes, text, options);
}

const opened = () => builds.filter(({ reads }) => reads.some((key) => !key.startsWith("addresses/filter"))).length;
const forgetReads = () => {
  for (const { reads } of builds) reads.length = 0;
};

describe("a hundred imports", () => {
  it("are all searched: an address of each is found, exactly and first, without a position", async () => {
    const missed: string[] = [];
    for (const { houses } of builds) {
      const house = houses[7];
      const [first] = await find(house.text);
      if (first?.confidence !== "exact" || first.number !== house.number || first.name !== house.street)
        missed.push(house.text);
    }
    expect(missed).toEqual([]);
  });

  it("lose none of their towns", async () => {
    const missed: string[] = [];
    for (const { town } of builds) {
      const found = await find(`${town.name}, ${town.state}`);
      if (!found.some(({ kind, name }) => kind === "locality" && name === town.name)) missed.push(town.name);
    }
    expect(missed).toEqual([]);
  });

  it("find the town when its name has a mistake", async () => {
    const draw = randomFrom(5);
    let [hits, asked] = [0, 0];
    for (const { town, houses } of builds) {
      const words = town.name.split(" ");
      if (words.length > 1 || town.name.length < 6) continue;
      const { number, street } = houses[7];
      const found = await find(`${number} ${street}, ${mistyped(town.name, draw)}, ${town.state}`);
      asked++;
      if (found.slice(0, 3).some((one) => one.context.city === town.name && one.number === number)) hits++;
    }
    expect(asked).toBeGreaterThan(30);
    expect(hits / asked).toBeGreaterThanOrEqual(0.95);
  });

  it("find a street that only one of them has, by its name alone, and with a mistake in its end", async () => {
    for (const { houses } of builds.filter((_, i) => i % 9 === 0)) {
      const { street } = houses[9];
      expect((await find(street)).map(({ name }) => name)).toContain(street);
      const [head, type] = street.split(" ");
      expect((await find(`${head.slice(0, -1)}x ${type}`)).map(({ name }) => name)).toContain(street);
    }
  });

  it("find what is still being typed", async () => {
    for (const { houses, town } of builds.filter((_, i) => i % 9 === 0)) {
      const { number, street } = houses[6];
      const found = await find(`${number} ${street}, ${town.name.slice(0, 5)}`, TYPING);
      expect(
        found.slice(0, 3).map(({ name }) => name),
        `${street}, ${town.name}`,
      ).toContain(street);
    }
  });

  it("find a postal code by itself", async () => {
    const { houses } = builds[77];
    const zip = houses[0].text.slice(-5);
    const found = await find(`${houses[0].number} ${houses[0].street} ${zip}`);
    expect(found[0]).toMatchObject({ number: houses[0].number, postalCode: zip });
  });

  it("cost no more than some: a complete address opens one or two, a text that all of them have a bounded number", async () => {
    const fresh = townBuilds(100);
    builds = fresh;
    await find(fresh[42].houses[3].text);
    expect(opened()).toBeLessThanOrEqual(3);
    forgetReads();
    await find("500 Street Avenue Road");
    expect(opened()).toBeLessThanOrEqual(MAX_TURNS * BUILDS_AT_ONCE);
  });

  it("are asked in any case when they are around the caller, or were made without a filter", async () => {
    const old = builds[90];
    const withoutFilter = new Map([...old.objects].filter(([key]) => !key.startsWith("addresses/filter")));
    const index = new AddressIndex(keepDecoded(memorySource(withoutFilter)));
    const candidates = builds.map(({ candidate }) => candidate);
    candidates[90] = { build: "old", index };
    const [first] = await chooseBuilds(candidates, builds[3].houses[2].text, { always: ["17"] });
    expect(first.map(({ build }) => build)).toEqual(expect.arrayContaining(["old", "17", "3"]));
    expect(first.length).toBeLessThanOrEqual(BUILDS_AT_ONCE);
  });

  it("are all asked while they are few", async () => {
    const few = builds.slice(0, 5).map(({ candidate }) => candidate);
    expect(await chooseBuilds(few, "no word of it", {})).toEqual([few]);
    expect(await chooseBuilds([], "anything")).toEqual([]);
  });
});

describe("the filter of a build's words", () => {
  const letters = "abcdefghijklmnopqrstuvwxyzжשд";
  const wordsOf = (count: number, seed: number) => {
    const draw = randomFrom(seed);
    const letter = () => [...letters][Math.floor(draw() * [...letters].length)];
    return Array.from({ length: count }, () => Array.from({ length: 2 + Math.floor(draw() * 9) }, letter).join(""));
  };
  /** Asks as a search does. */
  const reader = (objects: Map<string, Uint8Array>) => {
    const head = new FilterHead(objects.get("addresses/filter")!);
    const shards = Array.from({ length: head.shards }, (_, s) => {
      const bytes = objects.get(`addresses/filter/${s}`);
      return head.only ?? openFilterShard(bytes!);
    });
    return (text: string, open = false) => {
      const probe = probeOf(parseQuery(text, open).words[0]);
      expect(head.shardsOf([probe]).every((s) => s < head.shards)).toBe(true);
      return qualityOf(probe, (key) => shards[key.shard % head.shards]);
    };
  };
  const build = (words: readonly string[], towns: readonly string[] = []) => {
    const builder = new WordFilterBuilder();
    builder.add(words, towns);
    return new Map([...builder.finish()].map(({ key, bytes }) => [key, bytes]));
  };

  it.each([100, samples(15_000, 60_000)])(
    "never denies one of %i words that are there, and hardly ever affirms another",
    (count) => {
      const words = wordsOf(count, 3);
      const objects = build(words);
      const ask = reader(objects);
      for (const word of words.slice(0, 3000))
        if (parseQuery(word, false).words.length > 0) expect(ask(word), word).toBe(1);
      const others = wordsOf(3000, 4).filter((word) => word.length > 6 && !words.includes(word));
      const wrong = others.filter((word) => ask(word) === 1).length;
      expect(wrong / others.length).toBeLessThan(0.01);
      const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
      expect(bytes / count).toBeLessThan(5);
      expect(Math.max(...[...objects.values()].map((object) => object.length))).toBeLessThan(64 * 1024);
    },
  );

  it("knows a town by any one mistake but the first letter's", () => {
    const ask = reader(build(["brooklyn"], ["brooklyn"]));
    for (const text of ["brooklin", "broklyn", "brookklyn", "broolkyn", "brooklynn", "brookly"])
      expect(ask(text), text).toBeGreaterThanOrEqual(0.6);
    expect(ask("queens")).toBe(0);
  });

  it("knows a word by its beginning while it is being typed", () => {
    const ask = reader(build(["hauptstrasse"]));
    expect([ask("hau", true), ask("haupts", true), ask("haus", true)]).toEqual([0.8, 0.8, 0.8]);
    expect([ask("h", true), ask("xyz", true)]).toEqual([0.2, 0]);
  });

  it("is refused when it is of another version", () => {
    const head = build(["oak"]).get("addresses/filter")!;
    const newer = head.slice();
    newer[4] = 99;
    expect(() => new FilterHead(newer)).toThrow(/version/);
  });
});
