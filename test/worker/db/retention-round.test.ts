import { expect, it } from "vitest";
import { retentionRound } from "../../../src/worker/objects/rounds/retention-round.ts";
import type { Env } from "../../../src/worker/platform/env.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

const NOW = Date.UTC(2026, 10, 22);
const day = (text: string) => Date.parse(text) / (24 * 3_600_000);

it("a step of the retention round that fails does not keep the data of the others", async () => {
  const sqlite = newDatabase();
  sqlite.exec("INSERT INTO project (id, name, settings, created_at) VALUES (1, 'one', '{}', 0)");
  for (const text of ["2025-09-30", "2025-10-01"])
    sqlite.exec(`INSERT INTO stat VALUES (3, ${day(text)}, 'event', 'x', '{}')`);
  const db = d1On(sqlite) as unknown as D1Database;
  const failing = new Proxy(db, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name);
      return (sql: string) => {
        if (/dead_letter/.test(sql)) throw new Error("the table is locked");
        return target.prepare(sql);
      };
    },
  });
  await expect(retentionRound({ DB: failing } as Env, NOW)).rejects.toThrow(/DELETE FROM "dead_letter"/);
  expect(sqlite.prepare("SELECT day FROM stat").all()).toEqual([{ day: day("2025-10-01") }]);
});
