import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { hashKey } from "../../core/auth/key.ts";
import { CommandError } from "../base/command.ts";
import { type Database, query } from "../data/database.ts";
import { addMember, settleOperator } from "./members.ts";
import { addKey, createProject, KEY_NAMES, type KeyName, mint, type ProjectKeys } from "./projects.ts";

/** The project that `npm run dev` makes for its user. */
export const LOCAL_PROJECT = "local";

/** Whoever runs `npm run dev`, as a member of its dashboard. */
export const LOCAL_MEMBER = "you@localhost";

/** Makes the local user the owner of the local project, and of all other projects without an owner. */
export async function settleLocalMember(database: Database): Promise<void> {
  const rows = await query(
    database,
    `SELECT id FROM project WHERE id = (SELECT min(id) FROM project WHERE name = ?)
       OR NOT EXISTS (SELECT 1 FROM membership WHERE project = project.id AND role = 'owner') ORDER BY id`,
    LOCAL_PROJECT,
  );
  for (const { id } of rows) await addMember(database, Number(id), LOCAL_MEMBER, "owner");
  await settleOperator(database, LOCAL_MEMBER);
}

/** The only place where the keys of the local project can be read: the database has their hashes. */
export type DevKeys = { baseUrl: string } & ProjectKeys;

const DevKeysFile = z.object({
  baseUrl: z.string(),
  testPublishable: z.string(),
  testSecret: z.string(),
  livePublishable: z.string(),
  liveSecret: z.string(),
});

export function readDevKeys(path: string): DevKeys | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return DevKeysFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new CommandError(`${path} does not contain four keys. Delete it, and the next start creates new ones.`);
  }
}

export function writeDevKeys(path: string, keys: DevKeys): void {
  writeFileSync(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/**
 * Synchronizes the key file and the database, so that the local project exists and its four keys work. Registers keys
 * of the file that the database lacks, so that apps keep working after the state is deleted. Replaces revoked keys.
 * Without a file, creates four keys.
 * @returns the keys, and notes about unexpected changes
 */
export async function settleDevKeys(
  database: Database,
  held: ProjectKeys | undefined,
): Promise<{ keys: ProjectKeys; notes: string[] }> {
  const [row] = await query(database, "SELECT id FROM project WHERE name = ? ORDER BY id LIMIT 1", LOCAL_PROJECT);
  if (!row) return { keys: (await createProject(database, LOCAL_PROJECT, held)).keys, notes: [] };

  const project = Number(row.id);
  const keys = {} as ProjectKeys;
  const notes = new Set<string>();
  for (const kind of KEY_NAMES) {
    const standing = held ? await standingOf(database, held[kind]) : "lost";
    if (standing === "lost") notes.add("The key file was missing, so new keys were created. The old keys still work.");
    if (standing === "revoked") notes.add(`The ${kind} key was revoked, so a new one was created.`);
    keys[kind] = held && (standing === "active" || standing === "unknown") ? held[kind] : mint(kind);
    if (standing !== "active") await addKey(database, project, kind, keys[kind]);
  }
  return { keys, notes: [...notes] };
}

async function standingOf(database: Database, key: string): Promise<"active" | "revoked" | "unknown"> {
  const [row] = await query(database, "SELECT revoked_at FROM api_key WHERE hash = ?", await hashKey(key));
  if (!row) return "unknown";
  return row.revoked_at === null ? "active" : "revoked";
}

/** After a rotation, replaces the old key in the file with the new one. */
export async function replaceDevKey(path: string, kind: KeyName, oldHashes: string[], key: string): Promise<boolean> {
  const held = readDevKeys(path);
  if (!held || !oldHashes.includes(await hashKey(held[kind]))) return false;
  writeDevKeys(path, { ...held, [kind]: key });
  return true;
}
