import { describe, expect, it } from "vitest";
import type { House } from "../../../../src/core/geocoding/entry/entry.ts";
import { findHouse } from "../../../../src/core/geocoding/search/find-house.ts";
import {
  houseNumberKey,
  looksLikeHouseNumber,
  parseHouseNumber,
  splitHouseNumbers,
  trimHouseNumber,
} from "../../../../src/core/geocoding/words/house-number.ts";

/** Houses 20 m apart along a meridian, the first number in the south. */
const street = (...numbers: string[]): House[] =>
  numbers.map((text, i) => ({
    number: parseHouseNumber(text)!,
    location: { latitude: 40 + i * 0.0002, longitude: -73 },
    units: [],
    computed: false,
  }));
const ask = (houses: House[], number: string) => {
  const found = findHouse(houses, number);
  return found && [found.confidence, Number(((found.location.latitude - 40) / 0.0002).toFixed(2))];
};

describe("a house number", () => {
  it.each([
    ["12 bis", "12bis", 12],
    ["12BIS", "12bis", 12],
    ["39A/B", "39a/b", 39],
    ["4208-L", "4208l", 4208],
    ["30a-g", "30ag", 30],
    ["14 - 18", "14-18", 14],
    ["10 1/2", "101/2", 101],
    ["A7", "a7", 0],
  ])("%s is known as %s", (text, key, first) => {
    expect(houseNumberKey(text)).toBe(key);
    if (text !== "10 1/2") expect(parseHouseNumber(text)?.first).toBe(first);
  });

  it("has two parts in Queens", () => {
    expect(parseHouseNumber("217-14")).toMatchObject({ first: 217, second: 14 });
  });

  it.each([
    ["1;3;5", ["1", "3", "5"]],
    ["12, 14", ["12", "14"]],
    ["217-14", ["217-14"]],
    ["", []],
    [";;", []],
  ])("may be a list: %j", (value, numbers) => {
    expect(splitHouseNumbers(value).map(({ text }) => text)).toEqual(numbers);
  });

  it.each([
    ["#288 1388", "CA", "1388", "288"],
    ["#100, 2800", "CA", "2800", "100"],
    ["Unit 102 -1626", "CA", "1626", "102"],
    ["Unit 5", "CA", "", "5"],
    ["4 1855", "CA", "1855", "4"],
    ["U1 601", "CA", "601", "U1"],
    ["Studio 100 1000", "CA", "1000", "100"],
    ["4 1855", "ES", "4 1855", undefined],
    ["1295 Richards", "CA", "1295", undefined],
    ["201 City Square", "CA", "201", undefined],
    ["12 bis", "FR", "12 bis", undefined],
    ["12 quater", "FR", "12 quater", undefined],
    ["12 a", "DE", "12 a", undefined],
  ])("%s in %s is %s, unit %s", (written, country, number, unit) => {
    expect(trimHouseNumber(written, country)).toEqual({ number, ...(unit && { unit }) });
  });

  it.each(["5", "217-14", "12a", "12bis", "39a/b", "1/2"])("%s looks like one", (word) =>
    expect(looksLikeHouseNumber(word)).toBe(true),
  );
  it.each(["main", "5th", "1234567", "a7b", "sw1a"])("%s does not", (word) =>
    expect(looksLikeHouseNumber(word)).toBe(false),
  );
});

describe("a number on a street", () => {
  it("is exact when the data has it, in any writing", () => {
    expect(ask(street("2", "4", "12 bis"), "4")).toEqual(["exact", 1]);
    expect(ask(street("2", "4", "12 bis"), "12BIS")).toEqual(["exact", 2]);
  });

  it("lies between its neighbours of the same parity, in proportion", () => {
    expect(ask(street("2", "4", "8"), "6")).toEqual(["interpolated", 1.5]);
    expect(ask(street("2", "3", "10"), "4")).toEqual(["interpolated", 0.5]);
    expect(ask(street("1", "2", "9"), "4")).toBeUndefined();
  });

  it("is unknown beyond the last house, and across a gap", () => {
    expect(ask(street("2", "4"), "6")).toBeUndefined();
    expect(ask(street("2", "4"), "1")).toBeUndefined();
    expect(ask(street("2", "900"), "450")).toBeUndefined();
    expect(ask([], "1")).toBeUndefined();
  });

  it("lies between numbers of its own block where houses are counted by block", () => {
    expect(ask(street("217-10", "218-02", "217-14"), "217-12")).toEqual(["interpolated", 1]);
    expect(ask(street("217-10", "218-02"), "217-12")).toBeUndefined();
  });

  it("is at the house with a letter, or the range around it, but not exactly", () => {
    expect(ask(street("12a", "20"), "12")).toEqual(["interpolated", 0]);
    expect(ask(street("2", "10-14", "20"), "12")).toEqual(["interpolated", 1]);
  });

  it("that was only computed is not exact", () => {
    const [low, middle, high] = street("2", "4", "6");
    expect(ask([low, { ...middle, computed: true }, high], "4")).toEqual(["interpolated", 1]);
  });
});
