import { type Campaign, imagesOf } from "../../../core/engagement/campaign.ts";
import { missingImages } from "../../answers/campaigns/message-images.ts";
import { campaignRows, campaignsWithImages } from "../../db/customers/campaigns.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";

const MAX_CAMPAIGNS = 500;
const AT_ONCE = 8;

/** Runs hourly: messages are sent without images that cannot be loaded, and with those that can be loaded again. */
export async function checkImages(env: Env, now: number): Promise<void> {
  const moving = new MovingScopes(env);
  const rows = await moving.leftOutOf((except) => campaignsWithImages(env.DB, MAX_CAMPAIGNS, except));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await Promise.all(
      rows.slice(from, from + AT_ONCE).map((row) => moving.unlessMoving(row.scope, () => check(env, row, now))),
    );
  }
}

async function check(env: Env, { scope, doc }: { scope: number; doc: string }, now: number): Promise<void> {
  try {
    const { missingImages: before = [], ...campaign } = JSON.parse(doc) as Campaign;
    const missing = await missingImages(env, scope, imagesOf(campaign), now);
    if (missing.join("\n") === before.join("\n")) return;
    await campaignRows.replace(
      env.DB,
      scope,
      missing.length > 0 ? { ...campaign, missingImages: missing } : campaign,
      doc,
    );
  } catch (error) {
    console.error(JSON.stringify({ what: "campaign images", scope, error: describeBriefly(error) }));
  }
}
