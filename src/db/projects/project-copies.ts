import { commonDatabase, type Databases, databaseNames, envIn, FIRST } from "../databases.ts";

/** Columns of `project` that rounds over a database read: how long things are kept, and which projects there are. */
const COLUMNS = ["id", "name", "disabled", "monthly_quota", "settings", "created_at", `"database"`] as const;

/**
 * Copies the projects of each further database into it, as the first has them. Rounds join them with what the projects own; what
 * counts for a request is always read from the first.
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
 * The environments of the databases that a round may go over. One that a project is just leaving has its turn an hour later: what
 * it still holds of that project may not be changed.
 */
export async function databasesForRounds<E extends Databases>(env: E): Promise<E[]> {
  const names = databaseNames(env);
  if (names.length === 1) return [env];
  const { results } = await commonDatabase(env)
    .prepare("SELECT source FROM project_move WHERE step IN ('last', 'switched', 'clean')")
    .all<{ source: string }>();
  const left = new Set(results.map(({ source }) => source));
  return names.filter((name) => !left.has(name)).map((name) => envIn(env, name));
}
