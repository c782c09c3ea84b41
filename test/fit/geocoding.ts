import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { keepDecoded, memorySource } from "../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../src/core/geo/distance.ts";
import { GRID } from "../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../src/core/geocoding/index/address-index.ts";
import type { Hit } from "../../src/core/geocoding/search/index-search.ts";
import { search } from "../../src/core/geocoding/search/search.ts";
import type { Evidence, Feature } from "../../src/core/geocoding/search/sums.ts";
import { FORWARD, worldBase } from "../core/geocoding/index/demo-index.ts";
import { EXTRACTS } from "../core/regions/extract-harness.ts";
import { atlasQuestions } from "../support/geocoding/atlas-questions.ts";
import { baseQuestions } from "../support/geocoding/base-questions.ts";
import type { Question } from "../support/geocoding/question.ts";
import { givenQuestions } from "../support/geocoding/town-questions.ts";
import prior from "./geocoding-prior.json" with { type: "json" };

/** Weights begin here, and questions have to say much to move one: what no question has keeps its place. */
const PRIOR = prior as Record<Feature, number>;
const FEATURES = Object.keys(PRIOR) as Feature[];
const STIFFNESS = 0.002;
const EPOCHS = 250;
const RATE = 0.03;
/** Hits of a question that are compared, the best by the prior. */
const COMPARED = 40;

/** The evidence of the hits of a question, and which of them are right. */
interface Case {
  features: Float64Array[];
  right: boolean[];
  /** Which half it belongs to, by its country. */
  half: 0 | 1;
}

/** Fits on each half of the countries and reports the other, then fits on all and writes the weights. */
export async function fitGeocoding({ seed, write }: { seed: number; write: boolean }): Promise<string> {
  const questions = [
    ...baseQuestions(seed, 900),
    ...(existsSync(join(EXTRACTS, "geocoding")) ? givenQuestions() : []),
    ...(existsSync(join(EXTRACTS, "natural-earth")) ? atlasQuestions(seed, 600) : []),
  ];
  const cases = await casesOf(questions);
  const lines = [`${questions.length} questions, ${cases.length} with a right and a wrong answer`];
  const priors = FEATURES.map((feature) => PRIOR[feature]);
  lines.push(`prior: ${share(cases, priors)}`);
  for (const half of [0, 1] as const) {
    const weights = optimize(cases.filter((one) => one.half === half));
    const held = cases.filter((one) => one.half !== half);
    lines.push(`fitted on half ${half + 1} of the countries: right of the other half ${share(held, weights)}`);
  }
  const all = optimize(cases);
  lines.push(`fitted on all: ${share(cases, all)}`);
  const weights = Object.fromEntries(FEATURES.map((feature, i) => [feature, Number(all[i].toFixed(3))]));
  lines.push(...FEATURES.map((feature, i) => `  ${feature}: ${PRIOR[feature]} → ${all[i].toFixed(3)}`));
  const path = resolve(import.meta.dirname, "../../src/core/geocoding/search/weights.json");
  if (write) writeFileSync(path, `${JSON.stringify(weights, null, 2)}\n`);
  return lines.join("\n");
}

async function casesOf(questions: readonly Question[]): Promise<Case[]> {
  const { objects } = await worldBase();
  const index = new AddressIndex(keepDecoded(memorySource(objects)), { regionsOnly: true });
  const cases: Case[] = [];
  for (const { query, at, km, from } of questions) {
    let hits: readonly Hit[] = [];
    const observe = (seen: readonly Hit[]) => {
      hits = seen;
    };
    await search([index], query, { ...FORWARD, limit: 1, observe });
    const best = hits.toSorted((a, b) => priorOf(b) - priorOf(a)).slice(0, COMPARED);
    const isRight = ({ names, entry }: Hit) => {
      const spot = { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
      return at.some((point) => distance(point, spot) <= 1000 * km);
    };
    const right = best.map(isRight);
    if (!right.includes(true) || !right.includes(false)) continue;
    cases.push({ features: best.map(({ evidence = {} }) => rowOf(evidence)), right, half: halfOf(from, query) });
  }
  return cases;
}

const priorOf = ({ evidence = {} }: Hit) => FEATURES.reduce((sum, f) => sum + PRIOR[f] * (evidence[f] ?? 0), 0);
const rowOf = (evidence: Evidence) => Float64Array.from(FEATURES, (feature) => evidence[feature] ?? 0);

/** By country, and questions to the whole world by their text (FNV-1a; Fowler, Noll, Vo 1991). */
function halfOf(from: string, query: string): 0 | 1 {
  let hash = 0x811c9dc5;
  for (const letter of from === "US" || from === "given" ? query : from)
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return ((hash >>> 15) & 1) as 0 | 1;
}

/** Maximizes the logarithm of the share of right hits (softmax) with Adam (Kingma, Ba 2015); no weight changes its sign. */
function optimize(cases: readonly Case[]): Float64Array {
  const size = FEATURES.length;
  const weights = Float64Array.from(FEATURES, (feature) => PRIOR[feature]);
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const gradient = gradientOf(cases, weights);
    for (let f = 0; f < size; f++) {
      const own = gradient[f] / cases.length - STIFFNESS * (weights[f] - PRIOR[FEATURES[f]]);
      first[f] = 0.9 * first[f] + 0.1 * own;
      second[f] = 0.999 * second[f] + 0.001 * own * own;
      const step = first[f] / (1 - 0.9 ** epoch) / (Math.sqrt(second[f] / (1 - 0.999 ** epoch)) + 1e-8);
      const moved = weights[f] + RATE * step;
      weights[f] = Math.sign(moved) === Math.sign(PRIOR[FEATURES[f]]) ? moved : 0.01 * Math.sign(PRIOR[FEATURES[f]]);
    }
  }
  return weights;
}

function gradientOf(cases: readonly Case[], weights: Float64Array): Float64Array {
  const gradient = new Float64Array(weights.length);
  for (const { features, right } of cases) {
    const sums = features.map((row) => dot(row, weights));
    const most = Math.max(...sums);
    const all = sums.map((sum) => Math.exp(sum - most));
    const total = all.reduce((sum, one) => sum + one, 0);
    const good = all.reduce((sum, one, i) => sum + (right[i] ? one : 0), 0) || 1e-12;
    features.forEach((row, i) => {
      const pull = (right[i] ? all[i] / good : 0) - all[i] / total;
      for (let f = 0; f < row.length; f++) gradient[f] += pull * row[f];
    });
  }
  return gradient;
}

function dot(row: Float64Array, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let f = 0; f < row.length; f++) sum += row[f] * weights[f];
  return sum;
}

function share(cases: readonly Case[], weights: ArrayLike<number>): string {
  const isRight = ({ features, right }: Case) => {
    let best = 0;
    features.forEach((row, i) => {
      if (dot(row, weights) > dot(features[best], weights)) best = i;
    });
    return right[best];
  };
  return `${((100 * cases.filter(isRight).length) / cases.length).toFixed(2)} % of ${cases.length}`;
}
