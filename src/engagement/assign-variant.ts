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

/**
 * A number in [0, 1), evenly distributed: FNV-1a (Fowler, Noll, Vo 1991) with the final mix of MurmurHash3 (Appleby
 * 2011), because FNV alone leaves the high bits of similar texts similar.
 */
function hashToShare(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
