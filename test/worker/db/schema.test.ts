import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as schema from "../../../src/worker/db/schema.ts";

/** The SQL of migrations/ is what the database is; src/worker/db/schema.ts is what queries believe. They must be the same. */

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");
const database = new DatabaseSync(":memory:");
for (const file of readdirSync(MIGRATIONS).sort()) database.exec(readFileSync(join(MIGRATIONS, file), "utf8"));

const rows = (sql: string, ...values: string[]) => database.prepare(sql).all(...values);
const inSql = rows(
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
).map(({ name }) => String(name));
const tables = Object.values<unknown>(schema).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];
const cases = tables.map((table) => [getTableName(table), table] as const);

interface Column {
  name: string;
  type: string;
  required: boolean;
  /** Place in the primary key, from 1; 0 = none. */
  key: number;
  default: string | null;
}

/** What SQLite says of a table. */
function columnsOf(table: string): Column[] {
  return rows("SELECT * FROM pragma_table_info(?) ORDER BY name", table).map((row) => ({
    name: String(row.name),
    type: String(row.type).toLowerCase(),
    required: row.notnull === 1 || row.pk !== 0,
    key: Number(row.pk),
    default: row.dflt_value === null ? null : String(row.dflt_value),
  }));
}

/** What drizzle says of it. */
function declaredColumnsOf(table: SQLiteTable): Column[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const order =
    primaryKeys[0]?.columns.map(({ name }) => name) ?? columns.filter(({ primary }) => primary).map(({ name }) => name);
  return columns
    .map((column) => ({
      name: column.name,
      type: column.getSQLType().toLowerCase(),
      required: column.notNull || order.includes(column.name),
      key: order.indexOf(column.name) + 1,
      default: column.default === undefined ? null : sqlOf(column.default),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sqlOf(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : String(Number(value));
}

describe("drizzle's schema", () => {
  it("knows every table of the migrations, and no other", () => {
    expect(cases.map(([name]) => name).sort()).toEqual(inSql);
  });

  it.each(cases)("has the columns of %s: names, types, what may be null, key and defaults", (name, table) => {
    expect(declaredColumnsOf(table)).toEqual(columnsOf(name));
  });

  it.each(cases)("names only indexes that %s has", (name, table) => {
    const there = rows("SELECT name FROM pragma_index_list(?)", name).map((row) => row.name);
    for (const { config } of getTableConfig(table).indexes) expect(there).toContain(config.name);
  });
});

describe("the tables", () => {
  /** What belongs to an installation or a project, not to one of its halves. */
  const WITHOUT_SCOPE = [
    ...["api_key", "project", "usage", "signing_key"],
    ...["member", "operator", "membership", "sign_in_link", "session", "passkey", "passkey_challenge", "audit_entry"],
    ...["oauth_grant", "oauth_token", "oauth_code"],
    ...["closed_database", "project_move", "moved_change"],
  ];
  /** What the hourly round looks for in all scopes at once. */
  const SWEPT: Record<string, string> = {
    geofence_delete_after: "delete_after",
    dead_letter_died: "died_at",
    trip_idle: "updated_at",
    trip_share_expires: "expires_at",
    // The hourly run looks at the users of all scopes whose segments time may have changed.
    segment_due_at: "at",
    // Whoever opens a link has its token and nothing else: the token tells the scope, as a key does.
    trip_share_hash: "hash",
    // A merge has an _id that no other scope has, and the round asks for parts of all scopes that none has taken.
    archive_part_merge: "merge",
    archive_month_merge: "merge",
  };

  it("of what customers own begin their key with the scope", () => {
    for (const name of inSql) {
      const first = columnsOf(name).find(({ key }) => key === 1);
      expect([name, first?.name === "scope"]).toEqual([name, !WITHOUT_SCOPE.includes(name)]);
    }
  });

  it("are indexed by scope first, but for what is swept over all scopes", () => {
    for (const name of inSql.filter((table) => !WITHOUT_SCOPE.includes(table))) {
      for (const index of rows("SELECT name FROM pragma_index_list(?)", name)) {
        const [first] = rows("SELECT name FROM pragma_index_info(?) WHERE seqno = 0", String(index.name));
        const expected = SWEPT[String(index.name)] ?? "scope";
        expect([index.name, first.name]).toEqual([index.name, expected]);
      }
    }
  });

  it.each([
    ["a user by userId", "SELECT doc FROM user WHERE scope = 1 AND user_id = 'x'"],
    ["a user by deviceId", "SELECT doc FROM user WHERE scope = 1 AND device_id = 'x'"],
    ["users of a day", "SELECT doc FROM user WHERE scope = 1 AND day >= 5 AND day <= 9"],
    ["users of a cell", "SELECT id FROM user WHERE scope = 1 AND cell >= 5 AND cell < 9"],
    ["events by time", "SELECT doc FROM event WHERE scope = 1 ORDER BY created_at DESC, id DESC LIMIT 10"],
    ["geofences by time", "SELECT * FROM geofence WHERE scope = 1 ORDER BY created_at DESC, id DESC LIMIT 10"],
    ["a geofence by its pair", "SELECT * FROM geofence WHERE scope = 1 AND tag = 'a' AND external_id = 'b'"],
    ["changes since an epoch", "SELECT * FROM geofence WHERE scope = 1 AND (epoch, id) > (5, 'x') ORDER BY epoch, id"],
    ["who is inside a geofence", "SELECT user FROM presence WHERE scope = 1 AND geofence = 'x'"],
    ["where a user is inside", "DELETE FROM presence WHERE scope = 1 AND user = 'x'"],
    [
      "dead letters of a webhook",
      "SELECT * FROM dead_letter WHERE scope = 1 AND webhook = 'a' ORDER BY created_at DESC, id DESC",
    ],
    ["dead letters of a user", "DELETE FROM dead_letter WHERE scope = 1 AND user = 'a'"],
    ["old dead letters", "SELECT id FROM dead_letter WHERE died_at <= 5 LIMIT 10"],
    ["where trips went long ago", "SELECT trip, at FROM trip_location WHERE scope = 1 AND at < 5 ORDER BY at LIMIT 10"],
    ["trips of long ago", "SELECT id FROM trip WHERE scope = 1 AND created_at < 5 ORDER BY created_at LIMIT 10"],
    ["webhooks of a scope", "SELECT * FROM webhook WHERE scope = 1"],
    ["a beacon by its pair", "SELECT * FROM beacon WHERE scope = 1 AND tag = 'a' AND external_id = 'b'"],
    ["beacons of a signal", "SELECT * FROM beacon WHERE scope = 1 AND signal IN ('a', 'b')"],
    ["beacons of a cell", "SELECT id FROM beacon WHERE scope = 1 AND cell >= 5 AND cell < 9"],
    ["beacons by time", "SELECT * FROM beacon WHERE scope = 1 ORDER BY created_at DESC, id DESC LIMIT 10"],
    ["trips by time", "SELECT doc FROM trip WHERE scope = 1 ORDER BY created_at DESC, id DESC LIMIT 10"],
    [
      "the trips that wait for a user",
      "SELECT id FROM trip WHERE scope = 1 AND user_id = 'a' ORDER BY created_at LIMIT 1",
    ],
    ["trips of a user's record", "DELETE FROM trip WHERE scope = 1 AND user = 'a'"],
    ["where a trip went", "SELECT * FROM trip_location WHERE scope = 1 AND trip = 'a' ORDER BY at"],
    [
      "trips left lying",
      "SELECT doc FROM trip WHERE status IN ('pending', 'started', 'approaching', 'arrived') AND updated_at < 5 ORDER BY updated_at LIMIT 9",
    ],
    ["the projects of a member", "SELECT * FROM membership WHERE member = 'a'"],
    ["sessions that have ended", "SELECT hash FROM session WHERE expires_at <= 5"],
    ["sign-in links of a member", "DELETE FROM sign_in_link WHERE member = 'a'"],
    ["grants of a member", "SELECT count(*) FROM oauth_grant WHERE member = 'a' AND project = 1"],
    ["tokens of a grant", "DELETE FROM oauth_token WHERE grant_id = 'a'"],
    [
      "what was changed, by time",
      "SELECT * FROM audit_entry WHERE project = 1 ORDER BY created_at DESC, id DESC LIMIT 10",
    ],
    ["expired geofences", "SELECT scope FROM geofence WHERE delete_after <= 5 LIMIT 10"],
  ])("find %s by an index, without reading everything or sorting", (_, sql) => {
    const plan = rows(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail));
    expect(plan[0]).toMatch(/^SEARCH \w+ USING/);
    if (!sql.includes("(epoch, id)")) expect(plan.join("\n")).not.toContain("TEMP B-TREE");
  });

  it("find the newest users day by day, and sort within a day only", () => {
    const plan = rows(
      "EXPLAIN QUERY PLAN SELECT doc FROM user WHERE scope = 1 AND day >= 0 ORDER BY day DESC, updated_at DESC, id DESC LIMIT 10",
    ).map(({ detail }) => String(detail));
    expect(plan[0]).toContain("user_day");
    expect(plan[1]).toContain("LAST 2 TERMS");
  });

  it("have no index with a column that changes with every update of a user", () => {
    for (const { name } of rows("SELECT name FROM pragma_index_list('user') WHERE origin = 'c'")) {
      const columns = rows("SELECT name FROM pragma_index_info(?)", String(name)).map((row) => row.name);
      for (const column of ["latitude", "longitude", "version", "updated_at", "metadata", "doc"])
        expect([name, columns]).not.toEqual([name, expect.arrayContaining([column])]);
    }
  });

  it("delete what is expired by the index of its time, not by reading a scope's geofences", () => {
    for (const sql of [
      "DELETE FROM geofence WHERE +geofence.scope = 1 AND delete_after <= 5",
      "SELECT scope, 5, id FROM geofence WHERE +geofence.scope = 1 AND delete_after <= 5",
    ]) {
      const [plan] = rows(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail));
      expect(plan).toContain("geofence_delete_after");
    }
  });
});
