import { expect, it } from "vitest";
import { call, control, del, eventually, get, put, sleep, sql, sqlIn } from "../../support/world.ts";
import { beginMove, DEVICES, openMovingProject, stepOf, Traffic } from "./moving-project.ts";

/** The scope of a project that does not move. */
const OTHERS = 1_999_999_998;

/**
 * A project moves from the second database to the first while eight devices cross a fence to and fro and somebody edits geofences. What
 * was answered is there afterwards, once each; the pure test beside this one stops the move at each step.
 */
it("a project that moves under traffic loses and doubles nothing, and its tracks never wait", async () => {
  const world = await openMovingProject("DB_2");
  const { testSecret: key, liveSecret } = world.keys;
  const scope = world.id * 2;
  await sql(`UPDATE project SET settings = json_set(settings, '$.rateLimits.track', 1000) WHERE id = ?`, world.id);
  await put("/v1/geofences/live/one", liveSecret, {
    description: "Live",
    type: "circle",
    coordinates: [1, 1],
    radius: 200,
  });
  const traffic = new Traffic(key);
  const edited = new Map<string, string>();
  traffic.each(50, async (turn) => {
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
  });
  // Hourly runs leave it alone where it is not, or not yet.
  traffic.each(2000, () => control("scheduled", { now: Date.now() }));
  await beginMove(world.id, "DB_2", "DB");
  const isSwitched = (step: string) => step === "switched" || step === "clean";
  // A busy machine needs more than one run.
  const rounds = (async () => {
    do await control("scheduled", { now: Date.now(), cron: "* * * * *" });
    while (!isSwitched(await stepOf(world.id)));
  })();
  expect(await eventually(() => stepOf(world.id), isSwitched, 120_000)).toSatisfy(isSwitched);
  // By now callers that had cached the source have read the new location.
  await sleep(1500);
  await traffic.end();

  const { statuses, told } = traffic;
  expect([...statuses.keys()]).toEqual([200]);
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThan(20);
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
  // Of others in both databases, an hourly run deletes what has expired.
  const links = (database: "DB" | "DB_2") => sqlIn(database, "SELECT id FROM trip_share WHERE scope = ?", OTHERS);
  for (const database of ["DB", "DB_2"] as const) {
    await sqlIn(
      database,
      "INSERT INTO trip_share (scope, id, trip, hash, shows, created_at, expires_at) VALUES (?, 'x', 'x', ?, '[]', 0, 0)",
      ...[OTHERS, `move ${OTHERS}`],
    );
  }
  await control("scheduled", { now: Date.now() });
  expect([await links("DB"), await links("DB_2")]).toEqual([[], []]);
  expect((await del("/v1/geofences/edited/f0", key)).status).toBe(200);
  expect((await call("GET", "/v1/geofences/edited/f0", { key })).status).toBe(404);
  await rounds;
}, 300_000);
