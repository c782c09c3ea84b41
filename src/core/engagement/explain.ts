import type { UserState } from "../tracking/types/state.ts";
import { assignVariant, HOLDOUT } from "./assign-variant.ts";
import { audienceProblem } from "./audience.ts";
import type { Campaign } from "./campaign.ts";
import { type Ledger, limitProblem } from "./ledger.ts";
import { scheduleProblem } from "./local-clock.ts";
import type { Moment } from "./send.ts";

interface Check {
  rule: "enabled" | "holdout" | "audience" | "schedule" | "limits" | "trigger";
  passed: boolean;
  sentence: string;
}

export interface Explanation {
  /** Would the user get the message now, if the trigger matched? */
  eligible: boolean;
  /** The answer in one sentence. */
  sentence: string;
  checks: Check[];
  variant: number;
  messages: number;
  lastSentAt?: number;
  lastRefused?: { at: number; event: string; reason: string };
}

/** Why a user did not get a campaign's message, or that they did. */
export function explainCampaign(campaign: Campaign, ledger: Ledger, user: UserState, moment: Moment): Explanation {
  const { enabled, audience, schedule, limits, trigger } = campaign;
  const entry = ledger.by[campaign._id];
  const variant = entry && entry.n > 0 ? entry.variant : assignVariant(campaign, user.userId ?? user._id);
  const who = audience && audienceProblem(audience, user);
  const when = schedule && scheduleProblem(schedule, moment.now, moment.timeZone, undefined);
  const limit = limits && limitProblem(limits, entry, moment.now);
  const held = variant === HOLDOUT;
  const messages = entry?.n ?? 0;
  const refused = entry?.refused;
  const matched = messages > 0 || refused !== undefined;
  const checks: Check[] = [
    check("enabled", enabled, "The campaign is enabled.", "The campaign is disabled."),
    check("holdout", !held, "The user is not in the holdout.", "The user is in the holdout: it gets no message."),
    check("audience", !who, "The user belongs to the audience.", `The user is not in the audience (${who}).`),
    check("schedule", !when, "The schedule allows a message now.", `The schedule allows no message now: ${when}.`),
    check("limits", !limit, "No limit is reached.", `The limit ${limit} is reached.`),
    check(
      "trigger",
      matched,
      "An event of the user has matched the trigger.",
      `No event of the user has matched the trigger${trigger.event ? ` (${trigger.event})` : ""} since the campaign exists.`,
    ),
  ];
  const failed = checks.find(({ passed }) => !passed);
  const lastSentAt = entry?.at[entry.at.length - 1];
  const sentence =
    failed && (messages === 0 || failed.rule !== "limits")
      ? failed.sentence
      : refused
        ? `At the last matching event (${refused.event}), no message was sent: ${refused.reason}.`
        : messages > 0
          ? "The message was sent."
          : "Nothing prevents the message.";
  return {
    eligible: enabled && !held && !who && !when && !limit,
    sentence,
    checks,
    variant,
    messages: held ? 0 : messages,
    ...(lastSentAt !== undefined && { lastSentAt }),
    ...(refused && { lastRefused: refused }),
  };
}

const check = (rule: Check["rule"], passed: boolean, yes: string, no: string): Check => ({
  rule,
  passed,
  sentence: passed ? yes : no,
});
