import { hashToShare } from "../geo/hash-to-share.ts";
import type { Campaign } from "./campaign.ts";

/** Variant of users that get no message, for comparison. */
export const HOLDOUT = -1;

/**
 * The variant of a user: always the same one, on all devices, and independent of other campaigns.
 * @param user the userId, else the _id
 */
export function assignVariant({ _id, variants, holdout = 0 }: Campaign, user: string): number {
  if (!variants && holdout === 0) return 0;
  const share = hashToShare(`${_id} ${user}`);
  if (share < holdout) return HOLDOUT;
  if (!variants) return 0;
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  let rest = ((share - holdout) / (1 - holdout)) * sum;
  for (const [i, { weight }] of variants.entries()) {
    rest -= weight;
    if (rest < 0) return i;
  }
  return variants.length - 1;
}
