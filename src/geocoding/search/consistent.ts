import { isInRegion } from "./inside.ts";
import { type Anchor, MAX_CODE_LETTERS, type NamedRegion } from "./named-region.ts";

const isCode = ({ words }: Anchor) => words.length === 1 && words[0].length <= MAX_CODE_LETTERS;

/** Anchors that can all apply, each with the regions that are in those of the others. */
export function consistent(all: readonly Anchor[]): Anchor[] {
  const importance = ({ regions }: Anchor) => regions[0].importance;
  const doubt = (one: Anchor) => (one.soft ? 1 : 0) + (isCode(one) ? 2 : 0);
  const sorted = [...all].sort((a, b) => doubt(a) - doubt(b) || importance(b) - importance(a));
  const kept: Anchor[] = [];
  for (const anchor of sorted) {
    const narrowed = narrow([...kept, anchor]);
    // "Rivoli, Paris": the larger one is the city, and the other is a name in it.
    if (narrowed) kept.splice(0, kept.length, ...narrowed);
  }
  return kept;
}

/** Undefined if an anchor has no region that is in, or contains, one of every other anchor. */
function narrow(anchors: readonly Anchor[]): Anchor[] | undefined {
  const out: Anchor[] = [];
  for (const one of anchors) {
    const regions = one.regions.filter((region) =>
      anchors.every((other) => other === one || other.regions.some((around) => meets(region, around))),
    );
    if (regions.length === 0) return undefined;
    out.push({ ...one, regions });
  }
  return out;
}

const meets = (a: NamedRegion, b: NamedRegion) =>
  isInRegion(a, b) || isInRegion(b, a) || (a.names === b.names && a.entry === b.entry);
