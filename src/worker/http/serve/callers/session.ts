import { hashKey } from "../../../../core/auth/key.ts";
import { type Role, reaches, usualRole } from "../../../../core/auth/role.ts";
import { isOwnPage, tokenInCookies } from "../../../../core/auth/session.ts";
import { findSession, type Proof, type SessionRecord, type SignedIn } from "../../../db/projects/sessions.ts";
import type { Env } from "../../../platform/env.ts";
import { ApiError, invalid, required } from "../../../platform/errors.ts";
import type { Fields } from "../body.ts";
import { isHttps, publicOrigin } from "../connection.ts";
import type { Endpoint } from "../endpoint.ts";
import { accessEmail } from "./access.ts";
import { checkAddress, limitAddress } from "./address-limit.ts";
import { noteFenceEpoch, onForgetProject } from "./caller.ts";
import { forgetGrantsOf } from "./grants.ts";
import type { Caller } from "./identity.ts";
import { KnownKeys } from "./known-keys.ts";

/**
 * Dashboard authorization: a session, or a request verified by Cloudflare Access, replaces the secret key.
 * The app calls the same endpoints as other callers and specifies the project and environment in two headers.
 */

/** Unknown sessions allowed per address [per second]; each costs a query. */
const UNKNOWN_PER_ADDRESS = 10;
const UNKNOWN = "unknown sessions";

const sessions = new KnownKeys<SessionRecord>();

/** Clears this machine's cache of a member, after a session has ended or a role has changed. */
export function forgetMember(id: string): void {
  sessions.forgetIf(({ member }) => member.id === id);
  forgetGrantsOf(id);
}

onForgetProject((project) => sessions.forget(project));

interface Admitted {
  member: SignedIn;
  /** Absent for endpoints about the member alone. */
  caller?: Caller;
}

/** Whether the request has a key or a token, which take precedence over sessions. */
export function hasKey({ headers }: Request, query: Fields): boolean {
  return headers.has("authorization") || headers.has("x-radar-publishable-key") || query.publishableKey !== undefined;
}

/** The member of the session, if the request has no key. */
export async function proofIn(request: Request, env: Env, now: number): Promise<Proof | undefined> {
  const { headers } = request;
  const token = tokenInCookies(headers.get("cookie"), isHttps(request, env));
  if (token !== undefined) return { session: await hashKey(token) };
  const email = await accessEmail(headers, env, now);
  return email === undefined ? undefined : { email };
}

/**
 * Authorizes a member, or throws: 401 without a session, 403 for foreign pages, projects and roles, 402 for a disabled project
 * (except at dashboard endpoints, which can enable it again).
 */
export async function admitMember(
  env: Env,
  proof: Proof,
  endpoint: Endpoint,
  request: Request,
  query: Fields,
  { ip, now }: { ip: string | undefined; now: number },
): Promise<Admitted> {
  mustBeOwnPage(request, env, endpoint.personal);
  const requested = endpoint.personal ? { project: 0, live: false } : projectFromRequest(request, query);
  const known = await lookUp(env, proof, requested, ip, now);
  if (!known)
    throw new ApiError(
      401,
      "email" in proof
        ? `Unauthorized. ${proof.email} is not a member.`
        : "Unauthorized. The session has ended. Sign in again.",
    );
  const { member, role, record } = known;
  if (endpoint.personal) return { member };
  if (role === undefined || record === undefined)
    throw new ApiError(403, "Forbidden. You are not a member of this project.");
  const needed = roleOf(endpoint);
  if (!reaches(role, needed))
    throw new ApiError(
      403,
      `Forbidden. Your role is ${role}; this needs ${needed === "owner" ? "owner" : `${needed} or above`}.`,
    );
  if (endpoint.operator && !member.isOperator)
    throw new ApiError(
      403,
      "Forbidden. Only an operator of the deployment may do this. To assign one: npm run project -- operator add EMAIL.",
    );
  if (record.disabled && endpoint.level !== "member")
    throw new ApiError(402, "Payment required. The project is disabled.");
  noteFenceEpoch(record.scope, record.fenceEpoch);
  return { member, caller: { ...record, member: { id: member.id, email: member.email, role } } };
}

/** @throws ApiError 403 for a request that a foreign page may have sent with the member's cookie */
export function mustBeOwnPage(request: Request, env: Env, personal = false): void {
  const { method, headers } = request;
  const isOwn = isOwnPage({
    method,
    ownOrigin: publicOrigin(request, env),
    origin: headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
    hasOwnHeader: personal || headers.has("x-graticule-project"),
  });
  if (!isOwn) throw new ApiError(403, "Forbidden. Sessions are valid only for dashboard pages.");
}

export function roleOf({ role, method }: Pick<Endpoint, "role" | "method">): Role {
  return role ?? usualRole(method);
}

/** The project and environment, from headers; in a GET also from the query, as sockets, images and links send no headers. */
function projectFromRequest({ headers, method }: Request, query: Fields): { project: number; live: boolean } {
  const named = (header: string, parameter: string) =>
    headers.get(header) ?? (method === "GET" ? query[parameter] : undefined);
  const project = named("x-graticule-project", "project");
  const environment = named("x-graticule-environment", "environment");
  if (project === undefined) throw required("x-graticule-project", "Set the project id.");
  if (environment === undefined) throw required("x-graticule-environment", "Set test or live.");
  if (!/^[1-9]\d{0,14}$/.test(String(project))) throw invalid("x-graticule-project", "Must be a project's id.");
  if (environment !== "test" && environment !== "live")
    throw invalid("x-graticule-environment", "Valid values: test, live.");
  return { project: Number(project), live: environment === "live" };
}

async function lookUp(
  env: Env,
  proof: Proof,
  { project, live }: { project: number; live: boolean },
  ip: string | undefined,
  now: number,
): Promise<SessionRecord | undefined> {
  const who = "session" in proof ? proof.session : proof.email;
  return sessions.lookUp(`${who} ${project} ${live}`, now, false, async () => {
    checkAddress(ip, UNKNOWN, UNKNOWN_PER_ADDRESS, now);
    const found = await findSession(env, proof, project, live, now);
    if (!found) limitAddress(ip, UNKNOWN, UNKNOWN_PER_ADDRESS, now);
    return found;
  });
}
