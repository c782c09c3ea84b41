import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../src/geo/distance.ts";
import { keepDecoded, memorySource } from "../../src/geo/tile-source.ts";
import { AddressIndex } from "../../src/geocoding/address-index.ts";
import { encodePlusCode } from "../../src/geocoding/points/plus-code.ts";
import { type DemoLive, demoLive, endpointOf } from "./demo-live.ts";

const autocomplete = await endpointOf("geocode/autocomplete.ts", "autocomplete");
const forwardGeocode = await endpointOf("geocode/forward.ts", "forwardGeocode");
const reverseGeocode = await endpointOf("geocode/reverse.ts", "reverseGeocode");

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
  const forward = (rest: string) => world.ask(forwardGeocode, rest);

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
    const typed = await world.ask(autocomplete, query(`geo:${US.latitude},${US.longitude}`));
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
    const typed = await world.ask(autocomplete, query(`${US.number} ${US.street}`));
    const [{ formattedAddress, matched, confidence }] = typed.addresses;
    expect(confidence).toBe("exact");
    expect(formattedAddress.slice(...matched[0])).toBe(`${US.number} ${US.street}`);
    const reverse = await world.ask(reverseGeocode, `coordinates=${US.latitude},${US.longitude}`);
    expect(reverse.addresses[0]).toMatchObject({ number: US.number, confidence: "exact" });
    expect(reverse.addresses.at(-1)).toMatchObject({ layer: "country", confidence: "fallback" });
  });
});
