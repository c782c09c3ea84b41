import { type Context, type EntryKind, GRID } from "../entry/entry.ts";
import type { Hit } from "../search/index-search.ts";
import type { NameKind, Span } from "../search/named-region.ts";
import type { Feature } from "../search/sums.ts";
import weights from "../search/weights.json" with { type: "json" };

/** What a search weighed: what words of the text may name, and the likeliest results with what speaks for and against each. */
export interface Weighed {
  readings: Reading[];
  candidates: Candidate[];
  /** By how much the score of the first candidate is above that of the second. */
  margin?: number;
}

/** Words that are the name of regions. */
interface Reading {
  words: string;
  /** How surely they mean a region where they stand, 0 … 1. */
  strength: number;
  regions: { name: string; kind: EntryKind; by: NameKind; context: Context; latitude: number; longitude: number }[];
}

interface Candidate {
  name: string;
  kind: EntryKind;
  context: Context;
  latitude: number;
  longitude: number;
  /** The sum of the evidence, before its house number is looked up. */
  score: number;
  /** The largest first; sum = value × weight. */
  evidence: { name: Feature; value: number; weight: number; sum: number }[];
}

const READINGS = 12;
const REGIONS = 3;
const CANDIDATES = 5;

const rounded = (value: number) => Math.round(value * 1000) / 1000;
const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
  latitude: latitude / GRID,
  longitude: longitude / GRID,
});

/** Takes what the passes of a search weigh (`observe` of its options). */
export class Weighing {
  readonly #readings = new Map<string, Reading>();
  readonly #candidates = new Map<string, Candidate>();

  readonly observe = (hits: readonly Hit[], spans: readonly Span[]): void => {
    for (const span of spans) {
      const one = readingOf(span);
      const known = this.#readings.get(one.words);
      if (!known || known.strength < one.strength) this.#readings.set(one.words, one);
    }
    const best = [...hits].sort((a, b) => b.score - a.score).slice(0, CANDIDATES);
    for (const hit of best) {
      const one = candidateOf(hit);
      const key = `${one.kind} ${one.name} ${one.latitude} ${one.longitude}`;
      const known = this.#candidates.get(key);
      if (!known || known.score < one.score) this.#candidates.set(key, one);
    }
  };

  weighed(): Weighed {
    const readings = [...this.#readings.values()].sort((a, b) => b.strength - a.strength).slice(0, READINGS);
    const candidates = [...this.#candidates.values()].sort((a, b) => b.score - a.score).slice(0, CANDIDATES);
    const [first, second] = candidates;
    return { readings, candidates, ...(second && { margin: rounded(first.score - second.score) }) };
  }
}

const readingOf = ({ words, strength, regions }: Span): Reading => ({
  words: words.join(" "),
  strength: rounded(strength),
  regions: regions.slice(0, REGIONS).map((region) => {
    const { names, entry, kind, by, context } = region;
    return { name: names.name(entry), kind, by, context, ...pointOf(region) };
  }),
});

function candidateOf({ names, entry, score, evidence = {} }: Hit): Candidate {
  const parts = Object.entries(evidence) as [Feature, number][];
  return {
    name: names.name(entry),
    kind: names.kind(entry),
    context: names.context(entry),
    ...pointOf({ latitude: names.latitudes[entry], longitude: names.longitudes[entry] }),
    score: rounded(score),
    evidence: parts
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => ({
        name,
        value: rounded(value),
        weight: weights[name],
        sum: rounded(value * weights[name]),
      }))
      .sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum)),
  };
}
