import { beforeAll, describe, expect, it } from "vitest";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { type Context, NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { estimateHouse } from "../../../src/core/geocoding/search/estimated-house.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { type AddressPoint, pointOfAddress } from "../../../src/worker/answers/geocode/destination.ts";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { publishAddresses } from "./live-build.ts";

const CENTER = { latitude: 49.26, longitude: -123.12 };
/** East along a street that begins at the center. */
const along = (metres: number) => destination(CENTER, 90, metres);

interface Street {
  name: string;
  context: Partial<Context>;
  /** [m] */
  length: number;
  /** Number → meters from its beginning. */
  houses?: Record<string, number>;
}

const VANCOUVER = { city: "Vancouver", stateCode: "BC", countryCode: "CA" };
const STREETS: Street[] = [
  { name: "West 12th Avenue", context: VANCOUVER, length: 1200, houses: { 500: 500, 520: 520, 600: 600 } },
  { name: "Long Road", context: VANCOUVER, length: 5000 },
  { name: "Medium Street", context: VANCOUVER, length: 900 },
  { name: "Short Lane", context: VANCOUVER, length: 120 },
  { name: "Main Street", context: VANCOUVER, length: 300, houses: { 5: 20 } },
  { name: "улица Ленина", context: { city: "Минск", countryCode: "BY" }, length: 700, houses: { 10: 100, 14: 140 } },
  { name: "شارع النيل", context: { city: "القاهرة", countryCode: "EG" }, length: 700, houses: { 10: 100, 14: 140 } },
  {
    name: "Hauptstraße",
    context: { city: "Krems", countryCode: "AT" },
    length: 700,
    houses: { "10": 100, "14a": 140 },
  },
  { name: "Vodičkova", context: { city: "Praha", countryCode: "CZ" }, length: 700, houses: { "700/10": 100 } },
];

let geodata: Geodata;
beforeAll(async () => {
  const collector = new AddressCollector();
  for (const { name, context, length, houses = {} } of STREETS) {
    const street = collector.street(name, collector.context({ ...NO_CONTEXT, ...context }), "");
    collector.line(street, [along(0), along(length / 2), along(length)]);
    for (const [number, metres] of Object.entries(houses))
      collector.house(street, parseHouseNumber(number)!, along(metres));
  }
  const elsewhere = collector.context({ ...NO_CONTEXT, city: "Burnaby", stateCode: "BC", countryCode: "CA" });
  const other = destination(CENTER, 45, 9000);
  const twin = collector.street("Main Street", elsewhere, "");
  collector.house(twin, parseHouseNumber("5")!, other);
  for (const [kind, name] of [
    ["locality", "Vancouver"],
    ["postalCode", "V5K 0A1"],
  ] as const)
    collector.entry({
      ...{ kind, name, context: { ...NO_CONTEXT, countryCode: "CA" }, postalCode: kind === "postalCode" ? name : "" },
      ...{ importance: 200, names: [], ...CENTER },
    });
  geodata = await publishAddresses(new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes])));
});

const find = (text: string, radius = 100) => pointOfAddress(geodata, text, radius, unpaced(), 0);
/** Its meters along the street, how far off it may be, and what it is; or why there is none. */
const found = async (text: string, radius?: number) => {
  const point = await find(text, radius);
  if (typeof point === "string") return point;
  const { location, reach = 0, confidence, precision } = point as AddressPoint;
  return [Math.round(distance(along(0), location)), Math.round(reach), confidence, precision];
};

describe("the point of an address that nobody looks at", () => {
  it("is its house if the data has it, and between its neighbors if it has these", async () => {
    expect(await found("500 West 12th Avenue, Vancouver")).toEqual([500, 0, "exact", "rooftop"]);
    expect(await found("510 West 12th Avenue, Vancouver")).toEqual([510, 0, "interpolated", "interpolated"]);
  });

  it.each([
    ["453 West 12th Avenue, Vancouver, BC", 500, 47],
    ["640 W 12th Ave, Vancouver", 600, 40],
    ["453 West 12th Avenue, Vancouver, BC V5Y 1V4", 500, 47],
    ["9 Main Street, Vancouver, BC V6Z 2E7", 20, 40],
    ["Acme Inc, Suite 200, 453 West 12th Avenue, Vancouver, BC V6Z 2E7, Canada", 500, 47],
    ["c/o Jane Doe, 453 West 12th Avenue, Vancouver", 500, 47],
    ["Unit 7, 453 West 12th Avenue, Vancouver, British Columbia, Canada", 500, 47],
    ["453-640 West 12th Avenue, Vancouver", 600, 40],
    ["улица Ленина 20, Минск", 140, 60],
    ["شارع النيل 20، القاهرة", 140, 60],
    ["Hauptstraße 20, Krems", 140, 60],
  ])("%s: beside the nearest known number, interpolated, with how far off that may be", async (text, metres, off) => {
    expect(await found(text)).toEqual([metres, off, "interpolated", "interpolated"]);
  });

  it("is the street, as a fallback, if no number near is known and the street isn't long", async () => {
    expect(await found("99 Medium Street, Vancouver")).toEqual([450, 450, "fallback", "street"]);
    expect(await found("9000 West 12th Avenue, Vancouver")).toEqual([520, 680, "fallback", "street"]);
    expect(await found("Vodičkova 12, Praha")).toEqual([100, 600, "fallback", "street"]);
    expect(await found("99 Long Road, Vancouver")).toContain("Use coordinates.");
    expect(await found("99 Long Road, Vancouver", 3000)).toEqual([2500, 2500, "fallback", "street"]);
  });

  it("is a street without a number only if all of it is within the radius", async () => {
    expect(await found("Short Lane, Vancouver")).toEqual([60, 0, "exact", "street"]);
    expect(await found("Short Lane, Vancouver", 50)).toContain("set arrivalRadius to at least 61");
    expect(await found("West 12th Avenue, Vancouver, BC")).toContain("set arrivalRadius to at least 680");
    expect(await found("West 12th Avenue, Vancouver, BC", 680)).toEqual([520, 0, "exact", "street"]);
    expect(await found("улица Ленина, Минск")).toContain("set arrivalRadius");
  });

  it.each(["Vancouver", "V5K 0A1"])("is no region: %s", async (text) => {
    expect(await found(text)).toMatch(/^The address is only a (town|postal code)/);
  });

  it("is none of two houses of the same address in different towns", async () => {
    expect(await found("5 Main Street")).toContain("ambiguous");
    expect(await found("5 Main Street, Vancouver")).toEqual([20, 0, "exact", "rooftop"]);
  });

  it.each([
    "99 Nowhere Road, Vancouver",
    "453 East 12th Avenue, Vancouver",
    "9 West 13th Avenue, Vancouver",
    "453 West 12th Avenue, Foobarville",
    "9 Main Street, Foobarville",
    "9 Main Street, Foobarville, BC V6Z 2E7",
    "9 Foo Bar",
    "?",
  ])("is not on another street: %s", async (text) => {
    expect(await found(text)).toBe("The address was not found.");
  });

  it("is a position as it is written", async () => {
    expect(await find("49.26, -123.12")).toMatchObject({ location: CENTER, confidence: "exact" });
  });
});

describe("a house that no data has", () => {
  const houses = (numbers: Record<string, number>) =>
    Object.entries(numbers).map(([text, metres]) => ({
      ...{ number: parseHouseNumber(text)!, units: [], computed: false, location: along(metres) },
    }));
  const nearest = (numbers: Record<string, number>, asked: string, country = "US") => {
    const house = estimateHouse(houses(numbers), asked, country);
    return house && Math.round(distance(along(0), house.location));
  };

  it("is between the next known numbers of either side, and halfway at most as far off", () => {
    expect(nearest({ 201: 200, "3-555": 300, 899: 900 }, "453")).toBe(271);
    expect(nearest({ 201: 200, 899: 1800 }, "453")).toBeUndefined();
    expect(estimateHouse(houses({ 10: 100, 21: 200 }), "15", "US")?.off).toBeCloseTo(50, 0);
  });

  it("is between numbers of blocks where the number has one", () => {
    expect(nearest({ "217-14": 140, "218-02": 240, 219: 0 }, "217-20")).toBe(147);
    expect(nearest({ 217: 50 }, "217-20")).toBeUndefined();
  });

  it("is none if the numbers between are too many, or too far by the street's own spacing", () => {
    expect(nearest({ 10: 100 }, "900")).toBeUndefined();
    expect(nearest({ 10: 100, 20: 600 }, "30")).toBeUndefined();
    expect(nearest({ 10: 100, 20: 200 }, "30")).toBe(200);
    expect(nearest({}, "1")).toBeUndefined();
    expect(nearest({ 10: 100 }, "A")).toBeUndefined();
  });
});
