import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { KEY_BYTES, KEY_KINDS, mintKey } from "../../../src/core/auth/key.ts";
import { migrate, migrations, newDatabase } from "../../support/d1-on-sqlite.ts";
import { call, type Json, sql } from "../../support/world.ts";

/**
 * A project as the Worker of 0.2.0 left it (migrations up to 0006), and what that Worker answered about it: three people who crossed a
 * fence, a trip, imports, a webhook, test and live. Brought forward by the later migrations, it is answered the same; fields may have
 * been added since.
 */
const FOLDER = join(import.meta.dirname, "release-0.2.0");
const answers = readFileSync(join(FOLDER, "answers.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { path: string; key: keyof typeof KEY_KINDS; body: Json | string });

/** Its keys, which its database has as hashes. */
const KEYS = Object.fromEntries(
  Object.entries(KEY_KINDS).map(([name, kind], i) => [name, mintKey(kind, new Uint8Array(KEY_BYTES).fill(i + 1))]),
);

/** Metres are rounded to a tenth by now. */
function rounded(body: Json): Json {
  const { route, ...rest } = structuredClone(body) as { route: { distance: { value: number } } };
  route.distance.value = Math.round(route.distance.value * 10) / 10;
  return { ...rest, route };
}

beforeAll(async () => {
  const database = newDatabase("0006_transfer.sql");
  database.exec(`BEGIN; ${readFileSync(join(FOLDER, "rows.sql"), "utf8")} COMMIT`);
  for (const name of migrations()) if (name > "0007") migrate(database, name);
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) {
    if (name === "d1_migrations") continue;
    const rows = database.prepare(`SELECT * FROM "${name}"`).all();
    // D1 takes a hundred values a statement.
    const atOnce = Math.floor(100 / Object.keys(rows[0] ?? {}).length);
    for (let i = 0; i < rows.length; i += atOnce) {
      const some = rows.slice(i, i + atOnce);
      const columns = Object.keys(some[0]).map((column) => `"${column}"`);
      const places = some.map((row) => `(${Object.keys(row).map(() => "?")})`);
      await sql(`INSERT INTO "${name}" (${columns}) VALUES ${places}`, ...some.flatMap((row) => Object.values(row)));
    }
  }
});

/** Newer columns of a CSV file come after those that there were. */
function expectColumnsOf(before: string, now: string): void {
  const [old, lines] = [before, now].map((text) => text.split("\n"));
  expect(lines.map((line, n) => line.slice(0, old[n]?.trimEnd().length))).toEqual(old.map((line) => line.trimEnd()));
}

describe("what 0.2.0 wrote", () => {
  it.each(answers)("is answered the same: $key $path", async ({ path, key, body }) => {
    const answer = await call("GET", path, { key: KEYS[key] });
    expect(answer.status).toBe(200);
    if (typeof body === "string") expectColumnsOf(body, answer.body);
    else expect(answer.body).toMatchObject(path.endsWith("/route") ? rounded(body) : body);
  });
});
