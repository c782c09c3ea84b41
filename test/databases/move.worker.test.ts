import { expect, it } from "vitest";
import { openWorld } from "../http/open-world.ts";
import { call, control, del, eventually, get, post, put, sleep, sql, sqlIn } from "../support/world.ts";

/**
 * A project moves from the second database to the first while eight devices cross a fence to and fro and somebody edits geofences. What
 * was answered is there afterwards, once each; the pure test beside this one stops the move at each step.
 */
const HOME = { latitude: 40.7, longitude: -74 };
const AWAY = { latitude: 41, longitude: -74 };
const DEVICES = 8;

it("a project that moves under traffic loses and doubles nothing, and its tracks never wait", async () => {
  const world = await openWorld({ rateLimits: { track: 1000 } }, false, "DB_2");
  const { testSecret: key, liveSecret } = world.keys;
  const scope = world.id * 2;
  await sql(`UPDATE project SET settings = json_set(settings, '$.rateLimits.track', 1000) WHERE id = ?`, world.id);
  await put("/v1/geofences/home/one", key, {
    description: "Home",
    type: "circle",
    coordinates: [HOME.longitude, HOME.latitude],
    radius: 200,
  });
  await put("/v1/geofences/live/one", liveSecret, {
    description: "Live",
    type: "circle",
    coordinates: [1, 1],
    radius: 200,
  });
  let isMoving = true;
  const told: string[] = [];
  const statuses = new Map<number, number>();
  const travel = async (device: number) => {
    for (let turn = 0; isMoving; turn++) {
      const update = { deviceId: `d${device}`, userId: `u${device}`, ...(turn % 2 ? AWAY : HOME), accuracy: 5 };
      const { status, body } = await post("/v1/track", key, { ...update, foreground: true });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) told.push(...body.events.map(({ _id }: { _id: string }) => _id));
      await sleep(100);
    }
  };
  const edited = new Map<string, string>();
  const edit = async () => {
    for (let turn = 0; isMoving; turn++) {
      const [name, description] = [`f${turn % 5}`, `turn ${turn}`];
      const fence = { description, type: "circle", coordinates: [10, 10], radius: 100 };
      const { status, headers, body } = await put(`/v1/geofences/edited/${name}`, key, fence);
      if (status === 503) {
        expect([headers.get("retry-after"), body.meta.message]).toEqual(["5", expect.stringContaining("moving")]);
      } else {
        expect(status).toBe(200);
        edited.set(name, description);
        // Who was answered reads it.
        expect((await get(`/v1/geofences/edited/${name}`, key)).body.geofence.description).toBe(description);
      }
      await sleep(50);
    }
  };
  const traffic = [...Array.from({ length: DEVICES }, (_, device) => travel(device)), edit()];
  await sql(
    "INSERT INTO project_move (project, source, target, step, begun_at, changed_at) VALUES (?, 'DB_2', 'DB', 'begin', 0, 0)",
    world.id,
  );
  const stepOf = async () =>
    (await sql<{ step: string }>("SELECT step FROM project_move WHERE project = ?", world.id))[0].step;
  const isSwitched = (step: string) => step === "switched" || step === "clean";
  // A busy machine needs more than one run.
  const rounds = (async () => {
    do await control("scheduled", { now: Date.now(), cron: "* * * * *" });
    while (!isSwitched(await stepOf()));
  })();
  expect(await eventually(stepOf, isSwitched, 120_000)).toSatisfy(isSwitched);
  // By now callers that had cached the source have read the new location.
  await sleep(1500);
  isMoving = false;
  await Promise.all(traffic);

  expect([...statuses.keys()]).toEqual([200]);
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThan(50);
  // A tracker pauses for up to half a minute between attempts.
  const stored = await eventually(
    () => sql<{ id: string }>("SELECT id FROM event WHERE scope = ?", scope),
    (rows) => rows.length >= told.length,
    90_000,
  );
  expect(stored.map(({ id }) => id).sort()).toEqual([...told].sort());
  expect((await get("/v1/users?limit=100", key)).body.users).toHaveLength(DEVICES);
  for (const [name, description] of edited)
    expect((await get(`/v1/geofences/edited/${name}`, key)).body.geofence.description).toBe(description);
  expect((await get("/v1/geofences/live/one", liveSecret)).body.geofence.description).toBe("Live");
  // The database that it has left takes nothing more of it, also of who does not know yet.
  await expect(sqlIn("DB_2", "UPDATE geofence SET description = 'x' WHERE scope = ?", scope)).rejects.toThrow("moving");
  expect((await del("/v1/geofences/edited/f0", key)).status).toBe(200);
  expect((await call("GET", "/v1/geofences/edited/f0", { key })).status).toBe(404);
  await rounds;
}, 300_000);
