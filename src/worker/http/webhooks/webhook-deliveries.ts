import { z } from "zod";
import { toMessages } from "../../../core/webhooks/messages.ts";
import type { DeadLetter } from "../../../core/webhooks/types.ts";
import {
  deleteDeadLetters,
  findDeadLetter,
  listDeadLetters,
  oldestDeadLetters,
} from "../../db/customers/dead-letters.ts";
import { newId } from "../../objects/tracker/id.ts";
import { webhookSenderOf } from "../../objects/webhooks/webhook-sender-stub.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import type { eventShape } from "../../wire/event.ts";
import { datetime, number, pageLimit } from "../../wire/input/fields.ts";
import type { userShape } from "../../wire/user.ts";
import { attemptShape, deadLetterShape, wireAttempt, wireDeadLetter } from "../../wire/webhook.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { endpoint } from "../serve/endpoint.ts";
import { writeRows } from "../serve/rows.ts";
import { existingWebhook } from "./webhooks.ts";

const chapter = "Webhooks";

/** Maximum dead letters replayed per batch, and per call. */
const REPLAYED_AT_ONCE = 100;
const MAX_REPLAYED = 1000;

export const testWebhook = endpoint({
  name: "testWebhook",
  method: "POST",
  path: "/v1/webhooks/:id/test",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Sends a test event immediately and returns the receiver's response.",
  description:
    "The event's type is `webhook.test`; it is signed like any other, sent once, even if the webhook is disabled, and stored only in the log.",
  response: z.object({ delivered: z.boolean(), delivery: attemptShape }),
  errors: [404],
  async handle({ params, caller, env, now }) {
    const { delivery } = await existingWebhook(env, caller.scope, params.id);
    const { event, user } = testEvent(caller, now);
    const notice = { id: event._id, type: event.type, user: user._id, json: JSON.stringify(event) };
    const [message] = toMessages([notice], { [user._id]: JSON.stringify(user) }, delivery, now);
    const owner = { scope: caller.scope, id: params.id };
    const attempt = await webhookSenderOf(env, owner.scope, owner.id).test(owner, message);
    return { delivered: attempt.error === undefined, delivery: wireAttempt(attempt) };
  },
});

export const webhookDeliveries = endpoint({
  name: "webhookDeliveries",
  method: "GET",
  path: "/v1/webhooks/:id/deliveries",
  level: "secret",
  chapter,
  summary: "Lists the latest delivery attempts, newest first, and the number of waiting messages.",
  description: "The log keeps at least the last 500 attempts.",
  query: z.object({ limit: number({ min: 1, max: 500, integer: true }).default(100) }),
  response: z.object({
    waiting: z.number().meta({ description: "messages not acknowledged yet" }),
    deliveries: z.array(attemptShape),
  }),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env } = call;
    await existingWebhook(env, caller.scope, params.id);
    const owner = { scope: caller.scope, id: params.id };
    const { attempts, waiting } = await webhookSenderOf(env, owner.scope, owner.id).state(owner, query.limit);
    return { waiting, deliveries: writeRows(call, "deliveries", attempts, wireAttempt) };
  },
});

export const listWebhookDeadLetters = endpoint({
  name: "listDeadLetters",
  method: "GET",
  path: "/v1/webhooks/:id/dead-letters",
  level: "secret",
  chapter,
  summary: "Lists dead letters, newest first; they are stored for 30 days.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
  }),
  response: z.object({ deadLetters: z.array(deadLetterShape) }),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env } = call;
    await existingWebhook(env, caller.scope, params.id);
    const { letters, hasMore } = await listDeadLetters(env.DB, caller.scope, params.id, query);
    return { meta: { hasMore }, deadLetters: writeRows(call, "dead letters", letters, wireDeadLetter) };
  },
});

export const replayDeadLetter = endpoint({
  name: "replayDeadLetter",
  method: "POST",
  path: "/v1/webhooks/:id/dead-letters/:messageId/replay",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Replays a dead letter, from the start of the schedule.",
  response: z.object({ replayed: z.number() }),
  errors: [404, 409],
  async handle({ params, caller, env }) {
    await theEnabledWebhook(env, caller.scope, params.id);
    const letter = await findDeadLetter(env.DB, caller.scope, params.id, params.messageId);
    if (!letter) throw notFound("Dead letter");
    await replay(env, caller.scope, params.id, [letter]);
    return { replayed: 1 };
  },
});

export const replayDeadLetters = endpoint({
  name: "replayDeadLetters",
  method: "POST",
  path: "/v1/webhooks/:id/dead-letters/replay",
  level: "secret",
  role: "admin",
  chapter,
  summary: "Replays the dead letters of a time range, oldest first; without a range, all of them.",
  description: `At most ${MAX_REPLAYED} per call: while \`meta.hasMore\` is true, call again.`,
  body: z.object({ createdBefore: datetime().optional(), createdAfter: datetime().optional() }),
  response: z.object({ replayed: z.number() }),
  errors: [404, 409],
  async handle({ params, body, caller, env }) {
    await theEnabledWebhook(env, caller.scope, params.id);
    const page = { ...body, limit: REPLAYED_AT_ONCE };
    let replayed = 0;
    let hasMore = true;
    while (hasMore && replayed < MAX_REPLAYED) {
      const found = await oldestDeadLetters(env.DB, caller.scope, params.id, page);
      await replay(env, caller.scope, params.id, found.letters);
      replayed += found.letters.length;
      hasMore = found.hasMore;
    }
    return { meta: { hasMore }, replayed };
  },
});

/** Passed to the sender before the dead letters are deleted: a duplicate is better than a loss. */
async function replay(env: Env, scope: number, id: string, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await webhookSenderOf(env, scope, id).replay({ scope, id }, letters);
  await deleteDeadLetters(
    env.DB,
    scope,
    id,
    letters.map((letter) => letter.id),
  );
}

async function theEnabledWebhook(env: Env, scope: number, id: string): Promise<void> {
  const { enabled } = await existingWebhook(env, scope, id);
  if (!enabled) throw new ApiError(409, "Conflict. The webhook is disabled; enable it first.");
}

/** A test event in the usual format, about a fictional user. */
function testEvent(caller: Caller, now: number) {
  const subject = { _id: newId(now), deviceId: "webhook-test" };
  const location = { type: "Point" as const, coordinates: [0, 0] as [number, number] };
  const about = { live: caller.live, location, locationAccuracy: 1, createdAt: wireDate(now) };
  const event: z.input<typeof eventShape> = {
    ...about,
    _id: `${subject._id}00000001`,
    type: "webhook.test",
    actualCreatedAt: wireDate(now),
    user: subject,
    confidence: 3,
  };
  const user: z.input<typeof userShape> = { ...about, ...subject, updatedAt: wireDate(now), geofences: [] };
  return { event, user };
}
