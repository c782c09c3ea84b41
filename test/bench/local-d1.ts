import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import type { UserWrite } from "../../src/db/writes.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;
type Statement = ReturnType<Database["prepare"]>;

/** An empty database with all tables, as D1 is; it tells how many rows the last batch has written, as D1 counts them. */
export async function startD1(): Promise<{ db: Database; written(): number; stop(): Promise<void> }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-10-23",
      d1Databases: { DB: "rows" },
    }),
  );
  const real = await miniflare.getD1Database("DB");
  for (const file of readdirSync(MIGRATIONS).sort()) {
    const text = readFileSync(join(MIGRATIONS, file), "utf8").replace(/--.*$/gm, "");
    const statements = text.split(";").filter((one) => one.trim() !== "");
    await real.batch(statements.map((one) => real.prepare(one)));
  }
  let written = 0;
  const db = {
    prepare: (sql: string) => real.prepare(sql),
    batch: async (statements: Statement[]) => {
      const results = await real.batch(statements);
      written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
      return results;
    },
  } as Database;
  return { db, written: () => written, stop: () => miniflare.dispose() };
}

// The room of queries knows the platform's types, which tests in Node do not.
const room = (file: string) => import(`../../src/db/${file}.ts`);

export const { storeTracked } = (await room("tracked")) as {
  storeTracked(
    db: Database,
    users: readonly UserWrite[],
    events: readonly { scope: number; doc: string }[],
  ): Promise<void>;
};
export const { listUsers, userPositions } = (await room("users")) as {
  listUsers(
    db: Database,
    scope: number,
    filter: { limit: number; updatedBefore?: number },
  ): Promise<{ docs: string[] }>;
  userPositions(
    db: Database,
    scope: number,
    ranges: readonly (readonly [number, number])[],
    metadata: undefined,
  ): Promise<{ id: string }[]>;
};
