import type { DatabaseSync } from "node:sqlite";
import { JobStore } from "../../src/worker/objects/jobs/job-store.ts";

/** SQLite as an object has it, on a file that outlives the store. */
export function storeOn(database: DatabaseSync): JobStore {
  const exec = (query: string, ...bindings: (string | number | null)[]) => {
    const rows = database.prepare(query).all(...bindings) as Record<string, unknown>[];
    return { toArray: () => rows };
  };
  return new JobStore({ exec }, (work) => {
    database.exec("BEGIN");
    try {
      work();
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });
}
