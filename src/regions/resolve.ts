import { countryName, flagOf, type PointRegions, REGION_KINDS, REGION_RANKS, type Region } from "./region.ts";

/** Kinds that are shown with a code and a name and nothing else. */
const PLAIN = ["state", "county", "locality", "borough", "neighborhood", "postalCode"] as const;

/**
 * From all regions that hold a point to one answer: of each kind the best that fits what was chosen above it. Sources drawn
 * at different scales disagree along borders; the country is believed first, so a state of the neighbour is left out.
 */
export function resolve(regions: readonly Region[]): PointRegions {
  const sorted = [...regions].sort(preference);
  const answer: PointRegions = {};
  const country = sorted.find((region) => region.kind === "country")?.code ?? sorted.find((r) => r.country)?.country;
  if (country) answer.country = { code: country, name: countryName(country), flag: flagOf(country) };
  let state = "";
  for (const kind of PLAIN) {
    const region = sorted.find(
      (one) =>
        one.kind === kind && (!one.country || one.country === country) && (!one.state || !state || one.state === state),
    );
    if (!region) continue;
    answer[kind] = { code: region.code, name: region.name };
    if (kind === "state") state = region.code;
    if (kind === "county" && region.dma) answer.dma = { ...region.dma };
  }
  return answer;
}

/** By kind, then by rank; regions of a tile come smallest first, and a stable sort keeps that order. */
function preference(a: Region, b: Region): number {
  return (
    REGION_KINDS.indexOf(a.kind) - REGION_KINDS.indexOf(b.kind) ||
    REGION_RANKS.indexOf(a.rank) - REGION_RANKS.indexOf(b.rank)
  );
}
