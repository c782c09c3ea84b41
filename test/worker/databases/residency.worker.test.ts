import { expect, inject, it } from "vitest";
import { call, control, eventually, get, type Json, post, put, sleep, sql, sqlIn } from "../../support/world.ts";
import { openSocket } from "../http/running/web-socket.ts";
import { AWAY, beginMove, DEVICES, HOME, openMovingProject, stepOf, Traffic } from "./moving-project.ts";

/**
 * A project moves to another jurisdiction and back, while devices cross a fence to and fro. Its Durable Objects are others there, which
 * take over the state of those that it leaves; its files are in another bucket.
 */
/** Messages of the campaign in total: reached while the project moves. */
const TOTAL = 60;
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="red"/></svg>';

const keysIn = (bucket: "GEODATA" | "BUCKET_EU", prefix: string) => control<string[]>("keys", { bucket, prefix });

it.each([
  ["out of a jurisdiction", "DB_EU", "DB_2", "BUCKET_EU", "GEODATA", false],
  ["to a jurisdiction while objects stop", "DB_2", "DB_EU", "GEODATA", "BUCKET_EU", true],
] as const)(
  "a project that moves %s under traffic loses and doubles nothing",
  async (_, source, target, former, now, stops) => {
    const world = await openMovingProject(source);
    const { testSecret: key, testPublishable } = world.keys;
    const scope = world.id * 2;
    const { webhook } = (await post("/v1/webhooks", key, { type: "bucket", settings: { seconds: 3 } })).body;
    const campaign = {
      name: "Total",
      type: "inAppMessage",
      trigger: { event: "user.entered_geofence", geofenceTags: ["home"] },
      content: { title: { text: "x" }, body: { text: "y" } },
      limits: { total: TOTAL },
    };
    expect((await post("/v1/campaigns", key, campaign)).body.meta).toEqual({ code: 200 });
    expect((await put("/v1/maps/icons/dot", key, { image: SVG })).status).toBe(200);
    // A silent device, which no call brings along.
    const silent = { deviceId: "silent", userId: "silent", ...HOME, accuracy: 5 };
    // So many that some are on a packed page.
    const replays = Array.from({ length: 40 }, (_, i) => ({
      ...{ ...silent, accuracy: 5 + i, updatedAt: new Date(Date.now() - (60 - i) * 60_000).toISOString() },
    }));
    expect((await post("/v1/track/replay", key, { replays })).status).toBe(200);
    expect((await post("/v1/track", key, silent)).body.user.geofences).toHaveLength(1);
    expect(await keysIn(former, `custom/${scope}/`)).toEqual([`custom/${scope}/icons/dot`]);
    expect(await keysIn(now, `custom/${scope}/`)).toEqual([]);
    const past = async () => (await get("/v1/users/silent/updates?limit=100", key)).body.updates as Json[];
    const before = await past();
    expect(before.map(({ accuracy }) => accuracy)).toEqual([...replays, silent].map(({ accuracy }) => accuracy));
    const viewer = await openSocket(`${inject("baseUrl")}/v1/live?kinds=events`, { authorization: key });

    const traffic = new Traffic(key);
    /** What is uploaded is there at once, also while files are copied. */
    traffic.each(150, async (turn) => {
      const id = `u${turn % 7}`;
      expect((await put(`/v1/maps/icons/${id}`, key, { image: SVG })).status).toBe(200);
      expect((await get("/v1/maps/icons", key)).body.icons.map(({ _id }: Json) => _id)).toContain(id);
      if (turn % 3 === 2) {
        expect((await call("DELETE", `/v1/maps/icons/${id}`, { key })).status).toBe(200);
        expect((await get("/v1/maps/icons", key)).body.icons.map(({ _id }: Json) => _id)).not.toContain(id);
      }
    });
    /** Throws objects out of memory, in both places, wherever they are in their hand-over. */
    const names = ["silent", ...Array.from({ length: DEVICES }, (_, i) => `d${i}`)].map((name) => `${scope}:${name}`);
    const stop = async (turn: number) => {
      const name = names[turn % names.length];
      for (const one of [name, `eu/${name}`])
        await control("evict", { object: "DEVICE_TRACKER", name: one }).catch(() => {});
      for (const one of [`${scope}:${webhook._id}`, `eu/${scope}:${webhook._id}`])
        if (turn % 5 === 0) await control("evict", { object: "WEBHOOK_SENDER", name: one }).catch(() => {});
    };
    if (stops) traffic.each(40, stop);
    await sleep(1500);
    // Hourly runs leave it alone where it is not, or not yet.
    traffic.each(2000, () => control("scheduled", { now: Date.now() }));
    await beginMove(world.id, source, target);
    const untilStep = async (...steps: string[]) => {
      while (!steps.includes(await stepOf(world.id))) {
        await control("scheduled", { now: Date.now(), cron: "* * * * *" });
        const [{ error }] = await sql("SELECT error FROM project_move WHERE project = ?", world.id);
        // A stopped object interrupts the run that called it; the next one continues.
        if (!stops) expect(error).toBe(null);
      }
    };
    await untilStep("clean", "failed");
    expect(await stepOf(world.id)).toBe("clean");
    await sleep(1500);
    await traffic.end();

    const { statuses, told } = traffic;
    // A call that was cut off is answered with an error, and may have been stored.
    if (!stops) expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(100);
    expect(new Set(told).size).toBe(told.length);
    expect(told.length).toBeGreaterThan(50);
    const stored = await eventually(
      () => sqlIn<{ id: string; type: string }>(target, "SELECT id, type FROM event WHERE scope = ?", scope),
      (rows) => {
        const found = new Set(rows.map(({ id }) => id));
        return told.every((id) => found.has(id));
      },
      90_000,
    );
    const ids = stored.map(({ id }) => id);
    expect(told.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);

    // The queue of the webhook and the total of the campaign went along.
    const sent = async () => {
      const objects = await keysIn(now, `sinks/${scope}/${webhook._id}/`);
      return (await Promise.all(objects.map((name) => control<string>("readObject", { bucket: now, key: name }))))
        .flatMap((text) => text.trim().split("\n"))
        .map((line) => (JSON.parse(line) as { event: { _id: string } }).event._id);
    };
    const delivered = await eventually(sent, (found) => new Set(found).size >= ids.length, 60_000);
    expect([...delivered].sort()).toEqual([...ids].sort());
    expect(stored.filter(({ type }) => type === "campaign.sent")).toHaveLength(TOTAL);

    // The silent device has its past, is in the geofence that it had entered, and leaves it.
    expect(await past()).toEqual(before);
    const left = await post("/v1/track", key, { ...silent, ...AWAY });
    expect(left.body.events.map(({ type }: Json) => type)).toContain("user.exited_geofence");
    expect((await get("/v1/maps/icons", key)).body.icons.map(({ _id }: Json) => _id)).toContain("dot");
    expect(await keysIn(now, `custom/${scope}/`)).toContain(`custom/${scope}/icons/dot`);
    expect(viewer.closed).toBe(1012);

    // A quarter of an hour later, nothing is left behind.
    await sql("UPDATE project_move SET changed_at = changed_at - 900000 WHERE project = ?", world.id);
    await untilStep("done");
    expect(await keysIn(former, `custom/${scope}/`)).toEqual([]);
    expect(await keysIn(former, `sinks/${scope}/`)).toEqual([]);
    expect(await sqlIn(source, "SELECT id FROM event WHERE scope = ?", scope)).toEqual([]);
    const [row] = await sql<{ database: string; moving: unknown }>("SELECT * FROM project WHERE id = ?", world.id);
    expect([row.database, row.moving]).toEqual([target, null]);
    expect((await get("/v1/config?deviceId=silent", testPublishable)).status).toBe(200);
  },
  300_000,
);
