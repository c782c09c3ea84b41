import { inject } from "vitest";
import { hashKey } from "../../src/core/auth/key.ts";
import type { Role } from "../../src/core/auth/role.ts";
import { mintSessionToken, TOKEN_BYTES } from "../../src/core/auth/session.ts";
import { type Answer, call, sql } from "./world.ts";

/** Members of projects under test, and requests as the dashboard sends them. */
export interface Signed {
  id: string;
  email: string;
  cookie: string;
}

export const newToken = () => mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
let made = 0;

/** A person with a session and these roles, by project; `reach`: the session opens this project only. */
export async function makeMember(
  roles: Record<number, Role>,
  { email = `member-${Date.now()}-${made++}@example.com`, reach = null as number | null } = {},
): Promise<Signed> {
  const id = newToken().slice(0, 24);
  await sql("INSERT INTO member VALUES (?, ?, 0)", id, email);
  for (const [project, role] of Object.entries(roles))
    await sql("INSERT INTO membership VALUES (?, ?, ?, 0)", Number(project), id, role);
  return { id, email, cookie: await makeSession(id, reach) };
}

/** Makes a member an operator of the deployment. */
export async function makeOperator({ id }: Signed): Promise<void> {
  await sql("INSERT INTO operator VALUES (?, 0)", id);
}

export async function makeSession(member: string, reach: number | null = null, expiresAt = 9e12): Promise<string> {
  const token = newToken();
  await sql("INSERT INTO session VALUES (?, ?, ?, 0, ?)", await hashKey(token), member, reach, expiresAt);
  return `graticule=${token}`;
}

export interface Asking {
  cookie?: string;
  project?: number;
  live?: boolean;
  json?: unknown;
  /** Replace or add headers; undefined takes one away. */
  headers?: Record<string, string | undefined>;
}

/** A request as a page of the dashboard sends it. */
export function ask(
  method: string,
  path: string,
  { cookie, project, live = false, json, headers = {} }: Asking = {},
): Promise<Answer> {
  const all: Record<string, string | undefined> = {
    "sec-fetch-site": "same-origin",
    ...(cookie && { cookie }),
    ...(project && { "x-graticule-project": String(project), "x-graticule-environment": live ? "live" : "test" }),
    ...headers,
  };
  const sent = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return call(method, path, { headers: sent, ...(json !== undefined && { json }) });
}

/** A person in a project: asks in its name. */
export function as({ cookie }: Signed, project: number, live = false) {
  return (method: string, path: string, json?: unknown) => ask(method, path, { cookie, project, live, json });
}

export const origin = () => inject("baseUrl");
