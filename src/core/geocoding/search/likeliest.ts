import { widthOfArea } from "../entry/areas.ts";
import { namesOf } from "../index/tile-names.ts";
import { areWithin, COUNTY_REACH, isInRegion, WITH_STATES } from "./inside.ts";
import type { NamedRegion, Span } from "./named-region.ts";

/** Regions that are weighed closely, of each span and of all. */
const OF_SPAN = 8;
const OF_ALL = 16;
/** Spans that are compared with a region, the surest. */
const COMPARED = 6;
/** What a span that contains a region, or is in it, adds. */
const TOGETHER = 6;
const MINOR = { main: 0, code: 1, language: 2.5, other: 3.5, short: 2 } as const;

/** The regions that a text most likely names: well known by this name, and together with the other regions that it names. */
export function likeliestOf(spans: readonly Span[]): NamedRegion[] {
  const sure = spans.slice(0, COMPARED);
  const rated: { region: NamedRegion; value: number }[] = [];
  for (const span of spans) {
    const others = sure.filter(({ mask }) => (mask & span.mask) === 0);
    const own = span.regions.map((region) => {
      let value = region.importance / 32 - MINOR[region.by] + 2 * span.strength + 2 * (span.to - span.from);
      for (const other of others)
        if (other.regions.some((one) => meets(region, one))) value += TOGETHER * other.strength;
      return { region, value };
    });
    rated.push(...own.sort((a, b) => b.value - a.value).slice(0, OF_SPAN));
  }
  return rated
    .sort((a, b) => b.value - a.value)
    .slice(0, OF_ALL)
    .map(({ region }) => region);
}

/** A region does not confirm itself: "San Martín 345, San Martín". */
const meets = (a: NamedRegion, b: NamedRegion) => !isOne(a, b) && (isInRegion(a, b) || isInRegion(b, a));
const isOne = (a: NamedRegion, b: NamedRegion) =>
  a.kind === b.kind && a.latitude === b.latitude && a.longitude === b.longitude;

/** How surely words at the end of a part must be a region for those before them to be at its end, too. */
export const MIN_END = 0.3;

/** Of two towns that are not in each other, the lesser one before the other is probably a part of it: "Bela Vista, São Paulo". */
export function withoutDistricts(spans: readonly Span[]): Span[] {
  const isTown = ({ levels }: Span) => levels.town > 0.6;
  const isBeside = (one: Span, town: Span) =>
    one.to <= town.from &&
    isTown(town) &&
    town.strength >= MIN_END &&
    // Sul of "Rio Grande do Sul" is not Seoul.
    !spans.some(
      ({ mask, strength }) => mask !== town.mask && (mask & town.mask) === town.mask && strength > town.strength,
    ) &&
    town.regions[0].importance > one.regions[0].importance &&
    !one.regions.some((a) => town.regions.slice(0, OF_TOWN).some((b) => isInRegion(a, b) || isInRegion(b, a)));
  return spans.map((one) =>
    isTown(one) && spans.some((town) => isBeside(one, town)) ? { ...one, strength: one.strength * DISTRICT } : one,
  );
}

/** How much less surely a town is meant, before the name of a larger one that it is not in. */
const DISTRICT = 0.3;
/** Towns of one name that are compared. */
const OF_TOWN = 20;

/** A short name is none where another span of the same words is whole. */
export function withoutLesser(spans: readonly Span[]): Span[] {
  return spans
    .map((span) => {
      const whole = span.regions.filter(({ by }) => by !== "short");
      return whole.length > 0 && whole.length < span.regions.length ? { ...span, regions: whole } : span;
    })
    .filter(({ regions }) => regions.length > 0);
}

/** A state that is called after a town in it is a province: smaller than other states; those of the US and Canada are known by themselves. */
export function withSeats(regions: readonly NamedRegion[], length: number): NamedRegion[] {
  const isSeat = (state: NamedRegion) => (one: NamedRegion) =>
    one.kind === "locality" &&
    // Rostov is the state around Rostov-na-Donu.
    namesOf(one.names, one.entry)[0].words.length === length &&
    one.context.countryCode === state.context.countryCode &&
    areWithin(one, state, Math.max(COUNTY_REACH, widthOfArea(state.importance) ?? 0));
  if (!regions.some(({ kind }) => kind === "state")) return [...regions];
  return regions.map((one) =>
    one.kind === "state" && !WITH_STATES.has(one.context.countryCode) && regions.some(isSeat(one))
      ? { ...one, isProvince: true as const }
      : one,
  );
}
