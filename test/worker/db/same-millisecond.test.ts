import { expect, it } from "vitest";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

/** Rows that share one millisecond at the edge of a page. */

// This module knows the platform's types, which tests in Node do not.
const { silentDevices } = (await import(
  new URL("../../../src/worker/db/customers/history-round.ts", import.meta.url).href
)) as {
  silentDevices(
    db: unknown,
    range: { scope: number; until: number; before: number },
    limit: number,
  ): Promise<{ devices: string[]; reached: number }>;
};

const SCOPE = 3;
const DAY_MS = 86_400_000;
const AT = 20_000 * DAY_MS + 5000;

/** Users by their last update. */
function databaseWith(times: readonly number[]) {
  const database = newDatabase();
  const insert = database.prepare(
    "INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc, day) VALUES (?, ?, ?, 0, 0, 0, 1, 1, ?, '{}', ?)",
  );
  times.forEach((at, i) => {
    insert.run(SCOPE, `user-${i}`, `phone-${i}`, at, Math.floor(at / DAY_MS));
  });
  return d1On(database);
}

it.each([
  ["in the middle", [AT - 1, AT, AT, AT, AT, AT, AT + 1, AT + DAY_MS]],
  ["at the begin", [AT - 5, AT - 5, AT - 5, AT - 5, AT]],
])("silent devices with the same last update are all read, however few are read at a time: %s", async (_, times) => {
  const db = databaseWith(times);
  for (const limit of [1, 2, 3, 10]) {
    const seen: string[] = [];
    let until = AT - 5;
    const before = AT + 2 * DAY_MS;
    for (let runs = 0; until < before && runs < 20; runs++) {
      const { devices, reached } = await silentDevices(db, { scope: SCOPE, until, before }, limit);
      expect(reached).toBeGreaterThan(until);
      seen.push(...devices);
      until = reached;
    }
    expect([...new Set(seen)].sort()).toEqual(times.map((_time, i) => `phone-${i}`));
  }
});
