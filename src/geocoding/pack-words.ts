import { BUDGET } from "./budget.ts";
import { encodePrefixes, encodeWordBlock, PAIRS_KEY, pairsKey, WORDS_KEY, wordsKey } from "./layout.ts";
import { type NewEntry, wordsOf } from "./names-tile.ts";
import { tokensOf } from "./normalise.ts";
import type { PackedObject } from "./packed-object.ts";
import { WordFilterBuilder } from "./word-filter.ts";

/**
 * A block is closed when it is expected to exceed this [bytes]; a block of pairs is small, as a query opens it for one
 * pair.
 */
const WORD_BLOCK = 16 * 1024;
const PAIR_BLOCK = 8 * 1024;

/**
 * The word index: which tiles hold a word in a name, a city, a state's code or a postal code; and which hold a street
 * with two words next to each other, because single words such as "Walnut" and "Street" are in every part of a large
 * city. For queries without a position.
 */
export class WordIndexBuilder {
  readonly #words = new Map<string, number[]>();
  readonly #pairs = new Map<string, number[]>();
  readonly #filter = new WordFilterBuilder();

  /** Tiles have to come in ascending order. */
  add(tile: number, entry: NewEntry): void {
    const words = wordsOf(entry);
    const { city, borough, stateCode } = entry.context;
    for (const text of [city, borough, stateCode, entry.postalCode]) for (const word of tokensOf(text)) words.add(word);
    for (const word of words) put(this.#words, word, tile);
    const isRegion = entry.kind !== "street" && entry.kind !== "place";
    this.#filter.add(words, isRegion ? words : tokensOf(`${city} ${borough}`));
    if (entry.kind !== "street") return;
    const name = tokensOf(entry.name);
    for (let i = 1; i < name.length; i++) put(this.#pairs, `${name[i - 1]} ${name[i]}`, tile);
  }

  *finish(): Generator<PackedObject> {
    yield* blocks(this.#words, WORD_BLOCK, WORDS_KEY, wordsKey);
    // A rare word leads to its tiles by itself, so its pairs are not needed.
    const count = (word: string) => this.#words.get(word)?.length ?? 0;
    const telling = new Map(
      [...this.#pairs].filter(([pair]) => pair.split(" ").every((word) => count(word) > BUDGET.words)),
    );
    yield* blocks(telling, PAIR_BLOCK, PAIRS_KEY, pairsKey);
    yield* this.#filter.finish();
  }
}

function put(lists: Map<string, number[]>, word: string, tile: number): void {
  const list = lists.get(word);
  if (!list) lists.set(word, [tile]);
  else if (list[list.length - 1] !== tile) list.push(tile);
}

function* blocks(
  lists: ReadonlyMap<string, number[]>,
  most: number,
  firstsKey: string,
  keyOf: (block: number) => string,
): Generator<PackedObject> {
  const firsts: string[] = [];
  let block: string[] = [];
  let size = 0;
  const tilesOf = (word: string) => lists.get(word)!;
  for (const word of [...lists.keys()].sort()) {
    if (block.length === 0) firsts.push(word);
    block.push(word);
    size += 4 + word.length / 2 + 1.3 * tilesOf(word).length;
    if (size < most) continue;
    yield { key: keyOf(firsts.length - 1), bytes: encodeWordBlock(block, tilesOf) };
    block = [];
    size = 0;
  }
  if (block.length > 0) yield { key: keyOf(firsts.length - 1), bytes: encodeWordBlock(block, tilesOf) };
  yield { key: firstsKey, bytes: encodePrefixes(firsts) };
}
