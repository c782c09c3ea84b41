import { z } from "zod";
import { FRAUD_CHECKS, type FraudCheck, type FraudFlags, type FraudState } from "../../core/tracking/types/fraud.ts";
import { optionalDate } from "./date.ts";

const nullableDate = () => z.string().nullable().meta({ description: "Time of the last failure, or null" });

export const fraudShape = z.object({
  verified: z.boolean(),
  passed: z.boolean(),
  bypassed: z.boolean(),
  blocked: z.boolean(),
  mocked: z.boolean(),
  jumped: z.boolean(),
  compromised: z.boolean(),
  inaccurate: z.boolean(),
  proxy: z.boolean(),
  sharing: z.boolean(),
  lastMockedAt: nullableDate(),
  lastJumpedAt: nullableDate(),
  lastCompromisedAt: nullableDate(),
  lastInaccurateAt: nullableDate(),
  lastProxyAt: nullableDate(),
  lastSharingAt: nullableDate(),
});

/** The fraud checks as returned by the API: a bypassed user always passes, a blocked one never does. */
export function wireFraud(
  { verified, failed, lastFailed }: FraudState,
  { bypassed = false, blocked = false }: FraudFlags = {},
): z.input<typeof fraudShape> {
  const fails = (check: FraudCheck) => failed.includes(check);
  const last = (check: FraudCheck) => {
    return optionalDate(lastFailed[check]) ?? null;
  };
  return {
    verified,
    passed: !blocked && (bypassed || !FRAUD_CHECKS.some(fails)),
    bypassed,
    blocked,
    mocked: fails("mocked"),
    jumped: fails("jumped"),
    compromised: fails("compromised"),
    inaccurate: fails("inaccurate"),
    proxy: fails("proxy"),
    sharing: fails("sharing"),
    lastMockedAt: last("mocked"),
    lastJumpedAt: last("jumped"),
    lastCompromisedAt: last("compromised"),
    lastInaccurateAt: last("inaccurate"),
    lastProxyAt: last("proxy"),
    lastSharingAt: last("sharing"),
  };
}
