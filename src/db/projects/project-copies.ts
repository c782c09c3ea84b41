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

/**
 * The environments of the databases for scheduled runs. One that a project is just leaving is skipped until an hour
 * later: its rows of that project must not be changed. So is one that a project's files are still arriving at.
 */
export async function databasesForRounds<E extends Databases>(env: E): Promise<E[]> {
  const names = databaseNames(env);
  if (names.length === 1) return [env];
  const { results } = await commonDatabase(env)
    .prepare(
      `SELECT source AS name FROM project_move WHERE step IN ('last', 'switched', 'objects', 'clean')
       UNION SELECT target FROM project_move WHERE step IN ('switched', 'objects') AND coalesce(at ->> '$.table', 0) = 0`,
    )
    .all<{ name: string }>();
  const left = new Set(results.map(({ name }) => name));
  return names.filter((name) => !left.has(name)).map((name) => envIn(env, name));
}
