import { beforeAll, expect, it, vi } from "vitest";
import { archiveRounds, nextReport, platform, type Report } from "./platform.ts";
import { DAY, someRows } from "./rows.ts";

/** What a round tells the deployment's watch of itself. */

beforeAll(() => {
  for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => vi.restoreAllMocks();
});

const TODAY = 20_000;
const NOW = TODAY * DAY + 5 * 3600_000;

function world() {
  const made = platform();
  made.failFrom(Infinity);
  made.database.prepare("INSERT INTO project (id, name, created_at) VALUES (1, 'p', 1), (2, 'q', 1)").run();
  const insert = made.database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
  for (const [scope, age] of [
    [2, 9],
    [5, 9],
    [5, 2],
  ])
    for (const row of someRows(30, { day: TODAY - age, seed: scope + age, users: 4 }))
      insert.run(scope, row.id, row.type, row.user, row.time, row.doc);
  const reports: Report[] = [];
  const watch = {
    archived(at: number, isFailed: boolean, figures: Report["figures"]) {
      reports.unshift(nextReport(reports[0], at, isFailed, figures));
    },
  };
  const ALERT_WATCH = { idFromName: () => "", get: () => watch };
  return { ...made, reports, env: { ...(made.env as object), ALERT_WATCH } };
}

it("tells how much is archived, how old what is left in the database is, and that nothing waits", async () => {
  const { env, reports, database } = world();
  await archiveRounds(env, NOW);
  const { bytes } = database.prepare("SELECT sum(bytes) AS bytes FROM archive_part").get() as { bytes: number };
  const { first } = database.prepare("SELECT min(created_at) AS first FROM event").get() as { first: number };
  const figures = { parts: 2, events: 60, bytes, oldestHot: first, waiting: undefined };
  expect(first).toBeGreaterThanOrEqual((TODAY - 2) * DAY);
  expect(reports).toEqual([{ at: NOW, failing: 0, failed: 0, figures }]);
});

it("counts the rounds in a row that failed, with the events that wait; the one that goes well ends it, and the sum of all stays", async () => {
  const { env, reports, objects, database } = world();
  const bucket = (env as unknown as { GEODATA: { put(key: string, bytes: Uint8Array): Promise<void> } }).GEODATA;
  const { put } = bucket;
  // Of one project only: what fails keeps no other from its turn.
  bucket.put = async (key, bytes) => {
    if (key.includes("scope=2/")) throw new Error("the bucket is full");
    return put(key, bytes);
  };
  await archiveRounds(env, NOW);
  await archiveRounds(env, NOW + 3600_000);
  const { first } = database.prepare("SELECT min(created_at) AS first FROM event WHERE scope = 2").get() as {
    first: number;
  };
  expect(reports[0]).toMatchObject({ failing: 2, failed: 2, figures: { parts: 1, events: 30, waiting: first } });
  expect(objects.size).toBe(2);
  bucket.put = put;
  await archiveRounds(env, NOW + 2 * 3600_000);
  expect(reports[0]).toMatchObject({ failing: 0, failed: 2, figures: { parts: 2, events: 60, waiting: undefined } });
});

it("tells of a database that does not answer as of a round that failed, with the figures of before", async () => {
  const { env, reports, failFrom } = world();
  await archiveRounds(env, NOW);
  failFrom(1);
  await archiveRounds(env, NOW + 3600_000);
  expect(reports[0]).toEqual({ at: NOW + 3600_000, failing: 1, failed: 1, figures: reports[1].figures });
});
