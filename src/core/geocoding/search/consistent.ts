import type { Word } from "../parse/query.ts";
import { isSubdivisionCode } from "../parse/subdivision-codes.ts";
import { isInRegion, WITH_STATES } from "./inside.ts";
import { type Anchor, isCode, type NamedRegion } from "./named-region.ts";

/** Anchors that can all apply, each with the regions that are in those of the others. */
export function consistent(all: readonly Anchor[], words: readonly Word[]): Anchor[] {
  const importance = ({ regions }: Anchor) => regions[0].importance;
  const doubt = (one: Anchor) => (one.soft ? 1 : 0) + (isCode(one) ? 2 : 0);
  const sorted = [...all].sort((a, b) => doubt(a) - doubt(b) || importance(b) - importance(a));
  let kept: Anchor[] = [];
  for (const anchor of sorted) {
    // "Rivoli, Paris": the larger one is the city, and the other is a name in it.
    kept = narrow([...kept, anchor]) ?? withOwnCode(kept, anchor) ?? withContradiction(kept, anchor, words) ?? kept;
  }
  return kept.map(withoutMinor);
}

/** Returns whether each anchor has a region that is in, or contains, one of every other anchor. */
export const areTogether = (anchors: readonly Anchor[]): boolean => narrow(anchors) !== undefined;

/** Of a code alone, countries and states of the US and Canada: "CA" is not Cagliari. */
function withoutMinor(anchor: Anchor): Anchor {
  if (!isCode(anchor)) return anchor;
  const major = anchor.regions.filter(isMajor);
  return major.length > 0 ? { ...anchor, regions: major } : anchor;
}

const isMajor = ({ kind, context }: NamedRegion) =>
  kind === "country" || (kind === "state" && WITH_STATES.has(context.countryCode));

/** Undefined if an anchor has no region that is in, or contains, one of every other anchor. */
function narrow(anchors: readonly Anchor[]): Anchor[] | undefined {
  const out: Anchor[] = [];
  for (const one of anchors) {
    if (one.regions.length === 0) {
      out.push(one);
      continue;
    }
    const regions = one.regions.filter((region) =>
      anchors.every(
        (other) => other === one || isUnknown(other) || other.regions.some((around) => meets(region, around)),
      ),
    );
    if (regions.length === 0) return undefined;
    out.push({ ...one, regions });
  }
  return out;
}

const isUnknown = ({ regions }: Anchor) => regions.length === 0;

/** A code of the town's country that no region in the data has: "Kraków MP". It says nothing else than the town. */
function withOwnCode(kept: readonly Anchor[], added: Anchor): Anchor[] | undefined {
  if (!isCode(added)) return undefined;
  const town = kept.find(({ to, regions }) => to === added.from && regions.some(({ kind }) => kind === "locality"));
  const isOwn = ({ context }: NamedRegion) =>
    isSubdivisionCode(added.words[0], context.countryCode) &&
    !added.regions.some((one) => one.kind === "state" && one.context.countryCode === context.countryCode);
  const regions = town?.regions.slice(0, MAX_LIKELY).filter(isOwn) ?? [];
  return regions.length === 0 ? undefined : narrow([...kept, { ...added, regions }]);
}

/**
 * A town that is not in the state or country after it: "Portland, FR", "London, Germany". The state or country is the
 * result, unless data has a town of this name there. Undefined if one of them is more likely a name of something else.
 */
function withContradiction(kept: readonly Anchor[], added: Anchor, words: readonly Word[]): Anchor[] | undefined {
  const against = kept.filter((one) => !isUnknown(one) && !narrow([one, added]));
  const towns = new Set<Anchor>();
  const areas = new Map<Anchor, readonly NamedRegion[]>();
  for (const one of against) {
    const [town, area] = one.from < added.from ? [one, added] : [added, one];
    const regions = areasWithout(town, area, words);
    if (regions.length === 0) return undefined;
    towns.add(town);
    areas.set(area, regions);
  }
  return [...kept, added].map((one) => {
    if (towns.has(one)) return { ...one, soft: true, regions: [] };
    const regions = areas.get(one);
    return regions ? { ...one, regions } : one;
  });
}

/** The largest towns of a name whose countries' codes of states are known after it. */
const MAX_LIKELY = 3;

/** The states and countries of an anchor that certainly do not contain the towns of another one before it. */
function areasWithout(town: Anchor, area: Anchor, words: readonly Word[]): readonly NamedRegion[] {
  if (!town.regions.some(({ kind }) => kind === "locality")) return [];
  const countries = new Set(town.regions.map(({ context }) => context.countryCode));
  const areas = area.regions.filter((one) => isCertain(one, countries) && (!isCode(area) || isMajor(one)));
  if (!isCode(area)) return area.soft || town.soft || areas.length < area.regions.length ? [] : areas;
  const likely = town.regions.slice(0, MAX_LIKELY);
  if (likely.some(({ context }) => isSubdivisionCode(area.words[0], context.countryCode))) return [];
  // "Rue de la Paix" does not end in Louisiana: without a comma, a code is in capitals, right after the town.
  if (area.soft && !(area.from === town.to && words[area.from].capitals)) return [];
  // "Springfield, DE" is in Delaware rather than in Germany.
  const inCountry = areas.filter(({ kind, context }) => kind === "state" && countries.has(context.countryCode));
  return inCountry.length > 0 ? inCountry : areas;
}

/** Without borders, a town may be farther from the middle of its state than the search allows. */
const isCertain = ({ kind, context }: NamedRegion, countries: ReadonlySet<string>) =>
  kind === "country" ||
  (kind === "state" && (WITH_STATES.has(context.countryCode) || !countries.has(context.countryCode)));

const meets = (a: NamedRegion, b: NamedRegion) =>
  isInRegion(a, b) || isInRegion(b, a) || (a.names === b.names && a.entry === b.entry);
