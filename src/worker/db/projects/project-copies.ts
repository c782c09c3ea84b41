import { eq, getTableColumns, sql } from "drizzle-orm";
import { batch, listed, open, upsert } from "../database.ts";
import { commonDatabase, type Databases, databaseNames, envIn, FIRST } from "../databases.ts";
import { project } from "../schema.ts";

/** The columns read by scheduled runs on a database: retention, and which projects exist. */
const { moving: _, ...COLUMNS } = getTableColumns(project);

/**
 * Copies the projects of each further database from the first database into it. Scheduled runs join them with the
 * projects' tables; requests always read the first database.
 */
export async function copyProjects(env: Databases): Promise<void> {
  for (const name of databaseNames(env)) {
    if (name === FIRST) continue;
    const here = eq(project.database, name);
    const rows = await open(commonDatabase(env)).select(COLUMNS).from(project).where(here).all();
    await batch(envIn(env, name).DB, [
      sql`DELETE FROM ${project} WHERE id NOT IN (SELECT value->>'id' FROM ${listed(rows)})`,
      upsert(project, COLUMNS, listed(rows), [sql`(id)`]),
    ]);
  }
}
