import type { AddressIndex } from "../geocoding/index/address-index.ts";

/** Reasons why an address could not be verified: missing data. */
export const COVERAGE_REASONS = {
  "no-data-for-state": "No address data is loaded for this state or province.",
  "no-data-for-area": "Address data is loaded for this state or province, but none for this city or postal code.",
  "no-such-street": "Address data is loaded for this area, but it has no such street.",
  "not-listed":
    "Open address data lists no post office boxes, rural routes, military units or general delivery: the form is right, whether it exists is not known.",
  "not-read": "No house number and street could be read from the first line.",
} as const;
export type CoverageReason = keyof typeof COVERAGE_REASONS;

/** Number of addresses in all indexes for a state: "US-CA". */
export async function addressesIn(indexes: readonly AddressIndex[], area: string): Promise<number> {
  const all = await Promise.all(indexes.map((index) => index.coverage()));
  return all.reduce((sum, coverage) => sum + (coverage.get(area) ?? 0), 0);
}
