import { countryName, flagOf, type PointRegions, REGION_KINDS, REGION_RANKS, type Region } from "./region.ts";

/** Kinds that are shown with a code and a name only. */
const PLAIN = ["state", "county", "locality", "borough", "neighborhood", "postalCode"] as const;

/**
 * Reduces all regions that contain a point to one result. `regions` are listed build by build, the finest first, each
 * in the order of its tile. One rule decides: the finest build that contains the point determines its country, and
 * everything else in the result must be consistent with that country and its state. So country, state, county, postal
 * code and time zone never come from two sides of a border, however differently two sources draw it.
 */
export function resolve(regions: readonly Region[]): PointRegions {
  const sorted = [...regions].sort(preference);
  const answer: PointRegions = {};
  const country = countryOf(regions, sorted);
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

/**
 * The country according to the first region of an import: its country, else its state, its county, its town. If no
 * import contains the point, the country of the world base data. If an import has redrawn a country's state and does
 * not contain the point, that country is used only if there is no other.
 */
function countryOf(regions: readonly Region[], sorted: readonly Region[]): string | undefined {
  const own = (region: Region) => (region.kind === "country" ? region.code : region.country);
  const imported = regions.find((region) => region.rank === "import" && own(region) !== "");
  if (imported) return own(imported);
  const doubted = new Set(regions.filter(({ kind, rank }) => kind === "state" && rank === "replaced").map(own));
  const countries = sorted.filter(({ kind }) => kind === "country");
  const others = sorted.filter((region) => own(region) !== "");
  const isSure = (region: Region) => !doubted.has(own(region)) && region.rank !== "replaced";
  const best = countries.find(isSure) ?? others.find(isSure) ?? countries[0] ?? others[0];
  return best && own(best);
}

/** By kind, then by rank; regions of a tile are ordered smallest first, and a stable sort keeps that order. */
function preference(a: Region, b: Region): number {
  return (
    REGION_KINDS.indexOf(a.kind) - REGION_KINDS.indexOf(b.kind) ||
    REGION_RANKS.indexOf(a.rank) - REGION_RANKS.indexOf(b.rank)
  );
}
