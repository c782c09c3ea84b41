import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import type { UserWrite } from "../../../src/worker/db/customers/writes.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;
type Statement = ReturnType<Database["prepare"]>;

/** An empty database with all tables, as D1 is; it tells how many rows were written since it was asked last, as D1 counts them. */
export async function startD1(
  /** What an earlier release has left, before a migration is applied. */
  earlier?: { migration: string; write(db: Database): Promise<void> },
): Promise<{
  db: Database;
  written(): number;
  /** The same of rows read. */
  read(): number;
  /** Rows of all batches by statement. */
  statements: Map<string, number>;
  stop(): Promise<void>;
}> {
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
    if (file === earlier?.migration) await earlier.write(real);
    const text = readFileSync(join(MIGRATIONS, file), "utf8").replace(/--.*$/gm, "");
    const statements = text.split(";").filter((one) => one.trim() !== "");
    await real.batch(statements.map((one) => real.prepare(one)));
  }
  let written = 0;
  let read = 0;
  const statements = new Map<string, number>();
  const names = new WeakMap<Statement, string>();
  /** A statement that is bound before it is run, as all of ours are where rows are counted. */
  const named = (sql: string): Statement => {
    const unbound = real.prepare(sql);
    const bind = (...values: unknown[]) => {
      const bound = unbound.bind(...values);
      names.set(bound, nameOf(sql));
      return bound;
    };
    return { bind, all: () => unbound.all() } as unknown as Statement;
  };
  const db = {
    prepare: named,
    batch: async (batch: Statement[]) => {
      const results = await real.batch(batch);
      results.forEach(({ meta }, i) => {
        const name = names.get(batch[i]) ?? "";
        statements.set(name, (statements.get(name) ?? 0) + meta.rows_written);
      });
      written += results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
      read += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  } as Database;
  const tellWritten = () => {
    const rows = written;
    written = 0;
    return rows;
  };
  const tellRead = () => {
    const rows = read;
    read = 0;
    return rows;
  };
  return { db, written: tellWritten, read: tellRead, statements, stop: () => miniflare.dispose() };
}

/** "UPDATE user SET day" */
function nameOf(sql: string): string {
  return sql.match(/(?:INSERT(?: OR IGNORE)? INTO|DELETE FROM|UPDATE(?: OR IGNORE)?) "?\w+"?(?: SET \w+)?/)?.[0] ?? "";
}

/** As in src/worker/db/customers/stats.ts. */
export interface Count {
  scope: number;
  kind: "event" | "user";
  name: string;
  hour: number;
  count: number;
}

// The room of queries knows the platform's types, which tests in Node do not.
const room = (file: string) => import(new URL(`../../../src/worker/db/${file}.ts`, import.meta.url).href);

export const { storeTracked } = (await room("customers/tracked")) as {
  storeTracked(
    db: Database,
    users: readonly UserWrite[],
    events: readonly { scope: number; doc: string }[],
  ): Promise<Count[]>;
};
export const { addCounts, countUsers } = (await room("customers/stats")) as {
  addCounts(db: Database, counts: readonly Count[]): Promise<void>;
  /** Makes statements, and runs none. */
  countUsers(db: Database, active: readonly object[]): Promise<unknown>;
};
export const { findUser, findUserRecords, listUsers, recordsOfUser, userPositions } = (await room(
  "customers/users",
)) as {
  findUser(db: Database, scope: number, name: string): Promise<{ id: string } | undefined>;
  findUserRecords(db: Database, scope: number, name: string): Promise<{ id: string }[]>;
  recordsOfUser(db: Database, scope: number, userId: string): Promise<{ id: string }[]>;
  listUsers(
    db: Database,
    scope: number,
    filter: { limit: number; updatedBefore?: number },
  ): Promise<{ docs: string[] }>;
  userPositions(
    db: Database,
    scope: number,
    ranges: readonly (readonly [number, number])[],
    latitudes: readonly [number, number],
    metadata: undefined,
  ): Promise<{ id: string }[]>;
};
export const { beaconPositions, beaconsBySignal } = (await room("customers/beacons")) as {
  beaconPositions(
    db: Database,
    scope: number,
    ranges: readonly (readonly [number, number])[],
  ): Promise<{ id: string }[]>;
  beaconsBySignal(db: Database, scope: number, signals: readonly string[]): Promise<unknown[]>;
};
export const { refreshStatistics } = (await room("statistics")) as { refreshStatistics(db: Database): Promise<void> };
