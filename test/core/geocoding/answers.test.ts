import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { encodePlusCode } from "../../../src/core/geocoding/points/plus-code.ts";
import { type DemoLive, demoLive } from "./demo-live.ts";

/** A house of the demo world. */
interface Known {
  number: string;
  street: string;
  city: string;
  stateCode: string;
  postalCode: string;
  latitude: number;
  longitude: number;
}

let world: DemoLive;
const houses = {} as { US: Known };

beforeAll(async () => {
  world = await demoLive();
  const objects = new Map(
    [...world.bucket.objects].map(([key, bytes]) => [key.slice(key.indexOf("addresses/")), bytes]),
  );
  const index = new AddressIndex(keepDecoded(memorySource(objects)));
  const names = (await index.names(0))!;
  for (let entry = 0; entry < names.count && !houses.US; entry++) {
    const { countryCode, city, stateCode } = names.context(entry);
    if (names.kinds[entry] !== 0 || countryCode !== "US") continue;
    const { houses: all } = await index.details(0, names, entry);
    const house = all.find(({ computed, number }) => !computed && /^\d+$/.test(number.text));
    if (!house) continue;
    const [number, street, postalCode] = [house.number.text, names.name(entry), names.postalCode(entry)];
    houses.US = { number, street, city, stateCode, postalCode, ...house.location };
  }
}, 120_000);

const line = ({ number, street, city, stateCode, postalCode }: Known) =>
  `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
const query = (text: string) => `query=${encodeURIComponent(text)}`;

describe("coordinates, fields and bounds", () => {
  const forward = (rest: string) => world.ask("forwardGeocode", rest);

  it("treats empty lists of layers and countries as absent, as Android's SDK sends empty arrays", async () => {
    const { addresses } = await forward(query("Meridale"));
    expect(addresses.length).toBeGreaterThan(0);
    for (const rest of ["layers=", "country=", "countryCode=%20,", "layers=,&country="])
      expect(await forward(`${query("Meridale")}&${rest}`)).toEqual({ addresses });
    expect((await forward(`${query("Meridale")}&country=,USA`)).meta.param).toBe("country");
  });

  it("answers a position with the point itself, and what stands around it", async () => {
    const { US } = houses;
    const { addresses } = await forward(query(`${US.latitude.toFixed(5)}° N ${Math.abs(US.longitude).toFixed(5)}° W`));
    expect(addresses[0]).toMatchObject({ layer: "point", confidence: "exact", city: "Meridale", state: "Montana" });
    expect(addresses[0].formattedAddress).toBe(`${Number(US.latitude.toFixed(5))}, ${Number(US.longitude.toFixed(5))}`);
    expect(addresses[1]).toMatchObject({
      layer: "address",
      number: US.number,
      street: US.street,
      confidence: "fallback",
    });
    const typed = await world.ask("autocomplete", query(`geo:${US.latitude},${US.longitude}`));
    expect(typed.addresses[0].layer).toBe("point");
    const coarse = await forward(`${query("geo:48.99,-111.2")}&layers=country`);
    expect(coarse.addresses.map(({ layer }: { layer: string }) => layer)).toEqual(["country"]);
  });

  it("reads a short plus code near the town beside it, or near the caller", async () => {
    const { US } = houses;
    const code = encodePlusCode(US);
    const apart = (one: Known) => distance(one, US);
    expect(apart((await forward(query(`${code.slice(4)} Meridale`))).addresses[0])).toBeLessThan(20);
    expect(apart((await forward(`${query(code.slice(4))}&near=48.9,-111.1`)).addresses[0])).toBeLessThan(20);
    expect((await forward(query(code.slice(4)))).addresses).toEqual([]);
  });

  it("reports how exact the point of an address is, and who has it", async () => {
    const { US } = houses;
    const known = { precision: "rooftop", sources: ["OpenStreetMap"] };
    expect((await forward(query(line(US)))).addresses[0]).toMatchObject(known);
    const { addresses } = await world.ask("reverseGeocode", `coordinates=${US.latitude},${US.longitude}`);
    expect(addresses[0]).toMatchObject({ number: US.number, ...known });
    const [street] = (await forward(query(`${US.street}, ${US.city}, ${US.stateCode}`))).addresses;
    expect(street).toMatchObject({ layer: "address", precision: "street" });
    expect(street.sources).toBeUndefined();
  });

  it("takes an address in fields, with the state by its name or its code", async () => {
    const { US } = houses;
    const fields = { number: US.number, street: US.street, city: US.city, postalCode: US.postalCode };
    for (const state of ["Montana", "MT"]) {
      const { addresses } = await forward(`${new URLSearchParams({ ...fields, state, countryCode: "US" })}`);
      expect(addresses[0]).toMatchObject({ number: US.number, street: US.street, confidence: "exact" });
    }
    const [city] = (await forward("city=Meridale&limit=1")).addresses;
    expect(city).toMatchObject({ layer: "locality", city: "Meridale" });
  });

  it.each([
    ["query=x&city=y", "city"],
    ["limit=3", "query"],
    ["number=5", "street"],
    ["query=x&bounds=1,2,3", "bounds"],
    ["query=x&bounds=1,3,2,1", "bounds"],
    ["query=x&limit=0", "limit"],
    ["query=x&near=here", "near"],
  ])("%s is refused with its parameter", async (rest, param) => {
    const { meta } = await forward(rest);
    expect([meta.code, meta.param]).toEqual([400, param]);
  });

  it("answers inside the bounds only, nearest first where a position is given", async () => {
    const { US } = houses;
    const around = [US.longitude - 0.01, US.latitude - 0.01, US.longitude + 0.01, US.latitude + 0.01];
    const inside = await forward(`${query(line(US))}&bounds=${around}&limit=2&near=${US.latitude},${US.longitude}`);
    expect(inside.addresses[0]).toMatchObject({ number: US.number, confidence: "exact", distance: 0 });
    const outside = await forward(`${query(line(US))}&bounds=10,50,11,51`);
    expect(outside.addresses).toEqual([]);
  });

  it("tells what a keystroke matched, and how sure it and a reverse answer are", async () => {
    const { US } = houses;
    const typed = await world.ask("autocomplete", query(`${US.number} ${US.street}`));
    const [{ formattedAddress, matched, confidence }] = typed.addresses;
    expect(confidence).toBe("exact");
    expect(formattedAddress.slice(...matched[0])).toBe(`${US.number} ${US.street}`);
    const reverse = await world.ask("reverseGeocode", `coordinates=${US.latitude},${US.longitude}`);
    expect(reverse.addresses[0]).toMatchObject({ number: US.number, confidence: "exact" });
    expect(reverse.addresses.at(-1)).toMatchObject({ layer: "country", confidence: "fallback" });
  });
});

describe("ids", () => {
  const forward = (rest: string) => world.ask("forwardGeocode", rest);

  it("a house is found again by its id, whoever told it", async () => {
    const { US } = houses;
    const [{ id }] = (await forward(query(line(US)))).addresses;
    expect(id).toMatch(/^61646472[0-9a-f]{24}$/);
    const reverse = await world.ask("reverseGeocode", `coordinates=${US.latitude},${US.longitude}`);
    expect(reverse.addresses[0].id).toBe(id);
    const { address } = await world.ask("getAddress", "", { params: { id } });
    expect(address).toMatchObject({
      id,
      number: US.number,
      street: US.street,
      postalCode: US.postalCode,
      confidence: "exact",
    });
  });

  it("a house that got another postal code, or moved a little, is found by its old id", async () => {
    const { US } = houses;
    const [{ id }] = (await forward(query(line(US)))).addresses;
    const otherTown = `${id.slice(0, -5)}00000`;
    const nextSquare = `${id.slice(0, 8)}${(Number.parseInt(id.slice(8, 12), 16) + 1).toString(16).padStart(4, "0")}${id.slice(12)}`;
    for (const old of [otherTown, nextSquare]) {
      const answer = await world.ask("getAddress", "", { params: { id: old } });
      expect([old, answer.address?.id]).toEqual([old, id]);
    }
    for (const none of ["x", `${id.slice(0, -6)}000000`, `61646472ffff${"0".repeat(20)}`, `${id}0`])
      expect((await world.ask("getAddress", "", { params: { id: none } })).meta.code).toBe(404);
  });

  it("ids of houses without a record are not made up", async () => {
    const { addresses } = await forward(`${query("9999 Nowhere Street, Meridale, MT")}`);
    for (const { id, layer } of addresses) expect([layer, id]).toEqual([layer, undefined]);
  });

  it("a place has one id in searches, geocoding and by itself", async () => {
    const near = "48.99,-111.2";
    const [cafe] = (await world.ask("searchPlaces", `near=${near}&categories=food-beverage&radius=5000&limit=1`))
      .places;
    const { place } = await world.ask("getPlace", "", { params: { id: cafe._id } });
    expect(place).toMatchObject({ _id: cafe._id, name: cafe.name, timeZone: { id: "America/Denver" } });
    const [longitude, latitude] = cafe.location.coordinates;
    const typed = await world.ask("autocomplete", `${query(cafe.name)}&near=${latitude},${longitude}&layers=place`);
    expect(typed.addresses.map(({ id }: { id: string }) => id)).toContain(cafe._id);
    for (const none of ["x", cafe._id.replace(/.$/, "f"), "706c61630000000000000000"])
      expect((await world.ask("getPlace", "", { params: { id: none } })).meta.code).toBe(404);
  });
});

describe("kinds of places", () => {
  const ask = async (text: string, rest = "") =>
    (await world.ask("forwardGeocode", `${query(text)}&layers=address,place,coarse${rest}`)).addresses;

  it("answers places of the kind around a town or the caller, nearest first", async () => {
    for (const [text, rest] of [
      ["restaurants in Meridale", ""],
      ["Restaurants in Meridale, MT", ""],
      ["restaurant", "&near=48.99,-111.2"],
    ]) {
      const found = await ask(text, rest);
      expect([text, found.length > 2, found[0].layer]).toEqual([text, true, "place"]);
      const distances = found.map(({ distance }: { distance: number }) => distance);
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
      expect(found[0]).toMatchObject({
        confidence: "exact",
        id: expect.stringMatching(/^706c6163/),
        city: expect.any(String),
      });
    }
  });

  it("leaves a street its name, and says nothing of a town that nobody knows", async () => {
    const { US } = houses;
    expect((await ask(line(US)))[0]).toMatchObject({ layer: "address", confidence: "exact" });
    const found = await ask("restaurants in Qqqqville");
    expect(found.filter(({ confidence }: { confidence: string }) => confidence === "exact")).toEqual([]);
  });

  it("while a word is typed, what else begins with it stays in sight", async () => {
    const typed = await world.ask(
      "autocomplete",
      `${query("restaurant")}&near=48.99,-111.2&layers=place,address,coarse&limit=6`,
    );
    expect(typed.addresses.length).toBeLessThanOrEqual(6);
    expect(typed.addresses[0].layer).toBe("place");
    expect(new Set(typed.addresses.map(({ id }: { id?: string }) => id ?? Math.random())).size).toBe(
      typed.addresses.length,
    );
  });
});

describe("a batch", () => {
  const batch = (rows: unknown[], kind?: string) =>
    world.ask("geocodeBatch", "", { body: { rows, ...(kind && { kind }) } });

  it("answers each row by its kind, and a bad one stops no other", async () => {
    const { US } = houses;
    const { number, street, city, stateCode, postalCode } = US;
    const { rows, total, ok, failed } = await batch([
      { id: "a7", query: line(US) },
      { kind: "reverse", latitude: US.latitude, longitude: US.longitude },
      { kind: "validate", number, street, city, stateCode, postalCode, countryCode: "US", unit: null },
      { kind: "reverse", coordinates: "91,0" },
      { query: "x".repeat(257) },
      { kind: "guess", query: "x" },
      { street, number, city },
      { kind: "validate", city: "Meridale" },
      { query: "qqqqq zzzzz" },
    ]);
    expect([total, ok, failed]).toEqual([9, 5, 4]);
    expect(rows[0]).toMatchObject({ row: 1, id: "a7", kind: "forward", status: "ok" });
    expect(rows[0].addresses).toEqual([expect.objectContaining({ number, street, confidence: "exact" })]);
    expect(rows[1].addresses[0]).toMatchObject({ number, street });
    expect(rows[2].result).toMatchObject({ verificationStatus: "verified" });
    expect(rows[3]).toMatchObject({ status: "failed", code: 400, param: "coordinates" });
    expect(rows[4]).toMatchObject({ status: "failed", code: 400, param: "query" });
    expect(rows[5]).toMatchObject({ status: "failed", code: 400, param: "kind" });
    expect(rows[6].addresses[0]).toMatchObject({ number, street });
    expect(rows[7]).toMatchObject({ status: "failed", code: 400 });
    expect(rows[8]).toMatchObject({ status: "ok", addresses: [] });
  });

  it("rows over the limit say so, each for itself", async () => {
    const { rows } = await batch(
      Array.from({ length: 12 }, () => ({ coordinates: "48.99,-111.2" })),
      "reverse",
    );
    expect(rows.map(({ code }: { code?: number }) => code ?? 200)).toEqual([...Array(10).fill(200), 429, 429]);
  });

  it.each([
    [[], "rows"],
    [Array.from({ length: 1001 }, () => ({})), "rows"],
    ["x", "rows"],
  ])("refuses %j", async (rows, param) => {
    const { meta } = await batch(rows as unknown[]);
    expect([meta.code, meta.param.slice(0, 4)]).toEqual([400, param]);
  });
});
