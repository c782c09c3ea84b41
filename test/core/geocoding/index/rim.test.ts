import { expect, it } from "vitest";
import { buildKey } from "../../../../src/core/geo/builds/manifest.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { nearby } from "../../../../src/core/geocoding/search/reverse.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { addressesToSearch, addressIndexesAt } from "../../../../src/worker/geodata/addresses.ts";
import { openGeodata } from "../../../../src/worker/geodata/live.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";
import { randomFrom } from "../sample.ts";
import { FORWARD } from "./demo-index.ts";

const BOX = [8.6, 49.4, 8.7, 49.5] as const;

it("every house that forward finds around the rim of an import is found in reverse", async () => {
  const draw = randomFrom(12);
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city: "Rimstadt", countryCode: "DE" });
  // Up to 4 km beyond the box on each side, as streets that cross its edge are kept whole.
  const houses = Array.from({ length: 120 }, (_, i) => {
    const latitude = Number((BOX[1] - 0.035 + draw() * (BOX[3] - BOX[1] + 0.07)).toFixed(5));
    const longitude = Number((BOX[0] - 0.05 + draw() * (BOX[2] - BOX[0] + 0.1)).toFixed(5));
    return {
      street: `${"abcdefghijkl"[i % 12].toUpperCase()}ndelweg`,
      number: `${i + 1}`,
      at: { latitude, longitude },
    };
  });
  for (const { street, number, at } of houses)
    collector.house(collector.street(street, context, ""), parseHouseNumber(number)!, at);
  const bucket = new FakeBucket();
  for (const { key, bytes } of packAddresses(collector))
    bucket.put(buildKey("rim", `addresses/${key.replace(/^addresses\//, "")}`), bytes);
  const build = { name: "rim", id: "rim", areas: [[...BOX]], sources: [], previous: [] };
  const layers = { addresses: addressesLayer.formatVersion };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  const geodata = await openGeodata(bucket, { now: 0, waitUntil: undefined });

  const outside = houses.filter(({ at }) => at.longitude < BOX[0] || at.longitude > BOX[2] || at.latitude > BOX[3]);
  expect(outside.length).toBeGreaterThan(20);
  for (const { street, number, at } of houses) {
    const text = `${street} ${number}, Rimstadt`;
    const [found] = await searchInTurns(await addressesToSearch(geodata, text, { open: false }), text, FORWARD);
    expect([text, found?.number, found?.confidence]).toEqual([text, number, "exact"]);
    const [house] = await nearby(addressIndexesAt(geodata, at), at, "en");
    expect([text, house?.kind, house?.name, house?.number]).toEqual([text, "address", street, number]);
  }
});
