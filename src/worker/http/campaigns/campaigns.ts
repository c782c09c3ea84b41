import { z } from "zod";
import { type Campaign, imagesOf } from "../../../core/engagement/campaign.ts";
import { byDay, byVariant, NO_COUNTS, totals } from "../../../core/engagement/stats.ts";
import { missingImages } from "../../answers/campaigns/message-images.ts";
import { campaignCounts, campaignRows } from "../../db/customers/campaigns.ts";
import { newId } from "../../objects/tracker/id.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { campaignShape, wireCampaign } from "../../wire/campaign.ts";
import { datetime, pageLimit } from "../../wire/input/fields.ts";
import { noteCampaignEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";
import { campaignBody, campaignPatch, campaignValues } from "./campaign-body.ts";

const chapter = "Campaigns";
const one = z.object({ campaign: campaignShape });

/** Campaigns of one environment of a project: each update with events compares those of its event types. */
const MAX_CAMPAIGNS = 500;
const DAY_MS = 24 * 3600_000;
const STATS_DAYS = 30;

export const createCampaign = endpoint({
  name: "createCampaign",
  method: "POST",
  path: "/v1/campaigns",
  level: "secret",
  chapter,
  summary: "Creates a campaign: a message that phones show when an update triggers it.",
  description: `In-app messages and notifications of events are in the response of POST /v1/track; geofence notifications in the metadata of its nearbyGeofences (iOS shows them even if the app is closed). All conditions of the trigger must hold; of a list, one value is enough. Caps and cooldowns hold for parallel updates. Events older than 10 minutes trigger no message. Up to ${MAX_CAMPAIGNS} campaigns per environment; more return 409. A change takes effect within 10 seconds.`,
  body: campaignBody,
  response: one,
  errors: [409],
  async handle(call) {
    const { body, caller, env, now } = call;
    const values = campaignValues(body);
    if ((await campaignRows.countRows(env.DB, caller.scope)) >= MAX_CAMPAIGNS)
      throw new ApiError(409, `Conflict. An environment has at most ${MAX_CAMPAIGNS} campaigns.`);
    const one = await withImages(call, { _id: newId(now), createdAt: now, updatedAt: now, ...values });
    noteCampaignEpoch(caller.scope, await campaignRows.insert(env.DB, caller.scope, one));
    return { campaign: wireCampaign(one, caller.live) };
  },
});

export const listCampaigns = endpoint({
  name: "listCampaigns",
  method: "GET",
  path: "/v1/campaigns",
  level: "secret",
  chapter,
  summary: "Lists campaigns, newest first, with their statistics.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
  }),
  response: z.object({ campaigns: z.array(campaignShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    await settleWrites(env, true);
    const [{ docs, hasMore }, counts] = await Promise.all([
      campaignRows.list(env.DB, caller.scope, query),
      campaignCounts(env.DB, caller.scope, 0),
    ]);
    const stats = totals(counts);
    const campaigns = writeRows(call, "campaigns", docs, (doc) => {
      const campaign = JSON.parse(doc) as Campaign;
      return wireCampaign(campaign, caller.live, stats.get(campaign._id) ?? NO_COUNTS);
    });
    return { meta: { hasMore }, campaigns };
  },
});

export const getCampaign = endpoint({
  name: "getCampaign",
  method: "GET",
  path: "/v1/campaigns/:id",
  level: "secret",
  chapter,
  summary: "Returns a campaign with its statistics by day and by variant.",
  response: one,
  errors: [404],
  async handle(call) {
    const { params, caller, env, now } = call;
    const campaign = await existingCampaign(call, params.id);
    await settleWrites(env, true);
    const counts = await campaignCounts(env.DB, caller.scope, 0, campaign._id);
    const days = byDay(counts, Math.floor(now / DAY_MS) - STATS_DAYS + 1);
    const stats = {
      ...(totals(counts).get(campaign._id) ?? NO_COUNTS),
      days: days.map(({ day, counts: own }) => ({ day: new Date(day * DAY_MS).toISOString().slice(0, 10), ...own })),
      variants: byVariant(counts, campaign.variants?.length ?? 1, (campaign.holdout ?? 0) > 0).map((variant) => ({
        ...variant,
        interval: [...variant.interval],
        differenceInterval: variant.differenceInterval && [...variant.differenceInterval],
      })),
    };
    return { campaign: wireCampaign(campaign, caller.live, stats) };
  },
});

export const updateCampaign = endpoint({
  name: "updateCampaign",
  method: "PATCH",
  path: "/v1/campaigns/:id",
  level: "secret",
  chapter,
  summary: "Changes the given fields of a campaign; its type cannot be changed.",
  body: campaignPatch,
  response: one,
  errors: [404, 409],
  async handle(call) {
    const { params, caller, env } = call;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const doc = await campaignRows.find(env.DB, caller.scope, params.id);
      if (doc === undefined) throw notFound("Campaign");
      const before = writeRow(call, "campaigns", doc, (text) => JSON.parse(text) as Campaign);
      const one = await withImages(call, changed(before, call));
      const epoch = await campaignRows.replace(env.DB, caller.scope, one, doc);
      if (epoch === undefined) continue; // changed in the meantime: this change applies to the new state
      noteCampaignEpoch(caller.scope, epoch);
      return { campaign: wireCampaign(one, caller.live) };
    }
    throw new ApiError(409, "Conflict. The campaign is being changed by others; try again.");
  },
});

/** Parallel changes of one campaign before one of them fails. */
const MAX_ATTEMPTS = 10;

/** A stored campaign after a change. @throws ApiError 400 */
function changed(
  { _id, createdAt, updatedAt: _, missingImages: _missing, ...before }: Campaign,
  { body, now }: { body: z.output<typeof campaignPatch>; now: number },
): Campaign {
  // Content and variants replace each other.
  if (body.content !== undefined) delete before.variants;
  else if (body.variants) delete before.content;
  const merged = Object.fromEntries(Object.entries({ ...before, ...body }).filter(([, value]) => value !== null));
  return { _id, createdAt, updatedAt: now, ...campaignValues(merged as Parameters<typeof campaignValues>[0]) };
}

export const deleteCampaign = endpoint({
  name: "deleteCampaign",
  method: "DELETE",
  path: "/v1/campaigns/:id",
  level: "secret",
  chapter,
  summary: "Deletes a campaign. Phones drop its geofence notifications with their next update.",
  errors: [404],
  async handle({ params, caller, env }) {
    const epoch = await campaignRows.delete(env.DB, caller.scope, params.id);
    if (epoch === undefined) throw notFound("Campaign");
    noteCampaignEpoch(caller.scope, epoch);
    return {};
  },
});

/** The campaign, with the images that cannot be loaded. */
async function withImages(
  { caller, env, now }: Pick<Call, "caller" | "env" | "now">,
  campaign: Campaign,
): Promise<Campaign> {
  const missing = await missingImages(env, caller.scope, imagesOf(campaign), now);
  return missing.length > 0 ? { ...campaign, missingImages: missing } : campaign;
}

/** @throws ApiError 404 */
export async function existingCampaign(
  call: Pick<Call, "caller" | "env" | "leftOut" | "requestId">,
  id: string,
): Promise<Campaign> {
  const doc = await campaignRows.find(call.env.DB, call.caller.scope, id);
  if (doc === undefined) throw notFound("Campaign");
  return writeRow(call, "campaigns", doc, (text) => JSON.parse(text) as Campaign);
}
