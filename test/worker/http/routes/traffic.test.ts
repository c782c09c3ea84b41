import { beforeAll, describe, expect, it } from "vitest";
import { FEATURES } from "../../../../src/core/routing/learn/features.ts";
import { RESIDUAL_KEY } from "../../../../src/core/routing/learn/keys.ts";
import { writeResidual } from "../../../../src/core/routing/learn/residual.ts";
import { control, eventually, get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Two corners of a town in Portugal, where working days from eight to nine are told to be slow. */
const HERE = "41.002,-7.997";
const THERE = "41.017,-7.978";
/** Wednesdays; in winter Portugal has the time of Greenwich, in summer an hour more. */
const WINTER_JAM = "2026-01-14T08:30:00Z";
const WINTER_LATER = "2026-01-14T09:30:00Z";
const SUMMER_JAM = "2026-07-15T07:30:00Z";
const SUMMER_LATER = "2026-07-15T08:30:00Z";
const SATURDAY = "2026-01-17T08:30:00Z";

interface Timed {
  duration: { value: number };
}

let world: World;
const ask = async (path: string) => get(path, world.keys.testPublishable);
const distance = async (departureTime: string, mode = "car") => {
  const { body } = await ask(
    `/v1/route/distance?origin=${HERE}&destination=${THERE}&modes=${mode}&departureTime=${departureTime}`,
  );
  return body.routes[mode]?.duration.value as number | undefined;
};

beforeAll(async () => {
  await withGeodata("traffic");
  world = await makeWorld({
    settings: { rateLimits: { distance: 1000, matrix: 1000, directions: 1000, optimize: 1000 } },
  });
  await eventually(
    () => distance(WINTER_LATER),
    (duration) => duration !== undefined,
    15_000,
  );
});

describe("departureTime, where an operator has imported speeds", () => {
  it("is read by the clocks at the start, summer time included", async () => {
    const [winterJam, winterLater, summerJam, summerLater, saturday] = await Promise.all(
      [WINTER_JAM, WINTER_LATER, SUMMER_JAM, SUMMER_LATER, SATURDAY].map((time) => distance(time)),
    );
    expect(winterJam).toBeGreaterThan(2 * (winterLater ?? Number.NaN));
    expect(summerJam).toBe(winterJam);
    expect(summerLater).toBe(winterLater);
    expect(saturday).toBe(winterLater);
  });

  it("counts for cars, motorbikes and trucks, and not for those on foot or by bike", async () => {
    const both = (mode: string) => Promise.all([distance(WINTER_JAM, mode), distance(WINTER_LATER, mode)]);
    const [jam, later] = await both("truck");
    expect(jam).toBeGreaterThan(later ?? Number.NaN);
    expect(await both("motorbike")).toEqual(await both("car"));
    for (const mode of ["foot", "bike"]) {
      const [early, late] = await both(mode);
      expect(early).toBeGreaterThan(0);
      expect(early).toBe(late);
    }
  });

  it("gives a matrix and directions the same duration as the distance", async () => {
    for (const time of [WINTER_JAM, WINTER_LATER]) {
      const expected = await distance(time);
      const matrix = await ask(`/v1/route/matrix?origins=${HERE}&destinations=${THERE}&mode=car&departureTime=${time}`);
      const directions = await ask(`/v1/route/directions?locations=${HERE}|${THERE}&departureTime=${time}`);
      const [route] = directions.body.routes;
      expect(matrix.body.matrix[0][0].duration.value).toBeCloseTo(expected ?? Number.NaN, 2);
      expect(route.duration.value).toBeCloseTo(expected ?? Number.NaN, 2);
      const steps = route.legs[0].steps as { duration: { value: number } }[];
      expect(steps.reduce((sum, { duration }) => sum + duration.value, 0)).toBeCloseTo(route.duration.value, 1);
    }
  });

  it("is corrected by earlier drives where the project wants it, alike in distances, directions and their steps", async () => {
    const tree = {
      features: Uint8Array.of(FEATURES.indexOf("hour")),
      thresholds: Float64Array.of(9),
      leaves: Float64Array.of(Math.log(1.5), 0),
    };
    const model = await writeResidual({ isEnabled: true, depth: 1, base: 0, trees: [tree] });
    await control("putObject", { key: RESIDUAL_KEY, base64: Buffer.from(model).toString("base64") });
    const plain = await distance(WINTER_JAM);
    const { keys } = await makeWorld({ settings: { learning: { enabled: true, eta: true, minimumDevices: 3 } } });
    const corrected = async (path: string) => (await get(path, keys.testPublishable)).body.routes;
    const routes = await corrected(
      `/v1/route/distance?origin=${HERE}&destination=${THERE}&modes=car,foot&departureTime=${WINTER_JAM}`,
    );
    expect(routes.car.duration.value).toBeCloseTo(1.5 * (plain ?? Number.NaN), 2);
    expect(routes.foot.duration.value).toBe(await distance(WINTER_JAM, "foot"));
    const through = `/v1/route/directions?locations=${HERE}|41.012,-7.982|${THERE}&departureTime=`;
    const before = (await ask(through + WINTER_JAM)).body.routes[0];
    const [after] = await corrected(through + WINTER_JAM);
    // The first leg ends after nine.
    const factors = after.legs.map(({ duration }: Timed, i: number) => duration.value / before.legs[i].duration.value);
    expect(factors[0]).toBeCloseTo(1.5, 3);
    expect(factors[1]).toBe(1);
    for (const leg of after.legs) {
      const minutes = (leg.steps as Timed[]).reduce((sum, { duration }) => sum + duration.value, 0);
      expect(minutes).toBeCloseTo(leg.duration.value, 1);
    }
    const direct = `/v1/route/directions?locations=${HERE}|${THERE}&alternatives=true&departureTime=`;
    expect((await corrected(direct + WINTER_JAM))[0].duration.value).toBeCloseTo(routes.car.duration.value, 2);
    expect(await corrected(direct + WINTER_LATER)).toEqual((await ask(direct + WINTER_LATER)).body.routes);
  });

  it("is when the best order of several places sets out", async () => {
    const places = [HERE, "41.004,-7.99", "41.012,-7.982", THERE].join("|");
    const best = async (time: string) =>
      (await ask(`/v1/route/optimize?locations=${places}&departureTime=${time}`)).body.route;
    const [jam, later] = [await best(WINTER_JAM), await best(WINTER_LATER)];
    expect(jam.duration.value).toBeGreaterThan(1.5 * later.duration.value);
    const order = [...jam.legs.map(({ startIndex }: { startIndex: number }) => startIndex), 3];
    const path = order.map((index: number) => places.split("|")[index]).join("|");
    const directions = await ask(`/v1/route/directions?locations=${path}&departureTime=${WINTER_JAM}`);
    expect(directions.body.routes[0].duration.value).toBeCloseTo(jam.duration.value, 2);
  });

  it("is now when it is left out", async () => {
    const { body } = await ask(`/v1/route/distance?origin=${HERE}&destination=${THERE}&modes=car`);
    const now = await distance(new Date().toISOString());
    expect(body.routes.car.duration.value).toBe(now);
  });
});
