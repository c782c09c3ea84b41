import { commonDatabase, type Databases, databaseNames, envIn, FIRST } from "../databases.ts";

/** Columns of `project` read by scheduled runs on a database: retention, and which projects exist. */
const COLUMNS = ["id", "name", "disabled", "monthly_quota", "settings", "created_at", `"database"`] as const;

/**
 * Copies the projects of each further database from the first database into it. Scheduled runs join them with the
 * projects' tables; requests always read the first database.
 */
export async function copyProjects(env: Databases): Promise<void> {
  for (const name of databaseNames(env)) {
    if (name === FIRST) continue;
    const { results } = await commonDatabase(env)
      .prepare(`SELECT ${COLUMNS.join()} FROM project WHERE "database" = ?`)
      .bind(name)
      .all();
    const { DB } = envIn(env, name);
    const there = JSON.stringify(results);
    const columns = COLUMNS.map((column) => column.replaceAll('"', ""));
    const values = columns.map((column) => `value->>'${column}'`).join();
    const changes = COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
    await DB.batch([
      DB.prepare("DELETE FROM project WHERE id NOT IN (SELECT value->>'id' FROM json_each(?))").bind(there),
      DB.prepare(
        `INSERT INTO project (${COLUMNS.join()}) SELECT ${values} FROM json_each(?) WHERE true
         ON CONFLICT (id) DO UPDATE SET ${changes.join(", ")}`,
      ).bind(there),
    ]);
  }
}
