import { z } from "zod";
import { MAX_MEETING_RULES, MAX_RADIUS, type Meeting, MIN_RADIUS } from "../../../core/engagement/meeting.ts";
import { meetingRows } from "../../db/customers/campaigns.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { datetime, dictionary, flag, number, pageLimit, text } from "../../wire/input/fields.ts";
import { dotted } from "../../wire/input/validate.ts";
import { meetingShape, wireMeeting } from "../../wire/meeting.ts";
import { noteCampaignEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";

const chapter = "Meetings";
const one = z.object({ meeting: meetingShape });
const DAY_MINUTES = 24 * 60;

const LIST_RULE = "Must be a list of 1 to 100 strings.";
const texts = () =>
  z.array(text(256), { error: LIST_RULE }).min(1, { error: LIST_RULE }).max(100, { error: LIST_RULE }).optional();

const GROUP_RULE = "Must be an object of userTags, metadata, segments and userIds.";
/** An unknown condition is refused: without it, the group would be larger than meant. */
const group = () =>
  z.strictObject(
    {
      userTags: texts().meta({ description: "tags of the user; one is enough" }),
      metadata: dictionary(16).optional().meta({ description: "the user's metadata has all of these values" }),
      segments: texts().meta({ description: "externalIds; one is enough" }),
      userIds: texts().meta({ description: "userId, deviceId or _id" }),
    },
    { error: GROUP_RULE },
  );

const fields = {
  name: text(256),
  enabled: flag(),
  users: group().meta({ description: "users that meet all given conditions; default: all" }),
  others: group().meta({ description: "whom they meet; may be the same group; default: all" }),
  radius: number({ min: MIN_RADIUS, max: MAX_RADIUS }).meta({ description: "meters; meetings begin within it" }),
  minimumSeconds: number({ min: 0, max: 3600, integer: true }).meta({ description: "time together until the event" }),
  freshMinutes: number({ min: 1, max: DAY_MINUTES, integer: true }).meta({
    description: "both users have a position of at most this age when they meet",
  }),
  testUserIds: z
    .array(text(256), { error: "Must be a list of up to 100 ids." })
    .max(100, { error: "Must be a list of up to 100 ids." })
    .meta({ description: "only these users take part (userId, deviceId or _id); an empty list: all" }),
};

const meetingBody = dotted(
  z.object({
    name: fields.name,
    enabled: fields.enabled.default(true),
    users: fields.users.default({}),
    others: fields.others.default({}),
    radius: fields.radius,
    minimumSeconds: fields.minimumSeconds.default(0),
    freshMinutes: fields.freshMinutes.default(10),
    testUserIds: fields.testUserIds.optional(),
  }),
);
const meetingPatch = dotted(z.object(fields).partial());

export const createMeeting = endpoint({
  name: "createMeeting",
  method: "POST",
  path: "/v1/meetings",
  level: "secret",
  chapter,
  summary: "Creates a rule: users of one group that come near users of another, or of the same.",
  description: `Generates \`user.met_user\` and \`user.parted_from_user\`, one for each of both users. They are never in responses to publishable keys. Up to ${MAX_MEETING_RULES} rules per environment; more return 409. A change takes effect within 10 seconds, with the next update of each user.`,
  body: meetingBody,
  response: one,
  errors: [409],
  async handle(call) {
    const { body, caller, env, now } = call;
    if ((await meetingRows.countRows(env.DB, caller.scope)) >= MAX_MEETING_RULES)
      throw new ApiError(409, `Conflict. An environment has at most ${MAX_MEETING_RULES} rules about meetings.`);
    const created = ruleOf({ ...body, _id: newId(now), createdAt: now, updatedAt: now });
    noteCampaignEpoch(caller.scope, await meetingRows.insert(env.DB, caller.scope, created));
    return { meeting: wireMeeting(created, caller.live) };
  },
});

export const listMeetings = endpoint({
  name: "listMeetings",
  method: "GET",
  path: "/v1/meetings",
  level: "secret",
  chapter,
  summary: "Lists rules about meetings, newest first.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
  }),
  response: z.object({ meetings: z.array(meetingShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    const { docs, hasMore } = await meetingRows.list(env.DB, caller.scope, query);
    const meetings = writeRows(call, "meetings", docs, (doc) => wireMeeting(JSON.parse(doc) as Meeting, caller.live));
    return { meta: { hasMore }, meetings };
  },
});

export const getMeeting = endpoint({
  name: "getMeeting",
  method: "GET",
  path: "/v1/meetings/:id",
  level: "secret",
  chapter,
  summary: "Returns a rule about meetings.",
  response: one,
  errors: [404],
  async handle(call) {
    return { meeting: wireMeeting((await existingMeeting(call, call.params.id)).meeting, call.caller.live) };
  },
});

export const updateMeeting = endpoint({
  name: "updateMeeting",
  method: "PATCH",
  path: "/v1/meetings/:id",
  level: "secret",
  chapter,
  summary: "Changes the given fields of a rule about meetings.",
  body: meetingPatch,
  response: one,
  errors: [404, 409],
  async handle(call) {
    const { params, body, caller, env, now } = call;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { doc, meeting } = await existingMeeting(call, params.id);
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const changed = ruleOf({ ...meeting, ...given, updatedAt: now });
      const epoch = await meetingRows.replace(env.DB, caller.scope, changed, doc);
      if (epoch === undefined) continue; // changed in the meantime: this change applies to the new state
      noteCampaignEpoch(caller.scope, epoch);
      return { meeting: wireMeeting(changed, caller.live) };
    }
    throw new ApiError(409, "Conflict. The rule is being changed by others; try again.");
  },
});

/** Parallel changes of one rule before one of them fails. */
const MAX_ATTEMPTS = 10;

export const deleteMeeting = endpoint({
  name: "deleteMeeting",
  method: "DELETE",
  path: "/v1/meetings/:id",
  level: "secret",
  chapter,
  summary: "Deletes a rule about meetings. Meetings that last end without an event.",
  errors: [404],
  async handle({ params, caller, env }) {
    const epoch = await meetingRows.delete(env.DB, caller.scope, params.id);
    if (epoch === undefined) throw notFound("Meeting");
    noteCampaignEpoch(caller.scope, epoch);
    return {};
  },
});

/** @throws ApiError 404 */
export async function existingMeeting(
  call: Pick<Call, "caller" | "env" | "leftOut" | "requestId">,
  id: string,
): Promise<{ doc: string; meeting: Meeting }> {
  const doc = await meetingRows.find(call.env.DB, call.caller.scope, id);
  if (doc === undefined) throw notFound("Meeting");
  return { doc, meeting: writeRow(call, "meetings", doc, (json) => JSON.parse(json) as Meeting) };
}

/** A rule to store. An empty list of test users is none. */
function ruleOf({ testUserIds, ...rule }: Meeting): Meeting {
  return { ...rule, ...(testUserIds && testUserIds.length > 0 && { testUserIds }) };
}
