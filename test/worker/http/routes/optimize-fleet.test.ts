import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, post, type World, withGeodata } from "../../../support/world.ts";

/** Along the streets of the demo world, as [longitude, latitude]. */
const WEST = [-111.23, 48.985];
const MIDDLE = [-111.2, 48.99];
const EAST = [-111.17, 49.015];
const NOWHERE = [10, 10];

let world: World;
const optimize = (body: object) => post("/v1/route/optimize", world.keys.testPublishable, body);
const job = (id: number, location: number[], rest: object = {}) => ({ id, location, ...rest });

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { optimizeFleet: 1000, matrix: 1000 } } });
});

describe("POST /v1/route/optimize", () => {
  it("takes a problem of VROOM as it is, and answers as VROOM does, with the durations of our matrix", async () => {
    const { status, body } = await optimize({
      vehicles: [{ id: 1, start: WEST, end: WEST, capacity: [4], skills: [1, 14], time_window: [28800, 43200] }],
      jobs: [
        job(7, EAST, { service: 300, delivery: [1], skills: [1] }),
        job(8, MIDDLE, { time_windows: [[32400, 36000]] }),
      ],
      options: { g: true },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ meta: { code: 200 }, code: 0, unassigned: [], summary: { routes: 1, unassigned: 0 } });
    const [route] = body.routes;
    expect(route.vehicle).toBe(1);
    expect(route.steps.map(({ type, id }: { type: string; id?: number }) => id ?? type)).toEqual(
      expect.arrayContaining(["start", 7, 8, "end"]),
    );
    const points = route.steps.map(
      ({ location: [longitude, latitude] }: { location: number[] }) => `${latitude},${longitude}`,
    );
    const { matrix } = (
      await get(
        `/v1/route/matrix?origins=${points.join("|")}&destinations=${points.join("|")}&mode=car&units=metric&snapAvoid=none`,
        world.keys.testPublishable,
      )
    ).body;
    const legs = [0, 1, 2].map((i) => matrix[i][i + 1]);
    const seconds = legs.reduce((sum, leg) => sum + Math.round(leg.duration.value * 60), 0);
    expect(Math.abs(route.duration - seconds)).toBeLessThanOrEqual(3);
    expect(body.summary.cost).toBe(route.duration);
    const line = polyline.decode(route.geometry, 5);
    expect(line.length).toBeGreaterThan(4);
    expect(line[0][0]).toBeCloseTo(WEST[1], 3);
  });

  it("says what it cannot reach, and goes on with the rest", async () => {
    const { body } = await optimize({ vehicles: [{ id: 1, start: WEST }], jobs: [job(1, NOWHERE), job(2, EAST)] });
    expect(body.unassigned).toEqual([{ id: 1, type: "job", location: NOWHERE, reason: "unreachable" }]);
    expect(body.routes[0].steps).toHaveLength(2);
  });

  it("says when there are no roads at all", async () => {
    const { body } = await optimize({ vehicles: [{ id: 1, start: NOWHERE }], jobs: [job(1, [10.1, 10])] });
    expect(body).toMatchObject({ unavailable: expect.stringContaining("No road data"), routes: [] });
  });

  it.each([
    [{}, "vehicles"],
    [{ vehicles: [] }, "vehicles"],
    [{ vehicles: [{ id: 1 }] }, "vehicles[0][start]"],
    [{ vehicles: [{ id: 1, start: [0, 91] }] }, "vehicles[0][start][1]"],
    [{ vehicles: [{ id: 1, start: WEST, profile: "boat" }] }, "vehicles[0][profile]"],
    [
      {
        vehicles: [
          { id: 1, start: WEST },
          { id: 1, start: WEST },
        ],
      },
      "vehicles[1][id]",
    ],
    [{ vehicles: [{ id: 1, start: WEST, time_window: [5, 1] }] }, "vehicles[0][time_window]"],
    [
      {
        vehicles: [
          {
            id: 1,
            start: WEST,
            time_windows: [
              [0, 5],
              [7, 9],
            ],
          },
        ],
      },
      "vehicles[0][time_windows]",
    ],
    [{ vehicles: [{ id: 1, start: WEST, time_windows: [[5, 1]] }] }, "vehicles[0][time_windows][0]"],
    [{ vehicles: [{ id: 1, start: WEST, time_window: [0, 9], time_windows: [[0, 9]] }] }, "vehicles[0][time_windows]"],
    [{ vehicles: [{ id: 1, start: WEST }], jobs: [{ id: 1 }] }, "jobs[0][location]"],
    [{ vehicles: [{ id: 1, start: WEST }], jobs: Array.from({ length: 201 }, (_, id) => job(id, EAST)) }, "jobs"],
    [{ vehicles: [{ id: 1, start_index: 2 }], matrices: { car: { durations: [[0]] } } }, "vehicles[0][start_index]"],
    [{ vehicles: [{ id: 1, start_index: 0 }], matrices: { car: { durations: [[0, 1]] } } }, "matrices[car][durations]"],
  ])("refuses what makes no sense, and names it: %#", async (body, param) => {
    const { status, body: answer } = await optimize(body);
    expect([status, answer.meta.param]).toEqual([400, param]);
  });
});
