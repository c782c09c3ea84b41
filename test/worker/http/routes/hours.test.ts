import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Before and after junctions of the demo world where turning left is forbidden from Monday to Friday, 07:00 to 09:00 and 16:00 to 18:00. */
const TURNS = [
  ["48.979678,-111.173424", "48.979984,-111.173666"],
  ["48.983322,-111.172964", "48.983537,-111.173043"],
  ["49.003728,-111.174460", "49.003978,-111.174782"],
];
/** Mondays and a Sunday in Montana and Alberta: seven hours after Greenwich in winter, six in summer. */
const RUSH = ["2026-01-12T15:00:00Z", "2026-07-13T14:00:00Z"];
const OTHER = ["2026-01-12T17:00:00Z", "2026-01-11T15:00:00Z", "2026-07-13T15:30:00Z"];

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { distance: 1000, directions: 1000 } } });
});

describe("departureTime, where a turn is forbidden at some hours", () => {
  it("makes directions and distance drive around at these hours, by the clocks at the start", async () => {
    let detours = 0;
    for (const [from, to] of TURNS) {
      const lengthAt = async (time: string) => {
        const query = `departureTime=${time}&units=metric`;
        const path = `/v1/route/directions?locations=${from}|${to}&mode=car&${query}`;
        const { body } = await get(path, world.keys.testPublishable);
        const distance = `/v1/route/distance?origin=${from}&destination=${to}&modes=car&${query}`;
        const { body: same } = await get(distance, world.keys.testPublishable);
        expect(same.routes.car.distance.value).toBe(body.routes[0].distance.value);
        return body.routes[0].distance.value as number;
      };
      const [rush, ...alike] = await Promise.all(RUSH.map(lengthAt));
      const [other, ...others] = await Promise.all(OTHER.map(lengthAt));
      expect(alike).toEqual([rush]);
      expect(others).toEqual([other, other]);
      if (rush > other) detours++;
    }
    expect(detours).toBe(TURNS.length);
  });
});
