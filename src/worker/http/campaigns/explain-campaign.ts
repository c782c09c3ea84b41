import { z } from "zod";
import { explainCampaign } from "../../../core/engagement/explain.ts";
import { joinedLedger } from "../../../core/engagement/person.ts";
import { findUser } from "../../db/customers/users.ts";
import { campaignIndexOf } from "../../objects/campaigns/campaign-index-stub.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { notFound } from "../../platform/errors.ts";
import { dateShape, wireDate } from "../../wire/date.ts";
import { text } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { existingCampaign } from "./campaigns.ts";

export const explainCampaignForUser = endpoint({
  name: "explainCampaign",
  method: "GET",
  path: "/v1/campaigns/:id/explain",
  level: "secret",
  chapter: "Campaigns",
  summary: "Explains why a user did not get a campaign's message, or that they did.",
  query: z.object({ user: text().meta({ description: "_id, userId or deviceId" }) }),
  response: z.object({
    user: z.object({ _id: z.string(), userId: z.string().optional(), deviceId: z.string() }),
    eligible: z.boolean().meta({ description: "an event that matches the trigger would send the message now" }),
    sentence: z.string(),
    checks: z.array(z.object({ rule: z.string(), passed: z.boolean(), sentence: z.string() })),
    variant: z.number(),
    messages: z.number().meta({ description: "messages that the user got" }),
    lastSentAt: dateShape().optional(),
    lastRefused: z.object({ at: dateShape(), event: z.string(), reason: z.string() }).optional().meta({
      description:
        "the last event that matched the trigger without a message; for the same reason again, its time is exact to 10 minutes",
    }),
  }),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env, now } = call;
    const campaign = await existingCampaign(call, params.id);
    const row = await findUser(env.DB, caller.scope, query.user);
    const known = row && (await deviceTrackerOf(env, caller.scope, row.deviceId).engagement(row.id));
    if (!known) throw notFound("User");
    const { state } = known;
    const counted = state.userId === undefined ? {} : await campaignIndexOf(env, caller.scope).counted(state.userId);
    const ledger = joinedLedger(known.ledger, counted);
    const { lastSentAt, lastRefused, ...explained } = explainCampaign(campaign, ledger, state, {
      now,
      timeZone: state.timeZone,
    });
    return {
      user: { _id: state._id, userId: state.userId, deviceId: state.deviceId },
      ...explained,
      ...(lastSentAt !== undefined && { lastSentAt: wireDate(lastSentAt) }),
      ...(lastRefused && { lastRefused: { ...lastRefused, at: wireDate(lastRefused.at) } }),
    };
  },
});
