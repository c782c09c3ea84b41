import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { cellReach } from "../../../../src/core/geo/cells/cell-tree.ts";
import { cellAt } from "../../../../src/core/geo/cells/cells.ts";
import { haversine } from "../../../../src/core/geo/distance.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { packDirectories } from "../../../../src/core/geocoding/index/pack-directories.ts";
import { pairsOf, parseQuery } from "../../../../src/core/geocoding/parse/query.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { randomFrom } from "../sample.ts";

describe("the lists of tiles by area", () => {
  it("find around a point what looking at every tile finds, at the poles and the 180th meridian too", async () => {
    const draw = randomFrom(3);
    const places = [
      [52, 13],
      [0, 179.9],
      [0, -179.9],
      [89.5, 10],
      [-89, -120],
      [60, -150],
    ] as const;
    const spots = Array.from({ length: 300 }, () => {
      const [latitude, longitude] = places[Math.floor(draw() * places.length)];
      return {
        latitude: latitude + (draw() - 0.5),
        longitude: longitude + 2 * (draw() - 0.5) * (Math.abs(longitude) > 179 ? 0.09 : 1),
      };
    });
    const cells = [...new Set(spots.map((spot, i) => cellAt(spot, 3 + (i % 6))))];
    const objects = new Map([...packDirectories(cells)].map(({ key, bytes }) => [key, bytes]));
    const index = new AddressIndex(keepDecoded(memorySource(objects)));
    for (let i = 0; i < 150; i++) {
      const point = spots[Math.floor(draw() * spots.length)];
      const radius = [100, 5_000, 40_000][i % 3];
      const plain = cells.flatMap((cell, tile) => {
        const { center, radius: own } = cellReach(cell);
        const apart = haversine(point.latitude, point.longitude, center.latitude, center.longitude);
        return apart <= radius + own ? [tile] : [];
      });
      const found = new Set((await index.near(point, radius, 10_000)).map(({ tile }) => tile));
      // The list keeps circles rounded up by some metres: it may have more, never less.
      for (const tile of plain) expect([i, found.has(tile)]).toEqual([i, true]);
      expect(found.size - plain.length).toBeLessThan(5);
    }
  });
});

describe("pairs of words", () => {
  it.each([
    ["12 Walnut Street, Brooklyn, NY", ["walnut street"]],
    ["Rue de la Paix Paris", ["la paix"]],
    ["Main St & Oak Ave", ["main st", "oak ave"]],
    ["Hauptstraße 12", []],
  ])("%s", (text, pairs) => {
    const found = pairsOf(parseQuery(text, false).words).map(([a, b]) => `${a.text} ${b.text}`);
    expect(found.slice(0, pairs.length)).toEqual(pairs);
    expect(found.length).toBeLessThanOrEqual(2);
  });

  it("tell the part of a large city whose streets have both from the parts where other streets have one each", async () => {
    const collector = new AddressCollector();
    const context = collector.context({ ...NO_CONTEXT, city: "Metropolis", countryCode: "US" });
    const house = (name: string, latitude: number, longitude: number) =>
      collector.house(collector.street(name, context, ""), parseHouseNumber("12")!, { latitude, longitude });
    // Twenty quarters 70 km apart, each with Walnut Court and Oak Street; in one of them there is a Walnut Street.
    for (let quarter = 0; quarter < 20; quarter++) {
      house("Walnut Court", 30 + quarter * 0.7, -90);
      house("Oak Street", 30 + quarter * 0.7, -90.001);
    }
    house("Walnut Street", 30 + 13 * 0.7, -90.002);
    const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
    expect([...objects.keys()]).toContain("addresses/pairs/0");
    const index = new AddressIndex(keepDecoded(memorySource(objects)));
    const { words } = parseQuery("12 Walnut St, Metropolis", false);
    const right = await index.tileAt({ latitude: 30 + 13 * 0.7, longitude: -90 });
    const [best] = await index.tilesWith({ words, pairs: pairsOf(words) }, 6, false);
    expect(best.tile).toBe(right);
  });
});
