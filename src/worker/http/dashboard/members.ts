import { z } from "zod";
import { hashKey } from "../../../core/auth/key.ts";
import { mayGive, ROLES, type Role, reaches } from "../../../core/auth/role.ts";
import { LINK_MS, mintSessionToken, signInUrl, TOKEN_BYTES } from "../../../core/auth/session.ts";
import { commonDatabase } from "../../db/databases.ts";
import {
  addMember,
  changeRole,
  findMember,
  listMembers,
  type Member,
  removeMember,
} from "../../db/projects/members.ts";
import { replaceLink } from "../../db/projects/sessions.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { oneOf } from "../../wire/input/fields.ts";
import { forgetMember } from "../serve/callers/session.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { CHAPTER, roleShape } from "./shapes.ts";

const EMAIL_RULE = "Must be an email address of at most 254 characters.";
/** Checks only the form x@y: the sender of the link finds out whether the address exists. */
const email = () =>
  z
    .string({ error: EMAIL_RULE })
    .max(254, { error: EMAIL_RULE })
    .regex(/^[^\s@<>"'(),;:\\]+@[^\s@<>"'(),;:\\]+$/, { error: EMAIL_RULE })
    .transform((text) => text.toLowerCase());

const memberShape = z.object({ _id: z.string(), email: z.string(), role: roleShape, createdAt: z.string() });
const linkShape = z
  .string()
  .meta({ description: "sign-in link to this project: valid once, for three days; only shown here" });

const wireMember = ({ id, email, role, createdAt }: Member) => ({
  _id: id,
  email,
  role,
  createdAt: wireDate(createdAt),
});

const shared = { level: "member", chapter: CHAPTER } as const;

export const getMembers = endpoint({
  ...shared,
  name: "listMembers",
  method: "GET",
  path: "/dashboard/api/members",
  summary: "Lists the members of the project by email address.",
  response: z.object({ members: z.array(memberShape) }),
  async handle({ caller, env }) {
    return { members: (await listMembers(commonDatabase(env), caller.project)).map(wireMember) };
  },
});

export const createMember = endpoint({
  ...shared,
  name: "addMember",
  method: "POST",
  path: "/dashboard/api/members",
  role: "admin",
  summary: "Adds a member and creates a sign-in link.",
  description: "Only owners can add owners. Adding an existing member returns 409.",
  body: z.object({ email: email(), role: oneOf(ROLES) }),
  response: z.object({ member: memberShape, link: linkShape }),
  errors: [409],
  async handle(call) {
    const { body, caller, env, now, audit } = call;
    mustGive(caller, undefined, body.role);
    const member = await addMember(commonDatabase(env), { ...body, project: caller.project, newId: newId(now), now });
    if (!member) throw new ApiError(409, `Conflict. ${body.email} is already a member.`, { param: "email" });
    forgetMember(member.id);
    audit({ target: member.email, summary: `Member added, role ${member.role}` });
    return { member: wireMember(member), link: await linkFor(call, member.id) };
  },
});

export const patchMember = endpoint({
  ...shared,
  name: "changeMember",
  method: "PATCH",
  path: "/dashboard/api/members/:id",
  role: "admin",
  summary: "Changes a member's role. The change takes effect within ten seconds.",
  description:
    "Only owners can add or change owners. A project needs at least one owner: changing the last one returns 409. A higher role revokes the links created in this project and the sessions and passkeys that came from them, because they were issued for the lower role; the response then has a new link.",
  body: z.object({ role: oneOf(ROLES) }),
  response: z.object({ member: memberShape, link: linkShape.optional() }),
  errors: [404, 409],
  async handle(call) {
    const { params, body, caller, env, audit } = call;
    const before = await existing(call, params.id);
    mustGive(caller, before.role, body.role);
    const isHigher = !reaches(before.role, body.role);
    if (!(await changeRole(commonDatabase(env), caller.project, before.id, body.role, isHigher))) throw lastOwner();
    forgetMember(before.id);
    audit({ target: before.email, summary: `Role ${before.role} → ${body.role}` });
    const isOther = before.id !== caller.member?.id;
    return {
      member: wireMember({ ...before, role: body.role }),
      ...(isHigher && isOther && { link: await linkFor(call, before.id) }),
    };
  },
});

export const deleteMember = endpoint({
  ...shared,
  name: "removeMember",
  method: "DELETE",
  path: "/dashboard/api/members/:id",
  role: "read",
  audited: true,
  summary:
    "Removes a member from the project. Any member can leave; removing others needs the role admin, removing owners needs owner.",
  description: "Takes effect within ten seconds. Removing the last owner returns 409.",
  errors: [404, 409],
  async handle(call) {
    const { params, caller, env, audit } = call;
    const member = await existing(call, params.id);
    if (member.id !== caller.member?.id) mustGive(caller, member.role, undefined);
    if (!(await removeMember(commonDatabase(env), caller.project, member.id))) throw lastOwner();
    forgetMember(member.id);
    audit({ target: member.email, summary: `Removed, role ${member.role}` });
    return {};
  },
});

export const createMemberLink = endpoint({
  ...shared,
  name: "createMemberLink",
  method: "POST",
  path: "/dashboard/api/members/:id/link",
  role: "admin",
  summary: "Creates a sign-in link for a member and revokes earlier ones created in this project.",
  description:
    "The link opens only this project, even if the member has access to others. Only owners can create links for owners.",
  response: z.object({ link: linkShape }),
  errors: [404],
  async handle(call) {
    const { params, caller, audit } = call;
    const member = await existing(call, params.id);
    mustGive(caller, member.role, member.role);
    audit({ target: member.email, summary: "Sign-in link created" });
    return { link: await linkFor(call, member.id) };
  },
});

async function existing({ caller, env }: Call, id: string): Promise<Member> {
  const member = await findMember(commonDatabase(env), caller.project, id);
  if (!member) throw notFound("Member");
  return member;
}

/** @throws ApiError 403 if the caller's role may not assign or remove these */
function mustGive({ member }: Call["caller"], before: Role | undefined, next: Role | undefined): void {
  if (!member || mayGive(member.role, before, next)) return;
  const needed = before === "owner" || next === "owner" ? "owner" : "admin or above";
  throw new ApiError(403, `Forbidden. Your role is ${member.role}; this needs ${needed}.`);
}

const lastOwner = () =>
  new ApiError(409, "Conflict. A project needs at least one owner: make another member an owner first.");

async function linkFor({ caller, env, request, now }: Call, member: string): Promise<string> {
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const row = { hash: await hashKey(token), member, project: caller.project };
  await replaceLink(commonDatabase(env), { ...row, createdAt: now, expiresAt: now + LINK_MS });
  return signInUrl(publicOrigin(request, env), token);
}
