import { hashKey, KEY_BYTES, KEY_KINDS, keyHint, mintKey } from "../../core/auth/key.ts";
import { type Jurisdiction, jurisdictionOf } from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "../base/command.ts";
import { type Database, query, type Row, type Statement } from "../data/database.ts";

export type KeyName = keyof typeof KEY_KINDS;
export type ProjectKeys = Record<KeyName, string>;
export const KEY_NAMES = Object.keys(KEY_KINDS) as KeyName[];

/** Project that `npm run doctor` creates if it has no key. It is not an operator's project. */
export const DOCTOR_PROJECT = "doctor";

/**
 * A project and its four keys. The keys are in this answer and nowhere else: the database keeps their hashes.
 * @param home binding of the database in which it lives
 */
export async function createProject(
  database: Database,
  name: string,
  keys = mintKeys(),
  home = "DB",
): Promise<{ id: number; keys: ProjectKeys }> {
  const now = Date.now();
  const rows = await database.batch([
    {
      sql: `INSERT INTO project (name, created_at, "database") VALUES (?, ?, ?) RETURNING id`,
      values: [name, now, home],
    },
    ...(await Promise.all(KEY_NAMES.map((kind) => insertKey("(SELECT max(id) FROM project)", kind, keys[kind], now)))),
  ]);
  return { id: Number(rows[0][0].id), keys };
}

/** Registers an existing key. */
export async function addKey(database: Database, project: number, kind: KeyName, key: string): Promise<void> {
  await database.batch([await insertKey(String(project), kind, key, Date.now())]);
}

/**
 * A new key of one kind; every older key of that kind is revoked in the same step.
 * @returns the key, and the hashes of those revoked
 */
export async function rotateKey(
  database: Database,
  project: number,
  kind: KeyName,
): Promise<{ key: string; revoked: string[] }> {
  await mustExist(database, project);
  const key = mint(kind);
  const { live, secret } = KEY_KINDS[kind];
  const now = Date.now();
  const [revoked] = await database.batch([
    {
      sql: `UPDATE api_key SET revoked_at = ?
        WHERE project = ? AND live = ? AND secret = ? AND revoked_at IS NULL RETURNING hash`,
      values: [now, project, Number(live), Number(secret)],
    },
    await insertKey(String(project), kind, key, now),
  ]);
  return { key, revoked: revoked.map(({ hash }) => String(hash)) };
}

/**
 * Revokes keys of a project.
 * @param which the name of a kind (all of that kind), the last four characters of one key, or a whole key
 * @returns the last four characters of those revoked
 */
export async function revokeKeys(database: Database, project: number, which: string): Promise<string[]> {
  const hash = await hashKey(which);
  const active = (await projectKeys(database, project)).filter((key) => key.revokedAt === null);
  const chosen = active.filter((key) => key.kind === which || key.hint === which || key.hash === hash);
  if (chosen.length === 0) throw new CommandError(`Project ${project} has no active key "${which}".`);
  if (chosen.length > 1 && !isKeyName(which))
    throw new CommandError(`Two keys end with "${which}". Specify the full key or its kind.`);
  const now = Date.now();
  await database.batch(
    chosen.map((key) => ({ sql: "UPDATE api_key SET revoked_at = ? WHERE hash = ?", values: [now, key.hash] })),
  );
  return chosen.map((key) => key.hint);
}

interface KeyRecord {
  kind: KeyName;
  hint: string;
  hash: string;
  createdAt: number;
  revokedAt: number | null;
}

/** The keys of a project, oldest first, as far as they are known: by kind and last four characters. */
export async function projectKeys(database: Database, project: number): Promise<KeyRecord[]> {
  await mustExist(database, project);
  const rows = await query(database, "SELECT * FROM api_key WHERE project = ? ORDER BY created_at, hash", project);
  return rows.map((row) => ({
    kind: kindOf(row),
    hint: String(row.hint),
    hash: String(row.hash),
    createdAt: Number(row.created_at),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }));
}

interface ProjectRecord {
  id: number;
  name: string;
  disabled: boolean;
  /** Calls per calendar month (UTC); null: unlimited. */
  monthlyQuota: number | null;
  callsThisMonth: number;
  createdAt: number;
  /** Binding of the database in which it lives. */
  database: string;
  /** That of its database; absent: none. */
  jurisdiction?: Jurisdiction;
}

export async function listProjects(database: Database, now = Date.now()): Promise<ProjectRecord[]> {
  const month = new Date(now).toISOString().slice(0, 7);
  const rows = await query(
    database,
    `SELECT id, name, disabled, monthly_quota, created_at, "database",
      (SELECT coalesce(sum(calls), 0) FROM usage WHERE usage.project = project.id AND month = ?) AS calls
     FROM project ORDER BY id`,
    month,
  );
  return rows.map((row) => ({
    id: Number(row.id),
    name: String(row.name),
    disabled: row.disabled === 1,
    monthlyQuota: row.monthly_quota === null ? null : Number(row.monthly_quota),
    callsThisMonth: Number(row.calls),
    createdAt: Number(row.created_at),
    database: String(row.database),
    ...(jurisdictionOf(String(row.database)) && { jurisdiction: jurisdictionOf(String(row.database)) as Jurisdiction }),
  }));
}

/** Disables a project, so that all its calls return 402, or enables it. */
export async function setDisabled(database: Database, project: number, disabled: boolean): Promise<void> {
  await mustExist(database, project);
  await query(database, "UPDATE project SET disabled = ? WHERE id = ?", Number(disabled), project);
}

/** @param quota calls per calendar month (UTC), null for no limit */
export async function setQuota(database: Database, project: number, quota: number | null): Promise<void> {
  await mustExist(database, project);
  await query(database, "UPDATE project SET monthly_quota = ? WHERE id = ?", quota, project);
}

export const isKeyName = (text: string | undefined): text is KeyName => KEY_NAMES.some((name) => name === text);

export const mint = (kind: KeyName): string =>
  mintKey(KEY_KINDS[kind], crypto.getRandomValues(new Uint8Array(KEY_BYTES)));

function mintKeys(): ProjectKeys {
  return Object.fromEntries(KEY_NAMES.map((kind) => [kind, mint(kind)])) as ProjectKeys;
}

/** @param project an id, or SQL that finds it */
async function insertKey(project: string, kind: KeyName, key: string, now: number): Promise<Statement> {
  const { live, secret } = KEY_KINDS[kind];
  return {
    sql: `INSERT INTO api_key (hash, project, live, secret, hint, created_at) VALUES (?, ${project}, ?, ?, ?, ?)`,
    values: [await hashKey(key), Number(live), Number(secret), keyHint(key), now],
  };
}

function kindOf(row: Row): KeyName {
  return KEY_NAMES.find((name) => {
    const { live, secret } = KEY_KINDS[name];
    return row.live === Number(live) && row.secret === Number(secret);
  })!;
}

async function mustExist(database: Database, project: number): Promise<void> {
  const rows = await query(database, "SELECT 1 FROM project WHERE id = ?", project);
  if (rows.length === 0) throw new CommandError(`No project ${project}. See: npm run project -- list`);
}
