import { z } from "zod";
import { hashKey } from "../../auth/key.ts";
import { mayGive, ROLES, type Role, reaches } from "../../auth/role.ts";
import { LINK_MS, mintSessionToken, signInUrl, TOKEN_BYTES } from "../../auth/session.ts";
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
import { wireDate } from "../../wire/date.ts";
import { forgetMember } from "../serve/callers/session.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { ApiError, notFound } from "../serve/errors.ts";
import { oneOf } from "../serve/fields.ts";
import { CHAPTER, roleShape } from "./shapes.ts";

const EMAIL_RULE = "Must be an email address of at most 254 characters.";
/** Somebody at somewhere: whether it exists is for whoever sends the link to see. */
const email = () =>
  z
    .string({ error: EMAIL_RULE })
    .max(254, { error: EMAIL_RULE })
    .regex(/^[^\s@<>"'(),;:\\]+@[^\s@<>"'(),;:\\]+$/, { error: EMAIL_RULE })
    .transform((text) => text.toLowerCase());

const memberShape = z.object({ _id: z.string(), email: z.string(), role: roleShape, createdAt: z.string() });
const linkShape = z
  .string()
  .meta({ description: "signs in once, within three days, to this project; shown this once" });

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
  summary: "The members of the project, by their address.",
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
  summary: "Makes somebody a member, and a link for them to sign in with.",
  description: "Owners are made by owners. Who is a member already is refused with 409.",
  body: z.object({ email: email(), role: oneOf(ROLES) }),
  response: z.object({ member: memberShape, link: linkShape }),
  errors: [409],
  async handle(call) {
    const { body, caller, env, now, audit } = call;
    mustGive(caller, undefined, body.role);
    const member = await addMember(commonDatabase(env), { ...body, project: caller.project, newId: newId(now), now });
    if (!member) throw new ApiError(409, `Conflict. ${body.email} is a member already.`, { param: "email" });
    forgetMember(member.id);
    audit({ target: member.email, summary: `Made a member, role ${member.role}` });
    return { member: wireMember(member), link: await linkFor(call, member.id) };
  },
});

export const patchMember = endpoint({
  ...shared,
  name: "changeMember",
  method: "PATCH",
  path: "/dashboard/api/members/:id",
  role: "admin",
  summary: "Gives a member another role, which counts everywhere within ten seconds.",
  description:
    "Owners are made and changed by owners, and a project keeps one: the last is refused with 409. With a higher role, whatever signs the member in to this project alone ends (links made here, their sessions and passkeys), as it was handed out for less; the answer then has a new link.",
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
  summary: "Takes a member out of the project. Everybody may leave; for others it needs admin, for owners owner.",
  description: "Counts everywhere within ten seconds. The last owner is refused with 409.",
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
  summary: "A new link for a member to sign in with. Earlier ones that were made here open no more.",
  description: "It opens this project only, whatever else the member may enter. Links for owners are made by owners.",
  response: z.object({ link: linkShape }),
  errors: [404],
  async handle(call) {
    const { params, caller, audit } = call;
    const member = await existing(call, params.id);
    mustGive(caller, member.role, member.role);
    audit({ target: member.email, summary: "Made a sign-in link" });
    return { link: await linkFor(call, member.id) };
  },
});

async function existing({ caller, env }: Call, id: string): Promise<Member> {
  const member = await findMember(commonDatabase(env), caller.project, id);
  if (!member) throw notFound("Member");
  return member;
}

/** @throws ApiError 403 where the caller's role does not reach for giving or taking these */
function mustGive({ member }: Call["caller"], before: Role | undefined, next: Role | undefined): void {
  if (!member || mayGive(member.role, before, next)) return;
  const needed = before === "owner" || next === "owner" ? "owner" : "admin or above";
  throw new ApiError(403, `Forbidden. Your role is ${member.role}; this needs ${needed}.`);
}

const lastOwner = () =>
  new ApiError(409, "Conflict. The project's last owner must stay: make another member owner first.");

async function linkFor({ caller, env, request, now }: Call, member: string): Promise<string> {
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const row = { hash: await hashKey(token), member, project: caller.project };
  await replaceLink(commonDatabase(env), { ...row, createdAt: now, expiresAt: now + LINK_MS });
  return signInUrl(publicOrigin(request, env), token);
}
