import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { describe, expect, it } from "vitest";
import * as schema from "../../../src/worker/db/schema.ts";

/** The SQL of migrations/ is what the database is; src/worker/db/schema.ts is what queries believe. They must be the same. */

const ROOT = join(import.meta.dirname, "../../..");
const MIGRATIONS = join(ROOT, "migrations");
const SNAPSHOTS = join(ROOT, "src/worker/db/snapshot/meta");

const databaseOf = (statements: readonly string[]) => {
  const made = new DatabaseSync(":memory:");
  for (const statement of statements) made.exec(statement);
  return made;
};
const migrations = readdirSync(MIGRATIONS).sort();
const database = databaseOf(migrations.map((file) => readFileSync(join(MIGRATIONS, file), "utf8")));
const [empty, current] = await Promise.all([{}, schema].map((one) => generateSQLiteDrizzleJson(one)));
/** What drizzle-kit would create for the schema. */
const declared = databaseOf(await generateSQLiteMigration(empty, current));

const rows = (sql: string, ...values: string[]) => database.prepare(sql).all(...values);
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
const inSql = rows(TABLES).map(({ name }) => String(name));

interface Column {
  name: string;
  type: string;
  required: boolean;
  /** Place in the primary key, from 1; 0 = none. */
  key: number;
  default: string | null;
}

function columnsOf(table: string, of = database): Column[] {
  const found = of.prepare("SELECT * FROM pragma_table_info(?) ORDER BY name").all(table);
  return found.map((row) => ({
    name: String(row.name),
    type: String(row.type).toLowerCase(),
    required: row.notnull === 1 || row.pk !== 0,
    key: Number(row.pk),
    default: defaultOf(row.dflt_value),
  }));
}

/** Whether a number is written as 0 or false. */
const defaultOf = (text: unknown) => (text === null ? null : String(text).replace("false", "0").replace("true", "1"));

describe("drizzle's schema", () => {
  it("knows every table of the migrations, and no other", () => {
    expect(
      declared
        .prepare(TABLES)
        .all()
        .map(({ name }) => String(name)),
    ).toEqual(inSql);
  });

  it.each(inSql)("has the columns of %s: names, types, what may be null, key and defaults", (name) => {
    expect(columnsOf(name, declared)).toEqual(columnsOf(name));
  });

  it.each(inSql)("names only indexes that %s has", (name) => {
    const there = rows("SELECT name FROM pragma_index_list(?)", name).map((row) => row.name);
    const indexes = declared.prepare("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'").all(name);
    for (const index of indexes) expect(there).toContain(index.name);
  });

  it("is that of the snapshot, or `npm run migration -- --name=…` was not run since it changed", async () => {
    const [snapshot, ...older] = readdirSync(SNAPSHOTS)
      .filter((file) => file.endsWith("_snapshot.json"))
      .sort()
      .reverse();
    expect(older, "the snapshot before is needed no more: delete it").toEqual([]);
    const last = JSON.parse(readFileSync(join(SNAPSHOTS, snapshot), "utf8")) as typeof current;
    expect(await generateSQLiteMigration(last, current)).toEqual([]);
    expect(snapshot.slice(0, 4)).toBe(migrations.at(-1)?.slice(0, 4));
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

  it("with a key of several columns have no row numbers, which drizzle-kit cannot say: add WITHOUT ROWID", () => {
    const odd = rows("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0")
      .map(({ name }) => String(name))
      .filter((name) => columnsOf(name).filter(({ key }) => key > 0).length > 1);
    // Their rows are long.
    expect(odd.sort()).toEqual(["archive_month", "archive_part"]);
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
