import { z } from "zod";
import { hashKey } from "../../../core/auth/key.ts";
import {
  looksLikeSessionToken,
  mintSessionToken,
  SESSION_MS,
  sessionCookie,
  TOKEN_BYTES,
} from "../../../core/auth/session.ts";
import { commonDatabase } from "../../db/databases.ts";
import { projectsOf } from "../../db/projects/members.ts";
import { deleteAllSessions, deleteSession, insertSession, useLink } from "../../db/projects/sessions.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";
import { text } from "../../wire/input/fields.ts";
import { forgetMember, hasKey, mustBeOwnPage, proofIn } from "../serve/callers/session.ts";
import { isHttps } from "../serve/connection.ts";
import type { Call } from "../serve/endpoint.ts";
import { endpoint } from "../serve/endpoint.ts";
import { notePersonal } from "./personal-entry.ts";
import { CHAPTER, roleShape } from "./shapes.ts";

/** Lets a dashboard page that is open during a deployment detect the newer version. */
const VERSION = "1";

export const getSession = endpoint({
  name: "getSession",
  method: "GET",
  path: "/dashboard/api/session",
  level: "member",
  personal: true,
  chapter: CHAPTER,
  summary: "Returns the signed-in member and the projects they can open.",
  response: z.object({
    member: z.object({
      _id: z.string(),
      email: z.string(),
      isOperator: z.boolean().meta({ description: "may change the deployment's geodata" }),
    }),
    projects: z.array(
      z.object({
        _id: z.string(),
        name: z.string(),
        role: roleShape,
        disabled: z.boolean(),
        monthlyQuota: z.number().optional().meta({ description: "calls per calendar month; absent: unlimited" }),
      }),
    ),
    version: z.string(),
  }),
  async handle({ member, env }) {
    const { id, email, reach, isOperator } = member!;
    const projects = await projectsOf(commonDatabase(env), id, reach);
    return {
      member: { _id: id, email, isOperator },
      projects: projects.map(({ id: project, name, role, disabled, monthlyQuota }) => ({
        _id: String(project),
        name,
        role,
        disabled,
        ...(monthlyQuota !== null && { monthlyQuota }),
      })),
      version: VERSION,
    };
  },
});

const WHY_NOT = {
  used: "This link was already used. Ask for a new one.",
  expired: "The link has expired. Ask for a new one.",
  unknown: "The link is not valid. Ask for a new one.",
};

export const signIn = endpoint({
  name: "signIn",
  method: "POST",
  path: "/dashboard/api/sign-in",
  level: "open",
  rate: "address",
  chapter: CHAPTER,
  summary: "Starts a session with the token of a sign-in link. A link works once.",
  body: z.object({ token: text() }),
  errors: [403, 410],
  async handle(call) {
    const { body, env, request, now } = call;
    mustBeOwnPage(request, env);
    const use = looksLikeSessionToken(body.token)
      ? await useLink(commonDatabase(env), await hashKey(body.token), now)
      : "unknown";
    if (typeof use === "string") throw new ApiError(410, `Gone. ${WHY_NOT[use]}`);
    return beginSession(call, use.member, use.project, "link");
  },
});

export const signOut = endpoint({
  name: "signOut",
  method: "POST",
  path: "/dashboard/api/sign-out",
  level: "member",
  personal: true,
  chapter: CHAPTER,
  summary: "Ends the session. Takes effect everywhere within ten seconds.",
  async handle({ member, env, request }) {
    const { id, session } = member!;
    if (session) await deleteSession(commonDatabase(env), session);
    forgetMember(id);
    return withCookie(request, env, "");
  },
});

export const signOutEverywhere = endpoint({
  name: "signOutEverywhere",
  method: "POST",
  path: "/dashboard/api/sign-out/everywhere",
  level: "member",
  personal: true,
  chapter: CHAPTER,
  summary: "Ends all sessions of the member and revokes unused sign-in links.",
  description:
    "Takes effect everywhere within ten seconds; passkeys stay valid. A session limited to one project ends only sessions limited to the same project.",
  async handle(call) {
    const { member, env, request } = call;
    const { id, reach } = member!;
    const ended = await deleteAllSessions(commonDatabase(env), id, reach);
    forgetMember(id);
    await notePersonal(call, id, reach, "signOutEverywhere", `Signed out everywhere: ${plural(ended, "session")}`);
    return withCookie(request, env, "");
  },
});

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Signs a member in with a new session in a cookie, and ends the browser's previous session. */
export async function beginSession(
  call: Call<unknown, unknown>,
  member: string,
  project: number | null,
  by: "link" | "passkey",
): Promise<Response> {
  const { env, request, now } = call;
  const before = hasKey(request, {}) ? undefined : await proofIn(request, env, now);
  if (before && "session" in before) await deleteSession(commonDatabase(env), before.session);
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const times = { createdAt: now, expiresAt: now + SESSION_MS };
  await insertSession(commonDatabase(env), { hash: await hashKey(token), member, project, ...times });
  await notePersonal(call, member, project, "signIn", `Signed in with a ${by}`);
  return withCookie(request, env, token);
}

function withCookie(request: Request, env: Env, token: string): Response {
  const cookie = sessionCookie(token, isHttps(request, env));
  return Response.json({ meta: { code: 200 } }, { headers: { "set-cookie": cookie, "cache-control": "no-store" } });
}
