import { z } from "zod";
import { openSegments } from "../../../core/engagement/segments/memberships.ts";
import { meetsRule } from "../../../core/engagement/segments/rule.ts";
import { type ComputedSegment, MAX_SEGMENTS, MAX_VISIT_DAYS } from "../../../core/engagement/segments/segment.ts";
import { DAY_MS, withPastVisits } from "../../../core/engagement/segments/visits.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import {
  countSegments,
  deleteSegment as deleteRow,
  ExternalIdTaken,
  findSegment,
  listSegments as listRows,
  pastVisits,
  segmentSizes,
  segmentUsers,
  writeSegment,
} from "../../db/customers/segments.ts";
import { listUsers } from "../../db/customers/users.ts";
import { passScope } from "../../objects/rounds/segment-round.ts";
import { newId } from "../../objects/tracker/id.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { datetime, optionalText, pageLimit } from "../../wire/input/fields.ts";
import { segmentShape, wireSegment } from "../../wire/segment.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { noteCampaignEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";
import { previewBody, ruleOf, segmentBody, segmentPatch } from "./segment-body.ts";

const chapter = "Segments";
const one = z.object({ segment: segmentShape });

/** Users compared with a new rule by the request itself; the hourly run compares the others. */
const MAX_AT_ONCE = 20_000;
/** Users compared by a preview, and shown. */
const PREVIEW_USERS = 1_000;
const PREVIEW_SHOWN = 10;

export const createSegment = endpoint({
  name: "createSegment",
  method: "POST",
  path: "/v1/segments",
  level: "secret",
  chapter,
  summary: "Creates a computed segment: the users that meet a rule.",
  description: `Audiences of campaigns, geofences (\`segments\`), user lists and exports (\`segment\`) use its externalId, like that of a segment set by you. A user's segments are updated with each of its updates; those that time changes, every hour. Visits are counted from the day of the oldest stored event (about a week) on. The first ${MAX_AT_ONCE.toLocaleString("en-US")} users are compared immediately, others with the next hourly runs; meanwhile \`computing\` is true. Up to ${MAX_SEGMENTS} segments per environment; more return 409.`,
  body: segmentBody,
  response: one,
  errors: [409],
  async handle(call) {
    const { body, caller, env, now } = call;
    const { externalId, description } = body;
    const rule = ruleOf(body.rule);
    if ((await countSegments(env.DB, caller.scope)) >= MAX_SEGMENTS)
      throw new ApiError(409, `Conflict. An environment has at most ${MAX_SEGMENTS} segments.`);
    const created = { _id: newId(now), createdAt: now, updatedAt: now, externalId, description, rule };
    return { segment: await write(call, created) };
  },
});

export const listAllSegments = endpoint({
  name: "listSegments",
  method: "GET",
  path: "/v1/segments",
  level: "secret",
  chapter,
  summary: "Lists computed segments, newest first, with their sizes.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
  }),
  response: z.object({ segments: z.array(segmentShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    await settleWrites(env);
    const { docs, hasMore } = await listRows(env.DB, caller.scope, query);
    const { sizes, isComputing } = await segmentSizes(env.DB, caller.scope);
    const segments = writeRows(call, "segments", docs, (doc) => {
      const segment = JSON.parse(doc) as ComputedSegment;
      return wireSegment(segment, caller.live, { size: sizes.get(segment._id) ?? 0, isComputing });
    });
    return { meta: { hasMore }, segments };
  },
});

export const getSegment = endpoint({
  name: "getSegment",
  method: "GET",
  path: "/v1/segments/:id",
  level: "secret",
  chapter,
  summary: "Returns a computed segment by _id or externalId, with its size.",
  response: one,
  errors: [404],
  async handle(call) {
    await settleWrites(call.env);
    return { segment: await withSize(call, await existing(call)) };
  },
});

export const updateSegment = endpoint({
  name: "updateSegment",
  method: "PATCH",
  path: "/v1/segments/:id",
  level: "secret",
  chapter,
  summary: "Changes the given fields of a computed segment.",
  body: segmentPatch,
  response: one,
  errors: [404, 409],
  async handle(call) {
    const { body, now } = call;
    const before = await existing(call);
    const changed: ComputedSegment = {
      ...before,
      // Trackers recognize a change by a later time.
      updatedAt: Math.max(now, before.updatedAt + 1),
      externalId: body.externalId ?? before.externalId,
      description: body.description ?? before.description,
      rule: body.rule ? ruleOf(body.rule) : before.rule,
    };
    return { segment: await write(call, changed) };
  },
});

export const deleteSegment = endpoint({
  name: "deleteSegment",
  method: "DELETE",
  path: "/v1/segments/:id",
  level: "secret",
  chapter,
  summary: "Deletes a computed segment. Its users leave it; audiences and geofences that name it match no user by it.",
  errors: [404],
  async handle(call) {
    const { caller, env, now } = call;
    const { _id } = await existing(call);
    noteCampaignEpoch(caller.scope, await deleteRow(env.DB, caller.scope, _id, now));
    await passScope(env, caller.scope, MAX_AT_ONCE, now);
    return {};
  },
});

export const listSegmentUsers = endpoint({
  name: "listSegmentUsers",
  method: "GET",
  path: "/v1/segments/:id/users",
  level: "secret",
  chapter,
  summary: "Lists the users of a computed segment, in order of their _ids.",
  query: z.object({
    limit: pageLimit(100),
    after: optionalText(64).meta({ description: "_id of the last user of the previous page" }),
  }),
  response: z.object({ users: z.array(userShape) }),
  errors: [404],
  async handle(call) {
    const { query, caller, env } = call;
    const { _id } = await existing(call);
    await settleWrites(env);
    const { docs, hasMore } = await segmentUsers(env.DB, caller.scope, _id, query);
    return { meta: { hasMore }, users: writeRows(call, "users", docs, fromDoc) };
  },
});

export const previewSegment = endpoint({
  name: "previewSegment",
  method: "POST",
  path: "/v1/segments/preview",
  level: "secret",
  role: "read",
  chapter,
  summary: "Compares a rule with recent users, without creating a segment.",
  description: `Compares the ${PREVIEW_USERS} users updated last, and returns how many meet the rule and ${PREVIEW_SHOWN} of them.`,
  body: previewBody,
  response: z.object({
    compared: z.number().meta({ description: "users compared" }),
    matched: z.number().meta({ description: "users that meet the rule" }),
    users: z.array(userShape),
  }),
  async handle(call) {
    const { body, caller, env, now } = call;
    const rule = ruleOf(body.rule);
    await settleWrites(env);
    const { docs } = await listUsers(env.DB, caller.scope, { limit: PREVIEW_USERS });
    const { watched } = openSegments([{ _id: "", externalId: "", description: "", createdAt: 0, updatedAt: 0, rule }]);
    const states = writeRows(call, "users", docs, (doc) => {
      const state = JSON.parse(doc) as UserState;
      wireUser(state);
      return state;
    });
    const ids = states.map(({ _id }) => _id);
    const since = now - MAX_VISIT_DAYS * DAY_MS;
    const past = watched.size > 0 ? await pastVisits(env.DB, caller.scope, ids, since) : undefined;
    const matched = states.filter((state) => {
      const visitDays = withPastVisits(state.visitDays, past?.get(state._id) ?? [], watched, now);
      return meetsRule(rule, visitDays ? { ...state, visitDays } : state, now);
    });
    const users = matched.slice(0, PREVIEW_SHOWN).map(wireUser);
    return { compared: states.length, matched: matched.length, users };
  },
});

async function write(call: Pick<Call, "caller" | "env" | "now">, segment: ComputedSegment) {
  const { caller, env, now } = call;
  try {
    noteCampaignEpoch(caller.scope, await writeSegment(env.DB, caller.scope, segment));
  } catch (error) {
    if (error instanceof ExternalIdTaken)
      throw new ApiError(409, "Conflict. Another segment has this externalId.", { param: "externalId" });
    throw error;
  }
  await settleWrites(env);
  await passScope(env, caller.scope, MAX_AT_ONCE, now);
  return withSize(call, segment);
}

async function withSize({ caller, env }: Pick<Call, "caller" | "env">, segment: ComputedSegment) {
  const { sizes, isComputing } = await segmentSizes(env.DB, caller.scope, segment._id);
  return wireSegment(segment, caller.live, { size: sizes.get(segment._id) ?? 0, isComputing });
}

/** @throws ApiError 404 */
async function existing(
  call: Pick<Call, "caller" | "env" | "leftOut" | "requestId" | "params">,
): Promise<ComputedSegment> {
  const doc = await findSegment(call.env.DB, call.caller.scope, call.params.id);
  if (doc === undefined) throw notFound("Segment");
  return writeRow(call, "segments", doc, (text) => JSON.parse(text) as ComputedSegment);
}

function fromDoc(doc: string) {
  return wireUser(JSON.parse(doc) as UserState);
}
