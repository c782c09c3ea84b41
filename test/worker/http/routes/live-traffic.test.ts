import { beforeAll, expect, it } from "vitest";
import { distance as metersBetween } from "../../../../src/core/geo/distance.ts";
import { encodeLine } from "../../../../src/core/geo/shapes/polyline.ts";
import { control, eventually, get, makeWorld, post, put, type World, withGeodata } from "../../../support/world.ts";

/** Two corners of a town in Portugal. */
const HERE = "41.002,-7.997";
const THERE = "41.008,-7.99";
const STEP_SECONDS = 4;

let world: World;
/** [longitude, latitude] */
let line: [number, number][];
/** Of the route [min], [m]. */
let typical: number;
let meters: number;

type Traffic = "live" | "typical";
const distance = async (traffic: Traffic, project = world, modes = "car", key = project.keys.livePublishable) => {
  const asked = `/v1/route/distance?origin=${HERE}&destination=${THERE}&modes=${modes}&traffic=${traffic}`;
  return (await get(asked, key)).body.routes[modes]?.duration.value as number;
};

/** Where someone on the line is after so many meters. */
function placeAt(meters: number) {
  let left = meters;
  for (let i = 1; i < line.length; i++) {
    const [[x, y], [nextX, nextY]] = [line[i - 1], line[i]];
    const length = metersBetween({ latitude: y, longitude: x }, { latitude: nextY, longitude: nextX });
    if (left <= length)
      return { latitude: y + ((nextY - y) * left) / length, longitude: x + ((nextX - x) * left) / length };
    left -= length;
  }
  const [longitude, latitude] = line[line.length - 1];
  return { latitude, longitude };
}

/** A device of a project sends what it recorded on the route, which took so many times as long as usual and has just ended. */
async function drive(project: World, deviceId: string, times: number): Promise<void> {
  const seconds = typical * 60 * times;
  const end = Date.now() - 5000;
  const replays = Array.from({ length: Math.floor(seconds / STEP_SECONDS) }, (_, i) => ({
    ...{ deviceId, userId: deviceId, accuracy: 6, activityType: "car", replayed: true },
    ...placeAt(((i * STEP_SECONDS) / seconds) * meters),
    updatedAtMs: Math.round(end - (seconds - i * STEP_SECONDS) * 1000),
  }));
  for (let i = 0; i < replays.length; i += 50) {
    const sent = await post("/v1/track/replay", project.keys.livePublishable, { replays: replays.slice(i, i + 50) });
    expect(sent.status).toBe(200);
  }
}

const makeProject = (enabled: boolean) =>
  makeWorld({ settings: { learning: { enabled }, rateLimits: { track: 1000, replay: 1000, distance: 1000 } } });

beforeAll(async () => {
  await withGeodata("traffic");
  world = await makeProject(true);
  typical = await eventually(
    () => distance("typical"),
    (duration) => duration !== undefined,
    15_000,
  );
  const asked = `/v1/route/directions?locations=${HERE}|${THERE}&geometry=linestring&units=metric&traffic=typical`;
  const [route] = (await get(asked, world.keys.livePublishable)).body.routes;
  line = route.geometry.coordinates;
  meters = route.distance.value;
});

it("times of the project's routes follow two of its devices in a jam, in distances, directions, matrices and trips", async () => {
  const [lonely, other] = [await makeProject(true), await makeProject(false)];
  for (const project of [world, other]) for (const device of ["one", "two"]) await drive(project, device, 2.2);
  await drive(lonely, "one", 2.2);
  // Devices write to the database, which the round reads, a moment after their answers.
  for (const [{ keys }, count] of [
    [world, 2],
    [lonely, 1],
    [other, 2],
  ] as const)
    await eventually(
      async () => (await get("/v1/users", keys.liveSecret)).body.users.length,
      (found) => found === count,
    );
  const live = await eventually(
    async () => {
      await control("scheduled", { now: Date.now(), cron: "* * * * *" });
      return distance("live");
    },
    (duration) => duration / typical > 1.6,
    90_000,
  );
  expect(live / typical).toBeLessThan(2.6);
  expect(await distance("live", world, "motorbike")).toBeCloseTo(live, 1);
  expect(await distance("typical")).toBeCloseTo(typical, 1);
  expect(await distance("live", world, "truck")).toBe(await distance("typical", world, "truck"));
  // One device that does not stand, a project that does not learn, and the half for tests see nothing.
  for (const [project, key] of [
    [lonely, lonely.keys.livePublishable],
    [other, other.keys.livePublishable],
    [world, world.keys.testPublishable],
  ] as const)
    expect(await distance("live", project, "car", key)).toBeCloseTo(typical, 1);

  const ask = async (path: string) => (await get(path, world.keys.livePublishable)).body;
  const [route] = (await ask(`/v1/route/directions?locations=${HERE}|${THERE}`)).routes;
  expect(route.duration.value).toBeCloseTo(live, 1);
  const matrixOf = async (traffic?: Traffic) => {
    const cells = `origins=${HERE}|${THERE}&destinations=${HERE}|${THERE}&mode=car${traffic ? `&traffic=${traffic}` : ""}`;
    return (await ask(`/v1/route/matrix?${cells}`)).matrix
      .flat()
      .map((cell: { duration: { value: number } }) => cell.duration.value);
  };
  const [now, usual] = [await matrixOf("live"), await matrixOf("typical")];
  expect(now[1]).toBeCloseTo(live, 1);
  // Only where they are asked for, as each cell needs its route.
  expect(await matrixOf()).toEqual(usual);
  // Nobody drove the other way.
  expect(now[2]).toBeCloseTo(usual[2], 1);
  const swapped = (place: string) => place.split(",").reverse().join(",");
  const osrm = async (profile: string) =>
    (await ask(`/osrm/route/v1/${profile}/${swapped(HERE)};${swapped(THERE)}`)).routes[0].duration as number;
  expect((await osrm("driving-traffic")) / 60).toBeCloseTo(live, 1);
  expect((await osrm("driving")) / 60).toBeCloseTo(typical, 1);

  const [latitude, longitude] = THERE.split(",").map(Number);
  const door = { description: "Door", type: "circle", coordinates: [longitude, latitude], radius: 50 };
  expect((await put("/v1/geofences/door/d", world.keys.liveSecret, door)).status).toBe(200);
  const plan = encodeLine(
    line.map(([x, y]) => ({ latitude: y, longitude: x })),
    5,
  );
  for (const [userId, more] of [
    ["rider", {}],
    ["planned", { plannedRoute: plan }],
  ] as const) {
    const trip = {
      externalId: userId,
      userId,
      mode: "car",
      destinationGeofenceTag: "door",
      destinationGeofenceExternalId: "d",
    };
    const made = await post("/v1/trips", world.keys.liveSecret, { ...trip, ...more });
    expect(made.body.meta).toMatchObject({ code: 200 });
    const [here, there] = HERE.split(",").map(Number);
    const update = { deviceId: userId, userId, latitude: here, longitude: there, accuracy: 5 };
    const { body } = await post("/v1/track", world.keys.livePublishable, update);
    expect(body.user.trip.eta.duration, userId).toBeCloseTo(live, 1);
  }
});
