import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { EventWrite, UserWrite } from "../../../src/worker/db/customers/writes.ts";
import { storeTracked } from "../support/local-d1.ts";

interface Bound {
  sql: string;
  params: SQLInputValue[];
}

/** As much of D1 as trackers write, in a file. */
export function storedIn(path: string, migrations: readonly string[]) {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA synchronous = OFF");
  for (const text of migrations) database.exec(text);
  const d1 = {
    prepare: (sql: string) => ({ bind: (...params: SQLInputValue[]): Bound => ({ sql, params }) }),
    async batch(list: readonly Bound[]) {
      database.exec("BEGIN");
      const answers = list.map(({ sql, params }) => ({ results: database.prepare(sql).all(...params) }));
      database.exec("COMMIT");
      return answers;
    },
  };
  return {
    async store(users: readonly UserWrite[], events: readonly EventWrite[]): Promise<void> {
      await storeTracked(d1 as unknown as Parameters<typeof storeTracked>[0], users, events);
    },
    /** Bytes of its pages, by table and index. */
    bytes(): Map<string, number> {
      const rows = database.prepare("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name").all();
      return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
    },
    close: () => database.close(),
  };
}
