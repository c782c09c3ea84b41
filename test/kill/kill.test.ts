import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { send } from "../bench/support/load.ts";
import { seededRandom } from "../bench/support/random.ts";
import { startPlatform } from "../bench/worker.ts";
import { audit, FLAWLESS, isFlawless } from "./audit.ts";
import { killRun } from "./kill-run.ts";
import { listAll } from "./listed.ts";
import { LISTENING, listen } from "./listener.ts";
import { FENCES, travel } from "./travellers.ts";

// These tests mostly wait for alarms: they do it together.
afterAll(() => {
  vi.restoreAllMocks();
});

/** By day, one. */
const KILLS = process.env.EVERY_KILL ? 3 : 1;

it.concurrent("a server that is killed under load while events move into the archive, loses no acknowledged event, doubles none, tells its webhook and its broker of each, writes one line of each into a bucket, and knows where everybody is", async () => {
  const { audit, archive, parts, hot, lists, complaints, broker, bucket, ...totals } = await killRun({
    kills: KILLS,
    seconds: 2,
  });
  const { events, repeated, users, messages, refusals } = totals;
  expect(audit).toEqual(FLAWLESS);
  expect([archive, hot]).toEqual([{ missing: [], twice: [], invented: [] }, 0]);
  expect(parts).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  expect(lists).toBeGreaterThan(3);
  expect(broker).toEqual({ lost: [], invented: [] });
  expect(bucket).toEqual({ lines: expect.any(Number), lost: [], doubled: [], invented: [] });
  expect(bucket.lines).toBeGreaterThan(3);
  expect(messages).toBeGreaterThan(3);
  expect(refusals).toBeGreaterThan(0);
  expect(events).toBeGreaterThan(3);
  expect(repeated).toBeGreaterThan(0);
  expect(users).toBeGreaterThan(3);
}, 180_000);

// At night; by day server/commands/start/start.test.ts and server/commands/start/full-disk.test.ts kill one. `npm run test:kill -- --start` is its long form.
it.runIf(process.env.EVERY_KILL === "1").concurrent(
  "npm start that is killed under load loses and doubles nothing either, and is there again each time",
  async () => {
    const { audit, events } = await killRun({
      kills: 6,
      seconds: 0.3,
      seed: 3,
      server: "npm start",
    });
    expect(audit).toEqual(FLAWLESS);
    expect(events).toBeGreaterThan(20);
  },
  180_000,
);

it.concurrent("what is tracked while the database takes no events arrives there and at the webhook when it takes them again", async () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
  const platform = await startPlatform({ unlimited: ["track", "listEvents"], bindings: LISTENING });
  const listener = await listen(seededRandom(8));
  const database = openLocalDatabase(platform.state);
  try {
    for (const [name, shape] of Object.entries(FENCES)) {
      const headers = { authorization: platform.keys.testSecret };
      const body = { description: name, ...shape };
      await send(platform, { method: "PUT", path: `/v1/geofences/outage/${name}`, headers, body });
    }
    await listener.subscribe(platform, platform.keys.testSecret);
    const world = { lanes: 2, devicesPerLane: 4 };
    const travellers = travel(() => platform, platform.keys.testPublishable, seededRandom(7), world);
    const { account } = travellers;
    const reach = async (updates: number) => {
      while (account.acknowledged < updates) await sleep(20);
    };
    await reach(20);
    await query(database, "ALTER TABLE event RENAME TO event_away");
    const before = account.acknowledged;
    await reach(before + 60);
    await travellers.stop();
    // Nobody had to be told: each update was answered, at once and for good.
    expect([account.repeated, account.pending.size]).toEqual([0, 0]);
    const away = await query(database, "SELECT id FROM event_away");
    expect(away.length).toBeLessThan(account.events.size);
    // The webhook is told of what is stored, never of what may still be lost.
    const stored = new Set(away.map(({ id }) => id));
    expect([...listener.told.events.keys()].filter((id) => !stored.has(id))).toEqual([]);

    // The operator hears of it for each device and attempt, and not for each update.
    const heard = complaints.mock.calls.filter(([line]) => String(line).includes("no such table: event"));
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThan(account.acknowledged - before);

    await query(database, "ALTER TABLE event_away RENAME TO event");
    const until = Date.now() + 60_000;
    const look = async () =>
      audit(platform.state, await listAll(platform, platform.keys.testSecret), account, listener.told);
    let found = await look();
    while (!isFlawless(found) && Date.now() < until) {
      await sleep(250);
      found = await look();
    }
    expect(found).toEqual(FLAWLESS);
  } finally {
    database.close();
    await platform.stop();
    await listener.stop();
  }
}, 180_000);
