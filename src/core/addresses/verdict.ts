import { costOf } from "./candidates.ts";
import type { AddressRecord } from "./look-up-number.ts";

export const VERIFICATION_STATUSES = ["verified", "partially verified", "ambiguous", "unverified"] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** The evidence about an address and the record that may be it. */
export interface Evidence {
  /** Records that fit equally well and are different addresses; 0 where there is no street. */
  records: number;
  number: AddressRecord["number"];
  /** Whether the record has a different suffix, direction or number, or a street without that number fits better. */
  contradicted: boolean;
  postalCodeCorrected: boolean;
  /** The data has no postal code to compare with, and the given code cannot be in that state. */
  postalCodeImpossible: boolean;
  /** The record has no postal code, and no address of its city nearby has the given one. */
  postalCodeUnknown: boolean;
  cityCorrected: boolean;
  unit: UnitState;
}

/** `none`: neither given nor known; `unlisted`: given, but the source lists no units at all. */
export type UnitState = "none" | "unlisted" | "known" | "missing" | "invalid";

interface Rule {
  status: VerificationStatus;
  /** For the reference page. */
  when: string;
  holds(evidence: Evidence): boolean;
}

/** The complete decision table: the first matching rule wins. The reference page shows this table. */
export const RULES: readonly Rule[] = [
  {
    status: "unverified",
    when: "no street of that name is known in that city or postal code, or no data is there (`result.coverage` says which)",
    holds: ({ records }) => records === 0,
  },
  {
    status: "ambiguous",
    when: "two or more addresses fit equally well: none of them is chosen",
    holds: ({ records }) => records > 1,
  },
  {
    status: "partially verified",
    when: "the street is known and its house number is not, or is only between two known ones",
    holds: ({ number }) => number !== "exact",
  },
  {
    status: "partially verified",
    when: "the postal code or the city had to be corrected",
    holds: ({ postalCodeCorrected, cityCorrected }) => postalCodeCorrected || cityCorrected,
  },
  {
    status: "partially verified",
    when: "the postal code cannot be in that state, and the data has no replacement",
    holds: ({ postalCodeImpossible }) => postalCodeImpossible,
  },
  {
    status: "partially verified",
    when: "the data has no postal code for the address, and no other address of the city nearby has the given one",
    holds: ({ postalCodeUnknown }) => postalCodeUnknown,
  },
  {
    status: "partially verified",
    when: "another suffix, direction, first letter or form of the number was written than the only record has",
    holds: ({ contradicted }) => contradicted,
  },
  {
    status: "partially verified",
    when: "the source lists units at the address and none was given (`unit:missing`), or it does not list the given unit there (`unit:invalid`)",
    holds: ({ unit }) => analysisOf(unit) !== undefined,
  },
  {
    status: "verified",
    when: "exactly one record agrees on number, street and place; spelling, abbreviations, and a suffix or direction that was left out may have been put right",
    holds: () => true,
  },
];

/** Analysis of the unit for the response; undefined if the unit is valid. */
export function analysisOf(unit: UnitState): "unit:missing" | "unit:invalid" | undefined {
  if (unit === "missing") return "unit:missing";
  return unit === "invalid" || unit === "unlisted" ? "unit:invalid" : undefined;
}

export function statusOf(evidence: Evidence): VerificationStatus {
  return RULES.find(({ holds }) => holds(evidence))!.status;
}

/** The table as text, for the reference. */
export function rulesAsText(): string {
  return RULES.map(({ status, when }, i) => `${i + 1}. \`${status}\`: ${when}.`).join(" ");
}

/**
 * A house number that is not in the data costs more than a word that was left out, and less than a different street
 * (compare-street.ts).
 */
const NUMBER_COST = { exact: 0, interpolated: 1.2, absent: 2.5 } as const;
/** Records whose costs differ by less than this are a tie. */
const TIE = 0.05;

/**
 * Returns the best records, one per address. If there are several they tie, and none is chosen. `better` is true if
 * another street fits better but lacks the number.
 *
 * @param addressOf the same text for records of the same address
 */
export function best(
  records: readonly AddressRecord[],
  addressOf: (record: AddressRecord) => string,
): { tied: AddressRecord[]; better: boolean } {
  const cost = (record: AddressRecord) => costOf(record.candidate) + NUMBER_COST[record.number];
  const sorted = [...records].sort((a, b) => cost(a) - cost(b));
  if (sorted.length === 0) return { tied: [], better: false };
  const tied: AddressRecord[] = [];
  const seen = new Set<string>();
  for (const record of sorted) {
    if (cost(record) - cost(sorted[0]) > TIE) break;
    const address = addressOf(record);
    if (!seen.has(address)) tied.push(record);
    seen.add(address);
  }
  const own = tied[0].candidate.difference.penalty;
  const better = records.some(({ candidate }) => candidate.difference.penalty < own - TIE);
  return { tied, better };
}
