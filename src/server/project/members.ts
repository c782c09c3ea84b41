import { hashKey } from "../../core/auth/key.ts";
import type { Role } from "../../core/auth/role.ts";
import { LINK_MS, mintSessionToken, signInUrl, TOKEN_BYTES } from "../../core/auth/session.ts";
import { CommandError } from "../base/command.ts";
import { type Database, query, type Statement } from "../data/database.ts";
import { DOCTOR_PROJECT } from "./projects.ts";

/** Members of projects, as the operator makes them: their links open everything the member may enter. */

/** Where the dashboard is, when the operator does not say: the deployment is wherever they have put it. */
export const LOCAL_ORIGIN = "http://127.0.0.1:8787";

interface MemberRecord {
  email: string;
  role: Role;
  project: number;
  projectName: string;
  /** When they became one [ms]. */
  createdAt: number;
}

/** Returns the email address in lowercase. @throws CommandError if it is not an address */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (/^[^\s@<>"'(),;:\\]+@[^\s@<>"'(),;:\\]+$/.test(email) && email.length <= 254) return email;
  throw new CommandError(`"${text}" is not an email address.`);
}

/**
 * Adds a member to a project, or changes a member's role.
 * @returns false if the user was already a member
 */
export async function addMember(database: Database, project: number, email: string, role: Role): Promise<boolean> {
  await mustExist(database, project);
  const now = Date.now();
  const [, before] = await database.batch([
    ...newPerson(email, now),
    {
      sql: "SELECT 1 FROM membership WHERE project = ? AND member = (SELECT id FROM member WHERE email = ?)",
      values: [project, email],
    },
    {
      sql: `INSERT INTO membership (project, member, role, created_at) SELECT ?, id, ?, ? FROM member WHERE email = ?
        ON CONFLICT (project, member) DO UPDATE SET role = excluded.role`,
      values: [project, role, now, email],
    },
  ]);
  return before.length === 0;
}

function newPerson(email: string, now: number): Statement[] {
  const id = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).slice(0, 24);
  return [
    {
      sql: "INSERT INTO member (id, email, created_at) VALUES (?, ?, ?) ON CONFLICT (email) DO NOTHING",
      values: [id, email, now],
    },
  ];
}

/** Lets a member change what concerns the complete deployment. @returns false where they could already */
export async function addOperator(database: Database, email: string): Promise<boolean> {
  const [[known], made] = await database.batch([
    { sql: "SELECT 1 FROM member WHERE email = ?", values: [email] },
    {
      sql: `INSERT INTO operator (member, created_at) SELECT id, ? FROM member WHERE email = ?
        ON CONFLICT (member) DO NOTHING RETURNING member`,
      values: [Date.now(), email],
    },
  ]);
  if (!known)
    throw new CommandError(`${email} is not a member of a project. Add them first: npm run project -- member add`);
  return made.length > 0;
}

/** @throws CommandError for a member who is not an operator */
export async function removeOperator(database: Database, email: string): Promise<void> {
  const removed = await query(
    database,
    "DELETE FROM operator WHERE member = (SELECT id FROM member WHERE email = ?) RETURNING member",
    email,
  );
  if (removed.length === 0)
    throw new CommandError(`${email} is not an operator. See: npm run project -- operator list`);
}

export async function listOperators(database: Database): Promise<{ email: string; createdAt: number }[]> {
  const rows = await query(
    database,
    "SELECT email, operator.created_at FROM operator JOIN member ON member.id = operator.member ORDER BY email",
  );
  return rows.map((row) => ({ email: String(row.email), createdAt: Number(row.created_at) }));
}

/** Makes the owner of the first local project an operator if there is none yet. */
export async function settleOperator(database: Database, email: string): Promise<void> {
  await query(
    database,
    `INSERT INTO operator (member, created_at) SELECT id, ? FROM member
     WHERE email = ? AND NOT EXISTS (SELECT 1 FROM operator)`,
    Date.now(),
    email,
  );
}

/** @param project undefined: of all projects */
export async function listMembers(database: Database, project?: number): Promise<MemberRecord[]> {
  const rows = await query(
    database,
    `SELECT email, role, project, project.name, membership.created_at FROM membership
     JOIN member ON member.id = membership.member JOIN project ON project.id = membership.project
     ${project === undefined ? "" : `WHERE project = ${project}`} ORDER BY project, email`,
  );
  return rows.map((row) => ({
    email: String(row.email),
    role: row.role as Role,
    project: Number(row.project),
    projectName: String(row.name),
    createdAt: Number(row.created_at),
  }));
}

/**
 * Removes a member from a project, or from all projects. Deletes members without projects, with their sessions and
 * passkeys.
 * @returns the projects they were removed from
 */
export async function removeMember(database: Database, email: string, project?: number): Promise<number[]> {
  const id = "(SELECT id FROM member WHERE email = ?)";
  const also = project === undefined ? "" : `AND project = ${project}`;
  const gone = `member = ${id} AND NOT EXISTS (SELECT 1 FROM membership WHERE member = ${id})`;
  const [removed] = await database.batch([
    { sql: `DELETE FROM membership WHERE member = ${id} ${also} RETURNING project`, values: [email] },
    ...["session", "sign_in_link", "passkey", "oauth_grant"].flatMap((table) => [
      { sql: `DELETE FROM ${table} WHERE ${gone}`, values: [email, email] },
      // Ways in that lead to this project only.
      { sql: `DELETE FROM ${table} WHERE member = ${id} AND project IS NOT NULL ${also}`, values: [email] },
    ]),
    { sql: `DELETE FROM operator WHERE ${gone}`, values: [email, email] },
    {
      sql: `DELETE FROM member WHERE email = ? AND NOT EXISTS (SELECT 1 FROM membership WHERE member = member.id)`,
      values: [email],
    },
  ]);
  if (removed.length > 0) return removed.map((row) => Number(row.project));
  throw new CommandError(
    `${email} is not a member${project === undefined ? "" : ` of project ${project}`}. See: npm run project -- member list`,
  );
}

/**
 * Creates a single-use sign-in link, valid for three days. Revokes unused links that an operator created before.
 * @param origin "https://maps.example.com"
 */
export async function memberLink(database: Database, email: string, origin: string): Promise<string> {
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const now = Date.now();
  const id = "(SELECT id FROM member WHERE email = ?)";
  const [, made] = await database.batch([
    { sql: `DELETE FROM sign_in_link WHERE member = ${id} AND project IS NULL AND used_at IS NULL`, values: [email] },
    {
      sql: `INSERT INTO sign_in_link (hash, member, created_at, expires_at)
        SELECT ?, id, ?, ? FROM member WHERE email = ? RETURNING member`,
      values: [await hashKey(token), now, now + LINK_MS, email],
    },
  ]);
  if (made.length === 0) throw new CommandError(`${email} is not a member. See: npm run project -- member list`);
  return signInUrl(origin, token);
}

/** The project that is meant where none is named: the only one. @throws CommandError where there are several, or none */
export async function onlyProject(database: Database): Promise<number> {
  const rows = await query(database, "SELECT id FROM project WHERE name <> ? ORDER BY id LIMIT 2", DOCTOR_PROJECT);
  if (rows.length === 1) return Number(rows[0].id);
  throw new CommandError(
    rows.length === 0
      ? "There are no projects yet. Create one: npm run project -- create NAME"
      : "There are several projects. Specify one with --project ID. See: npm run project -- list",
  );
}

async function mustExist(database: Database, project: number): Promise<void> {
  const rows = await query(database, "SELECT 1 FROM project WHERE id = ?", project);
  if (rows.length === 0) throw new CommandError(`No project ${project}. See: npm run project -- list`);
}
