import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { type BackedUp, ContinuousBackup } from "../../../../src/server/backup/continuous/continuous-backup.ts";
import { keyUntil, momentsOf } from "../../../../src/server/backup/continuous/moments.ts";
import { openPlace } from "../../../../src/server/backup/place.ts";
import { readBackup } from "../../../../src/server/backup/read-backup.ts";
import { restoreLocal } from "../../../../src/server/backup/restore-local.ts";
import { takeLocal } from "../../../../src/server/backup/take-local.ts";
import { verified } from "../../../../src/server/backup/verify-restored.ts";
import { writeBackup } from "../../../../src/server/backup/write-backup.ts";
import { databaseConfig, workerName } from "../../../../src/server/base/wrangler.ts";
import { query } from "../../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { addMember, memberLink } from "../../../../src/server/project/members.ts";
import { lockState } from "../../../../src/server/state/lock.ts";
import {
  type BenchWorker,
  buildWorker,
  type PlatformWorker,
  startBuilt,
  startPlatform,
} from "../../../bench/worker.ts";
import { anyPort } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { allAnswers, caller, fillWorld, type Ids } from "./backup-world.ts";

const folder = scratchFolder();
// Nobody listens where the webhook is, so its first attempt fails; the next is not before the test is over.
const bindings = { ALLOW_PRIVATE_HOSTS: "true", WEBHOOK_SCHEDULE: "0 86400" };
let platform: PlatformWorker;
let copy: BenchWorker | undefined;
let cookie: string;
let ids: Ids;

beforeAll(async () => {
  platform = await startPlatform({
    unlimited: ["track"],
    bindings,
    prepare: (database, project) => addMember(database, project, "ann@example.com", "owner").then(() => {}),
  });
  const database = openLocalDatabase(platform.state);
  const link = await memberLink(database, "ann@example.com", platform.url);
  database.close();
  const token = /token=([0-9a-f]{64})/.exec(link)?.[1];
  const headers = { origin: platform.url, "content-type": "application/json" };
  const signIn = { method: "POST", headers, body: JSON.stringify({ token }) };
  cookie =
    (await fetch(`${platform.url}/dashboard/api/sign-in`, signIn)).headers.get("set-cookie")?.split(";")[0] ?? "";
  ids = await fillWorld(platform.url, platform.keys, `http://127.0.0.1:${await anyPort()}/hook`);
}, 240_000);
afterAll(async () => {
  await copy?.stop();
  await platform?.stop();
});

/** Devices of Live that walk in and out of a geofence, until they are told to stop: what they were answered, and when. */
async function walk() {
  const send = caller(platform.url, platform.keys.liveSecret);
  await send("PUT", "/v1/geofences/gate/1", {
    description: "Gate",
    type: "circle",
    coordinates: [10, 50],
    radius: 200,
  });
  const events: { id: string; at: number }[] = [];
  let stopped = false;
  const walkers = Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      for (let step = 0; !stopped; step++) {
        const where = { latitude: 50, longitude: step % 2 ? 10 : 10.1 };
        const { events: told } = await send("POST", "/v1/track", {
          deviceId: `walker-${n}`,
          ...where,
          accuracy: 5,
          foreground: true,
        });
        for (const { _id } of told) events.push({ id: _id, at: Date.now() });
      }
    }),
  );
  while (events.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));
  return async () => {
    stopped = true;
    await walkers;
    return events;
  };
}

/** What the page Status shows of alerts. */
async function alertsOf(url: string): Promise<unknown[]> {
  const headers = { cookie, "x-graticule-project": String(platform.projectId), "x-graticule-environment": "test" };
  const answer = await fetch(`${url}/dashboard/api/status`, { headers });
  return ((await answer.json()) as { alerts: unknown[] }).alerts;
}

/** A message was given up, somebody wants to hear of such things, and the round of the minute finds it. @returns the alerts there are */
async function tellAnAlert(): Promise<unknown[]> {
  const send = caller(platform.url, platform.keys.testSecret);
  const receiver = { url: `http://127.0.0.1:${await anyPort()}/alerts`, eventTypes: ["alert.dead_letters"] };
  await send("POST", "/v1/webhooks", receiver);
  const database = openLocalDatabase(platform.state);
  const sql = `INSERT INTO dead_letter (scope, webhook, id, events, body, attempts, reason, created_at, died_at)
    VALUES (?1, 'gone', 'e1', '[]', '{}', 1, 'away', ?2, ?2)`;
  await query(database, sql, platform.projectId * 2, Date.now());
  database.close();
  await platform.scheduled?.("* * * * *", Date.now());
  const alerts = await alertsOf(platform.url);
  expect(alerts).toMatchObject([{ type: "alert.dead_letters" }]);
  return alerts;
}

const placeOf = (state: string) => ({
  state,
  worker: workerName(),
  databaseId: databaseConfig().id,
  bucket: geodataBucketName(),
});

async function takeBoth() {
  const kept = await backUpThrice(join(folder, "continuous"));
  return [kept, await takeLocal(placeOf(platform.state), folder)] as const;
}

/** Continuous backups while devices walk. @returns what each wrote */
async function backUpThrice(where: string): Promise<BackedUp[]> {
  const bucket = openLocalBucket(platform.state, geodataBucketName());
  const work = mkdtempSync(join(folder, "work-"));
  const backup = await ContinuousBackup.open(placeOf(platform.state), { place: openPlace(where), bucket, work });
  const done: BackedUp[] = [];
  for (let n = 0; n < 3; n++) done.push(await backup.run());
  backup.close();
  bucket.close();
  return done;
}

/** Each moment restored has all that was acknowledged before it, in the database or in a device's object that sends it. */
async function restoreEachMoment(kept: readonly BackedUp[], acknowledged: readonly { at: number }[]): Promise<void> {
  const place = openPlace(join(folder, "continuous"));
  expect((await momentsOf(place)).split("\n")).toEqual(kept.map(({ madeAt }) => madeAt.toISOString()));
  // The first one writes everything, the others what changed.
  for (const { chunks, pausedMs } of kept.slice(1)) {
    expect(chunks).toBeLessThan(kept[0].chunks);
    expect(pausedMs).toBeGreaterThan(0);
  }
  for (const [n, { madeAt }] of kept.entries()) {
    const work = mkdtempSync(join(folder, "moment-"));
    const to = placeOf(join(work, "state"));
    const backup = await readBackup(place, work, await keyUntil(place, madeAt.toISOString()));
    await restoreLocal(backup, place, { ...to, force: false, work });
    expect(verified(backup, to, place)).toMatch(/is intact: [\d,]+ rows and 1\d Durable Objects are as in the backup/);
    const due = acknowledged.filter(({ at }) => at < madeAt.getTime()).length;
    expect(due).toBeGreaterThan(n);
  }
}

describe("a backup made while requests run, restored into an empty place", () => {
  it("answers every GET of the reference as the place it was made of, and has every event that was acknowledged before", async () => {
    const alerts = await tellAnAlert();
    const before = await allAnswers(platform.url, platform.keys.testSecret, cookie, ids);
    const others = [...before].filter(([, answer]) => !answer.startsWith("200 "));
    // There is no geodata here, and of some things none by that id.
    expect(before.size - others.length).toBeGreaterThan(50);
    const stop = await walk();
    const unlock = lockState(platform.state); // as npm start has it
    const [kept, taken] = await takeBoth().finally(unlock);
    const acknowledged = await stop();
    await restoreEachMoment(kept, acknowledged);
    const place = openPlace(join(folder, "backup"));
    const { madeAt, database, objects, counts, uploads, stoodStill } = taken;
    const geodata = { whole: false, objects: 0, builds: [] };
    await writeBackup(
      { from: "local", madeAt, worker: workerName(), database, objects: { path: objects, counts }, uploads, geodata },
      place,
    );
    expect(counts).toEqual({ AlertWatch: 1, DeviceTracker: 7, GeocodeJobs: 2, WebhookSender: 2 });
    expect(stoodStill).toBeGreaterThan(0);

    const state = join(folder, "copy");
    await restoreLocal(await readBackup(place, folder), place, { ...placeOf(state), force: false, work: folder });
    copy = await startBuilt(await buildWorker(), state, bindings);
    const after = await allAnswers(copy.url, platform.keys.testSecret, cookie, ids);
    for (const [path, answer] of before) expect([path, after.get(path)]).toEqual([path, answer]);
    expect(after.size).toBe(before.size);
    // It goes on being the alert that was told: its end is told, and it is not told twice.
    expect(await alertsOf(copy.url)).toEqual(alerts);

    const due = acknowledged.filter(({ at }) => at < madeAt.getTime());
    expect(due.length).toBeGreaterThan(10);
    // Each device speaks once more, which sends what it still had.
    const send = caller(copy.url, platform.keys.liveSecret);
    for (let n = 0; n < 4; n++)
      await send("POST", "/v1/track", {
        deviceId: `walker-${n}`,
        latitude: 50,
        longitude: 10.1,
        accuracy: 5,
        foreground: true,
      });
    const missing = async () => {
      const rows = openLocalDatabase(state);
      const [found] = await rows.batch([{ sql: "SELECT id FROM event" }]);
      rows.close();
      const known = new Set(found.map(({ id }) => id));
      return due.filter(({ id }) => !known.has(id));
    };
    await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
  }, 120_000);
});
