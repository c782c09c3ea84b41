import { beforeAll, describe, expect, it, vi } from "vitest";
import { changeLiveBuilds, switchedTo } from "../../../../src/core/geo/builds/live-list.ts";
import type { Manifest } from "../../../../src/core/geo/builds/manifest.ts";
import { SEAL, seal } from "../../../../src/core/geo/builds/sealed.ts";
import { readContribution } from "../../../../src/core/routing/learn/contribution.ts";
import {
  type LearningState,
  liveKey,
  parseContributionKey,
  parseState,
  reportKey,
  stateKey,
} from "../../../../src/core/routing/learn/keys.ts";
import { LiveSpeeds } from "../../../../src/core/routing/learn/live-speeds.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { d1On, newDatabase } from "../../../support/d1-on-sqlite.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";
import { listIn } from "../../../worker/geodata/live-towns.ts";
import { roadsOfTown } from "../graph/road-build.ts";
import { noisyTrace } from "../match/noisy-drives.ts";

/** The hourly run that collects what devices saw of roads: with a database, a bucket and trackers in memory. */

// These modules know the platform's types, which tests in Node do not.
const { learningRound, forgetDisabledLearning } = (await import(
  new URL("../../../../src/worker/objects/rounds/learning-round.ts", import.meta.url).href
)) as {
  learningRound(env: unknown, now: number, most?: number): Promise<void>;
  forgetDisabledLearning(env: unknown): Promise<void>;
};
const { liveTrafficRound } = (await import(
  new URL("../../../../src/worker/objects/rounds/live-traffic-round.ts", import.meta.url).href
)) as { liveTrafficRound(env: unknown, now: number): Promise<void> };
const { forgetContributions } = (await import(
  new URL("../../../../src/worker/objects/rounds/forget-contributions.ts", import.meta.url).href
)) as {
  forgetContributions(
    env: unknown,
    scope: number,
    users: { id: string; deviceId: string }[],
    now: number,
  ): Promise<void>;
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A Wednesday. */
const TODAY = 20_600;
const NOON = TODAY * DAY_MS + 12 * HOUR_MS;
/** The live half of project 1. */
const SCOPE = 3;

class Bucket extends FakeBucket {
  async list({ prefix }: { prefix: string }) {
    return {
      objects: [...this.objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
      truncated: false,
    };
  }
  async delete(keys: string | string[]) {
    for (const key of typeof keys === "string" ? [keys] : keys) this.objects.delete(key);
  }
  async head(key: string) {
    return this.objects.has(key) ? {} : null;
  }
  override async get(key: string, options?: Parameters<FakeBucket["get"]>[1]) {
    const stored = await super.get(key, options);
    const bytes = this.objects.get(key);
    return stored && { ...stored, text: async () => new TextDecoder().decode(bytes) };
  }
}

interface Update {
  update: { location: { latitude: number; longitude: number }; accuracy: number };
  at: number;
}

let build: { objects: Map<string, Uint8Array>; updates: Update[] };
beforeAll(async () => {
  vi.spyOn(console, "error").mockReturnValue();
  // Of the Worker's runtime.
  vi.stubGlobal("scheduler", { wait: () => Promise.resolve() });
  const { objects, router } = await roadsOfTown(20, 8);
  const at = (row: number, column: number) => ({ latitude: 41 + row * 0.001, longitude: -8 + column * 0.0013 });
  const route = (await router.route([at(1, 1), at(18, 18)], { mode: "car", reach: 300 }))!;
  const { trace } = noisyTrace(route.legs[0], 2, 3, seededRandom(4));
  const updates = trace.map(({ latitude, longitude, time = 0 }) => ({
    update: { location: { latitude, longitude }, accuracy: 5 },
    at: TODAY * DAY_MS + 8 * HOUR_MS + time * 1000,
  }));
  build = { objects, updates };
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  };
});

/** A project that learns, with users that made the same drive this morning. */
async function world(users = 3, settings: object = { learning: { enabled: true, minimumDevices: 4 } }) {
  const database = newDatabase();
  database
    .prepare("INSERT INTO project (id, name, created_at, settings) VALUES (1, 'p', 1, ?)")
    .run(JSON.stringify(settings));
  const insert = database.prepare(
    "INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc, day) VALUES (?, ?, ?, 0, 0, 0, 1, 1, ?, '{}', ?)",
  );
  for (let i = 0; i < users; i++) insert.run(SCOPE, `user-${i}`, `phone-${i}`, TODAY * DAY_MS + 9 * HOUR_MS + i, TODAY);
  const bucket = new Bucket();
  const id = "a".repeat(16);
  for (const [key, bytes] of build.objects) bucket.put(`builds/${id}/${key}`, seal(bytes));
  const manifest: Manifest = {
    ...{
      version: 1,
      id,
      name: "town",
      bounds: [-8.1, 40.9, -7.9, 41.1],
      inputs: [],
      objectsSha256: "",
      checksum: SEAL,
    },
    ...{ sources: [], layers: { roads: { formatVersion: 9, objects: 1, bytes: 1, counts: {} } } },
  };
  await changeLiveBuilds(listIn(bucket), () => switchedTo([], manifest, 0));
  const read: string[] = [];
  const during: { reading?: (user: string) => void; silent?: boolean; receivedAt?: number } = {};
  const DEVICE_TRACKER = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      async updates(
        user: string,
        { from, to, limit, cursor }: { from: number; to: number; limit: number; cursor: { entry: number } },
      ) {
        read.push(`${name} ${user}`);
        during.reading?.(user);
        const own = during.silent ? [] : build.updates.filter(({ at }) => at >= from && at <= to);
        const some = own.slice(cursor.entry, cursor.entry + Math.min(limit, 40));
        const updates = some.map(({ update, at }) => ({
          at,
          update: { ...update, receivedAt: during.receivedAt ?? at },
        }));
        const next = cursor.entry + updates.length;
        return { updates, ...(next < own.length && { next: { page: 0, entry: next } }) };
      },
    }),
  };
  const env = { DB: d1On(database), GEODATA: bucket, DEVICE_TRACKER };
  const contributions = () => [...bucket.objects.keys()].filter((key) => parseContributionKey(key));
  const state = () => parseState(new TextDecoder().decode(bucket.objects.get(stateKey(SCOPE)))) as LearningState;
  return { env, database, bucket, read, contributions, state, during };
}

const NEXT_MORNING = (TODAY + 1) * DAY_MS + 7 * HOUR_MS;

describe("collecting", () => {
  it("waits until the day is over, and uses nothing from before learning was enabled", async () => {
    const { env, contributions, read, state } = await world();
    await learningRound(env, NOON);
    await learningRound(env, (TODAY + 1) * DAY_MS + 5 * HOUR_MS);
    expect([contributions(), read]).toEqual([[], []]);
    expect(state()).toMatchObject({ day: TODAY - 1, minimumDevices: 4 });
  });

  it("stores what each user's device saw, once, in local time, under names that do not contain ids", async () => {
    const { env, contributions, read, bucket, state } = await world();
    await learningRound(env, NOON);
    await learningRound(env, NEXT_MORNING);
    expect(state()).toMatchObject({ day: TODAY, after: 0 });
    expect(contributions()).toHaveLength(3);
    expect(contributions().join()).not.toMatch(/phone|user/);
    expect(new Set(read)).toEqual(new Set(["3:phone-0 user-0", "3:phone-1 user-1", "3:phone-2 user-2"]));
    const { days, observations } = await readContribution(bucket.objects.get(contributions()[0])!);
    expect(days).toBe(1 << 2);
    expect(observations.edges.size).toBeGreaterThan(5);
    // 08:00 UTC on a Wednesday in May is 09:00 in Portugal.
    const hours = new Set([...observations.edges.values()].flatMap((all) => all.map(({ hour }) => hour)));
    expect([...hours]).toEqual([2 * 24 + 9]);
    const before = bucket.objects.get(contributions()[0]);
    const count = read.length;
    await learningRound(env, NEXT_MORNING + HOUR_MS);
    expect(read).toHaveLength(count);
    expect(bucket.objects.get(contributions()[0])).toBe(before);
  });

  it("counts how well the journeys were predicted before they are learned from, and nothing of one journey", async () => {
    const { env, bucket } = await world();
    await learningRound(env, NOON);
    await learningRound(env, NEXT_MORNING);
    const report = JSON.parse(new TextDecoder().decode(bucket.objects.get(reportKey(SCOPE))));
    const { trips, profile } = report.months["2026-05"].car;
    expect(trips).toBe(3);
    // The drive was made at the profile's speeds.
    expect(Math.abs(profile.bias / trips)).toBeLessThan(0.1);
    expect(profile.hours[9][0]).toBe(3);
    await learningRound(env, NEXT_MORNING + HOUR_MS);
    expect(JSON.parse(new TextDecoder().decode(bucket.objects.get(reportKey(SCOPE)))).months["2026-05"].car.trips).toBe(
      3,
    );
  });

  it("continues where a run ended, and counts no drive twice", async () => {
    const { env, contributions, bucket, state } = await world(3);
    await learningRound(env, NOON);
    const put = bucket.put.bind(bucket);
    let puts = 0;
    vi.spyOn(bucket, "put").mockImplementation((key, content) => {
      // The second user's contribution, and the state of the run, are lost.
      if (++puts >= 2 && puts <= 4) throw new Error("the bucket is full");
      put(key, content);
    });
    await learningRound(env, NEXT_MORNING);
    vi.mocked(bucket.put).mockRestore();
    expect(contributions()).toHaveLength(1);
    const first = bucket.objects.get(contributions()[0]);
    await learningRound(env, NEXT_MORNING + HOUR_MS);
    expect(contributions()).toHaveLength(3);
    expect([...bucket.objects.values()]).toContain(first);
    expect(state().day).toBe(TODAY);
  });

  it("reads every user of a millisecond that more share than are read at a time", async () => {
    const { env, database, read, during, state } = await world(205);
    database.exec(`UPDATE user SET updated_at = ${TODAY * DAY_MS + 9 * HOUR_MS}`);
    // Without updates, because only the list matters.
    during.silent = true;
    await learningRound(env, NOON);
    await learningRound(env, NEXT_MORNING);
    expect(new Set(read).size).toBe(205);
    expect(state()).toEqual(expect.not.objectContaining({ afterId: expect.anything() }));
  });

  it("ignores projects that did not enable it, and test devices", async () => {
    for (const settings of [{}, { learning: { enabled: false } }]) {
      const { env, bucket } = await world(3, settings);
      const count = bucket.objects.size;
      await learningRound(env, NEXT_MORNING);
      expect(bucket.objects.size).toBe(count);
    }
    const { env, database, bucket } = await world();
    database.exec("UPDATE user SET scope = 2");
    const count = bucket.objects.size;
    await learningRound(env, NEXT_MORNING);
    expect(bucket.objects.size).toBe(count);
  });
});

describe("forgetting", () => {
  async function collected() {
    const all = await world();
    await learningRound(all.env, NOON);
    await learningRound(all.env, NEXT_MORNING);
    return all;
  }

  it("removes all that a deleted user contributed, and nothing else", async () => {
    const { env, contributions } = await collected();
    await forgetContributions(env, SCOPE, [{ id: "user-1", deviceId: "phone-1" }], NEXT_MORNING);
    expect(contributions()).toHaveLength(2);
    await forgetContributions(env, 5, [{ id: "user-0", deviceId: "phone-0" }], NEXT_MORNING);
    expect(contributions()).toHaveLength(2);
  });

  it("keeps nothing of a user that is deleted while the updates are read", async () => {
    const { env, contributions, database, during } = await world();
    await learningRound(env, NOON);
    during.reading = (user) => {
      if (user !== "user-1") return;
      database.exec("DELETE FROM user WHERE id = 'user-1'");
      void forgetContributions(env, SCOPE, [{ id: "user-1", deviceId: "phone-1" }], NEXT_MORNING);
    };
    await learningRound(env, NEXT_MORNING);
    expect(contributions()).toHaveLength(2);
  });

  it("keeps the mark of a project that disables learning while updates are read", async () => {
    const { env, bucket, state, during, contributions } = await world();
    await learningRound(env, NOON);
    during.reading = () => bucket.put(stateKey(SCOPE), JSON.stringify({ ...state(), disabled: true }));
    await learningRound(env, NEXT_MORNING);
    expect(state().disabled).toBe(true);
    await forgetDisabledLearning(env);
    expect(contributions()).toEqual([]);
  });

  it("removes everything of a project that disabled learning, even if it is enabled again", async () => {
    const { env, contributions, bucket, state } = await collected();
    await forgetDisabledLearning(env);
    expect(contributions()).toHaveLength(3);
    bucket.put(stateKey(SCOPE), JSON.stringify({ ...state(), disabled: true }));
    await learningRound(env, NEXT_MORNING + DAY_MS);
    expect(state()).toMatchObject({ disabled: true, day: TODAY });
    await forgetDisabledLearning(env);
    expect(contributions()).toEqual([]);
    expect(bucket.objects.has(stateKey(SCOPE))).toBe(false);
  });

  it("removes a project that was deleted", async () => {
    const { env, contributions, database } = await collected();
    database.exec("UPDATE project SET settings = '{}'");
    await forgetDisabledLearning(env);
    expect(contributions()).toEqual([]);
  });

  it("removes weeks older than twelve", async () => {
    const { env, contributions } = await collected();
    await learningRound(env, NEXT_MORNING + 84 * DAY_MS, 1e9);
    expect(contributions()).toHaveLength(3);
    await learningRound(env, NEXT_MORNING + 98 * DAY_MS, 1e9);
    expect(contributions()).toHaveLength(0);
  });
});

describe("updates that arrive late", () => {
  const collectedWith = async (receivedAt: number) => {
    const { env, contributions, during } = await world(1);
    await learningRound(env, NOON);
    during.silent = true;
    await learningRound(env, NEXT_MORNING);
    expect(contributions()).toEqual([]);
    Object.assign(during, { silent: false, receivedAt });
    await learningRound(env, NEXT_MORNING + DAY_MS);
    return contributions().length;
  };

  it("after their day was collected count with the next day, those that were there only once", async () => {
    expect(await collectedWith(NEXT_MORNING + 2 * HOUR_MS)).toBe(1);
    expect(await collectedWith(NOON)).toBe(0);
  });
});

describe("a project that moves to another database", () => {
  const withSecond = async (users: number) => {
    const made = await world(users);
    const move = (step: string, at: string) =>
      made.database
        .prepare(
          "INSERT OR REPLACE INTO project_move (project, source, target, step, at, begun_at, changed_at) VALUES (1, 'DB', 'DB_2', ?, ?, 0, 0)",
        )
        .run(step, at);
    return { ...made, move, env: { ...made.env, DB_2: d1On(newDatabase()) } };
  };

  it("is collected as far as it was when its last step began, and continues later", async () => {
    const { env, read, move, during, state, database } = await withSecond(150);
    await learningRound(env, NOON);
    during.silent = true;
    let now = NEXT_MORNING;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now);
    during.reading = () => {
      now += 20;
      move("last", '{"table":0}');
    };
    await learningRound(env, NEXT_MORNING);
    expect([read.length, state().day]).toEqual([100, TODAY - 1]);
    await learningRound(env, NEXT_MORNING);
    expect(read).toHaveLength(100);
    database.exec("DELETE FROM project_move");
    during.reading = () => {};
    now += 2000;
    await learningRound(env, NEXT_MORNING);
    expect([read.length, state().day]).toEqual([150, TODAY]);
    clock.mockRestore();
  });

  it("loses what it collected while learning is disabled only once its files have arrived", async () => {
    const { env, contributions, database, move } = await withSecond(2);
    await learningRound(env, NOON);
    await learningRound(env, NEXT_MORNING);
    database.exec("UPDATE project SET settings = '{}'");
    move("objects", '{"table":0,"after":["x"]}');
    await forgetDisabledLearning(env);
    expect(contributions()).toHaveLength(2);
    move("objects", '{"table":1}');
    await forgetDisabledLearning(env);
    expect(contributions()).toEqual([]);
  });
});

describe("live traffic", () => {
  const liveOf = (bucket: Bucket) => {
    const stored = bucket.objects.get(liveKey(SCOPE));
    return stored && LiveSpeeds.read(new TextDecoder().decode(stored));
  };
  const moveUsersTo = (database: ReturnType<typeof newDatabase>, at: number) =>
    database.prepare("UPDATE user SET updated_at = ? + substr(id, 6), day = ?").run(at, TODAY);

  it("is what devices saw in the last minutes, under names that do not contain ids, and is gone after an hour", async () => {
    const { env, database, bucket, read } = await world(2);
    const now = build.updates[build.updates.length - 1].at + 60_000;
    moveUsersTo(database, now - 90_000);
    await liveTrafficRound(env, now);
    expect(new Set(read)).toEqual(new Set(["3:phone-0 user-0", "3:phone-1 user-1"]));
    const live = liveOf(bucket)!;
    expect(live.size).toBeGreaterThan(5);
    expect(live.write()).not.toMatch(/phone|user/);
    const [key] = Object.keys(JSON.parse(live.write()).edges);
    expect(live.paceOn(key, now / 1000)?.weight).toBe(1);
    // A deleted user takes along what its device saw; one device that remains is too few.
    const devicesOf = (all: string) =>
      new Set(Object.values(JSON.parse(all).edges).flatMap((one) => (one as string[][]).map(([name]) => name)));
    expect(devicesOf(live.write()).size).toBe(2);
    await forgetContributions(env, SCOPE, [{ id: "user-0", deviceId: "phone-0" }], now);
    expect(devicesOf(liveOf(bucket)!.write()).size).toBe(1);
    // No user moved since: none is read again.
    const count = read.length;
    await liveTrafficRound(env, now + 60_000);
    expect(read).toHaveLength(count);
    await liveTrafficRound(env, now + HOUR_MS);
    expect(liveOf(bucket)?.size).toBe(0);
  });

  it("has what a device sends late, in parts, and about a time before what others have sent", async () => {
    const { env, database, bucket, read, during } = await world(2);
    const now = build.updates[build.updates.length - 1].at + 60_000;
    const move = (id: string, ago: number) =>
      database.prepare("UPDATE user SET updated_at = ?, day = ? WHERE id = ?").run(now - ago, TODAY, id);
    move("user-0", 60_000);
    move("user-1", 16 * 60_000);
    await liveTrafficRound(env, now);
    expect(new Set(read)).toEqual(new Set(["3:phone-0 user-0"]));
    // The first part of its drive arrives, then the rest, all older than what the other has sent.
    for (const ago of [600_000, 300_000]) {
      move("user-1", ago);
      read.length = 0;
      during.reading = (user) => expect(user).toBe("user-1");
      await liveTrafficRound(env, now + 1000);
      const count = read.length;
      expect(count).toBeGreaterThan(0);
      await liveTrafficRound(env, now + 2000);
      expect(read).toHaveLength(count);
    }
    const live = liveOf(bucket)!;
    const [key] = Object.keys(JSON.parse(live.write()).edges);
    expect(live.paceOn(key, now / 1000)?.weight).toBe(1);
  });

  it("is collected neither of projects that do not learn, nor of users that did not move", async () => {
    for (const [settings, ago] of [
      [{}, 60_000],
      [{ learning: { enabled: true } }, 16 * 60_000],
    ] as const) {
      const { env, database, bucket, read } = await world(2, settings);
      const now = build.updates[build.updates.length - 1].at + 60_000;
      moveUsersTo(database, now - ago);
      await liveTrafficRound(env, now);
      expect([read, liveOf(bucket)]).toEqual([[], undefined]);
    }
  });

  it("of one user that cannot be read does not stop the others, and goes with the rest when learning is disabled", async () => {
    const { env, database, bucket, during } = await world(3);
    const now = build.updates[build.updates.length - 1].at + 60_000;
    moveUsersTo(database, now - 90_000);
    during.reading = (user) => {
      if (user === "user-1") throw new Error("broken");
    };
    await liveTrafficRound(env, now);
    const live = liveOf(bucket)!;
    const [key] = Object.keys(JSON.parse(live.write()).edges);
    expect(live.paceOn(key, now / 1000)).toBeDefined();
    await learningRound(env, now);
    database.prepare("UPDATE project SET settings = '{}'").run();
    await forgetDisabledLearning(env);
    expect(liveOf(bucket)).toBeUndefined();
  });
});
