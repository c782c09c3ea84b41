import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { CampaignIndex } from "./campaign-index.ts";

/** The index of a scope's campaigns. */
export function campaignIndexOf(
  env: Env,
  scope: number,
): Remote<CampaignIndex, "read" | "take" | "giveBack" | "counted" | "convert" | "forget" | "recover"> {
  return remoteObject(env, "CAMPAIGN_INDEX", String(scope));
}
