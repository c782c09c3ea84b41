import type { Env } from "../../platform/env.ts";
import type { Remote } from "../remote.ts";
import type { CampaignIndex } from "./campaign-index.ts";

/** The index of a scope's campaigns. */
export function campaignIndexOf(
  env: Env,
  scope: number,
): Remote<CampaignIndex, "read" | "take" | "giveBack" | "recover"> {
  const { CAMPAIGN_INDEX } = env;
  return CAMPAIGN_INDEX.get(CAMPAIGN_INDEX.idFromName(String(scope))) as never;
}
