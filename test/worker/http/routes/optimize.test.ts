import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Along the streets of the demo world, at the border of 49° N. */
const WEST = "48.985,-111.23";
const MIDDLE = "48.99,-111.2";
const EAST = "49.015,-111.17";
const NOWHERE = "10,10";

let world: World;
const optimize = (locations: string, query = "") =>
  get(`/v1/route/optimize?locations=${locations}&${query}`, world.keys.testPublishable);
const total = (legs: { distance: { value: number } }[]) => legs.reduce((sum, leg) => sum + leg.distance.value, 0);

/** Every order of some numbers. */
const ordersOf = (numbers: readonly number[]): number[][] =>
  numbers.length === 0
    ? [[]]
    : numbers.flatMap((first) => ordersOf(numbers.filter((one) => one !== first)).map((rest) => [first, ...rest]));

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { optimize: 1000, directions: 1000 } } });
});

describe("GET /v1/route/optimize", () => {
  it("visits the stops in the best order and says which locations each leg joins", async () => {
    const { status, body } = await optimize(`${WEST}|${EAST}|${MIDDLE}|${EAST}`, "units=metric");
    expect(status).toBe(200);
    const { legs, distance, duration } = body.route;
    expect(legs.map((leg: { startIndex: number; endIndex: number }) => [leg.startIndex, leg.endIndex])).toEqual([
      [0, 2],
      [2, 1],
      [1, 3],
    ]);
    expect(total(legs)).toBeCloseTo(distance.value, 0);
    expect(duration.value).toBeGreaterThan(0);
    expect(legs[1].startLocation).toEqual(legs[0].endLocation);
    for (const leg of legs) expect(leg).not.toHaveProperty("geometry");
  });

  it("keeps the first and the last location, also where another order is quicker", async () => {
    // From the middle to the middle of the town, with both ends between: any order that may start elsewhere is quicker.
    const locations = [MIDDLE, WEST, EAST, "48.992,-111.203"];
    const list = locations.join("|");
    const [{ body }, { body: table }] = await Promise.all([
      optimize(list, "units=metric"),
      get(
        `/v1/route/matrix?origins=${list}&destinations=${list}&mode=car&units=metric&snapAvoid=none`,
        world.keys.testPublishable,
      ),
    ]);
    const minutes = (order: readonly number[]) =>
      order.slice(1).reduce((sum, to, i) => sum + table.matrix[order[i]][to].duration.value, 0);
    const best = (orders: readonly (readonly number[])[]) => Math.min(...orders.map(minutes));
    const { legs, duration } = body.route as {
      legs: { startIndex: number; endIndex: number }[];
      duration: { value: number };
    };
    expect([legs[0].startIndex, legs[legs.length - 1].endIndex]).toEqual([0, locations.length - 1]);
    expect(legs.map(({ endIndex }) => endIndex).sort()).toEqual([1, 2, 3]);
    const all = ordersOf([0, 1, 2, 3]);
    const withEnds = all.filter((order) => order[0] === 0 && order[3] === 3);
    expect(duration.value).toBeCloseTo(best(withEnds), 1);
    expect(best(all)).toBeLessThan(best(withEnds) - 0.5);
  });

  it("makes a round trip of an origin that is the destination", async () => {
    const { legs } = (await optimize(`${WEST}|${EAST}|${MIDDLE}|${WEST}`)).body.route;
    expect(legs[0].startIndex).toBe(0);
    expect(legs[2].endIndex).toBe(3);
    expect(legs[2].endLocation).toEqual(legs[0].startLocation);
  });

  it("draws each leg when asked, from where it starts to where it ends", async () => {
    const { legs } = (await optimize(`${WEST}|${MIDDLE}|${EAST}`, "geometry=polyline6&mode=bike")).body.route;
    for (const leg of legs) {
      const line = polyline.decode(leg.geometry.polyline, 6);
      expect(line[0][0]).toBeCloseTo(leg.startLocation.latitude, 4);
      expect(line[line.length - 1][1]).toBeCloseTo(leg.endLocation.longitude, 4);
    }
  });

  it("is as quick as the same order asked of directions", async () => {
    const trip = (await optimize(`${WEST}|${MIDDLE}|${EAST}`)).body.route;
    const { body } = await get(`/v1/route/directions?locations=${WEST}|${MIDDLE}|${EAST}`, world.keys.testPublishable);
    expect(trip.duration).toEqual(body.routes[0].duration);
    expect(trip.distance).toEqual(body.routes[0].distance);
  });

  it("takes 2 to 10 locations", async () => {
    const one = await optimize(WEST);
    expect([one.status, one.body.meta.param]).toEqual([400, "locations"]);
    const eleven = await optimize(Array(11).fill(WEST).join("|"));
    expect([eleven.status, eleven.body.meta.param]).toEqual([400, "locations"]);
    const ten = await optimize(Array(10).fill(WEST).join("|"));
    expect(ten.body.route.legs).toHaveLength(9);
  });

  it("has no route where a location has no road, whichever it is, and names the location", async () => {
    for (const geometry of ["", "geometry=polyline6"]) {
      for (const lost of [0, 1, 2, 3]) {
        const locations = [WEST, EAST, MIDDLE, WEST].with(lost, NOWHERE).join("|");
        expect((await optimize(locations, geometry)).body).toEqual({
          meta: { code: 200 },
          unavailable: `No road is within reach of location ${lost}.`,
        });
      }
    }
    expect((await optimize(`${NOWHERE}|${NOWHERE}`)).body).toEqual({
      meta: { code: 200 },
      unavailable: "No road data is imported around these locations.",
    });
  });
});
