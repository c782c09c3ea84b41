import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Sql } from "../../../src/worker/objects/fences/fence-store.ts";

/** SQLite in memory behind the interface of a Durable Object's: prepares each text once, as workerd does. */
export function memorySql(): Sql & { transaction(work: () => void): void } {
  const database = new DatabaseSync(":memory:");
  const prepared = new Map<string, StatementSync>();
  return {
    exec(query, ...bindings) {
      let statement = prepared.get(query);
      if (!statement) {
        statement = database.prepare(query);
        prepared.set(query, statement);
      }
      const rows = statement.all(...bindings) as Record<string, unknown>[];
      return { toArray: () => rows };
    },
    transaction(work) {
      database.exec("BEGIN");
      work();
      database.exec("COMMIT");
    },
  };
}
