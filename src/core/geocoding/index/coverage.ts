import { beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";
import type { AddressCollector } from "./collector.ts";

/**
 * addresses/coverage: number of addresses of a build, by country and state. Address validation uses it to check whether
 * there is any data for a state at all; the reference page shows it.
 *
 *     "GADV", u32 version, number of areas, for each: text "US-CA", number of addresses; in order of the texts
 */
export const COVERAGE_KEY = "addresses/coverage";

/** "US-CA" → number of addresses. The state may be missing: "MC-". */
export type Coverage = ReadonlyMap<string, number>;

export function coverageOf({ houses, streets, contexts }: AddressCollector): Coverage {
  const counts = new Map<string, number>();
  for (let i = 0; i < houses.count; i++) {
    const { countryCode, stateCode } = contexts[streets[houses.street[i]].context];
    const area = `${countryCode}-${stateCode}`;
    counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function encodeCoverage(coverage: Coverage): Uint8Array {
  const out = beginObject("GADV", ADDRESSES_VERSION);
  out.unsigned(coverage.size);
  for (const [area, count] of coverage) {
    out.text(area);
    out.unsigned(count);
  }
  return out.finish();
}

export function decodeCoverage(bytes: Uint8Array): Coverage {
  const reader = openVersions(bytes, "GADV", ADDRESSES_VERSIONS, "a list of address counts").reader;
  return new Map(Array.from({ length: reader.unsigned() }, () => [reader.text(), reader.unsigned()] as const));
}
