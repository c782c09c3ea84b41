import { isInRegion } from "./inside.ts";
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

const meets = (a: NamedRegion, b: NamedRegion) => isInRegion(a, b) || isInRegion(b, a);
