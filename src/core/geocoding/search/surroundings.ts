import type { Context } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { type ContextWord, contextWords } from "../parse/context-words.ts";
import type { Word } from "../parse/query.ts";
import { isInRegion, isOwnCode, isSurelyIn } from "./inside.ts";
import { isCode, type NamedRegion, type Span, type Spot } from "./named-region.ts";
import type { Town } from "./towns.ts";
import { isNamedAfter, isNear } from "./towns.ts";
import { FORM, fitOf } from "./word-fit.ts";

/** A word of the surroundings confirms an entry, but is not the target of the search. */
const AROUND = 0.95;
/** The name of a town that has an entry within its reach, though the entry has another town. */
const BESIDE = 0.7;

export interface Around extends ContextWord {
  quality: number;
  /** As it is written in the data, or in another form of it. */
  spelt: boolean;
}

/**
 * Returns the role of each word of the query in the surroundings of an entry: part of the names of its town, state and
 * country, or of a town with another name or nearby ("Copenhagen" of København K), or of a state around it that its own
 * address lacks.
 */
export function surroundings(
  names: NamesTile,
  entry: number,
  words: readonly Word[],
  typos: boolean,
  towns: readonly Town[],
  areas: readonly Span[],
): (Around | undefined)[] {
  const context = names.context(entry);
  const out = words.map((word) => aroundQuality(context, word, typos));
  for (const town of towns) {
    const { from, to } = town;
    // A match of all these words in the data itself is better.
    if (out.slice(from, to).every((one) => one?.spelt && one.part === "city")) continue;
    const same = isNamedAfter(town, context.city);
    if (!isNear(town, names.latitudes[entry], names.longitudes[entry], same)) continue;
    for (let i = from; i < to; i++)
      out[i] = { part: "city", of: to - from, leads: false, quality: same ? AROUND * FORM : BESIDE, spelt: same };
  }
  for (const area of areas) {
    const { from, to } = area;
    // "do" of Rio Grande do Sul is also a word of Brazil's long name.
    if (out.slice(from, to).every((one) => one?.spelt && one.part === out[from]?.part)) continue;
    const spot = {
      context,
      latitude: names.latitudes[entry],
      longitude: names.longitudes[entry],
      kind: names.kind(entry),
    };
    const around = area.regions.filter((one) => isInRegion(spot, one));
    const region = around.find((one) => isSurelyIn(spot, one)) ?? around[0];
    if (!region && !isOwnCode(area, context)) continue;
    // Most states are known by their middle only.
    const isSure =
      !region || (isSurelyIn(spot, region) && (region.kind === "country" || isCode(area) || isOwnState(spot, region)));
    const part = region?.kind === "country" ? "country" : "state";
    const quality = isSure ? AROUND * FORM : BESIDE;
    for (let i = from; i < to; i++) out[i] = { part, of: to - from, leads: false, quality, spelt: isSure };
  }
  return out;
}

const isOwnState = ({ context }: Spot, region: NamedRegion) =>
  context.stateCode !== "" && context.stateCode === region.context.stateCode;

function aroundQuality(context: Context, word: Word, typos: boolean): Around | undefined {
  const known = contextWords(context);
  const exact = known.get(word.text);
  if (exact) return { quality: AROUND, spelt: true, ...exact };
  for (const form of word.forms) {
    const other = known.get(form);
    if (other) return { quality: AROUND * FORM, spelt: true, ...other };
  }
  if (!word.open && !(typos && word.mistakes > 0)) return undefined;
  let best: Around | undefined;
  for (const [target, what] of known) {
    const quality = fitOf(word, target, typos && what.part !== "country") * AROUND;
    if (quality > (best?.quality ?? 0)) best = { quality, spelt: false, ...what };
  }
  return best;
}
