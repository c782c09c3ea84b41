import { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { byKey, inMemory, type MakeSorter, type SortedRecord, type Sorter, textKey } from "../../geo/bytes/sorter.ts";
import { textHash } from "./address-id.ts";
import { BUDGET } from "./budget.ts";
import { encodePrefixes, PAIRS_KEY, pairsKey, WORDS_KEY, wordsKey } from "./layout.ts";
import type { PackedObject } from "./packed-object.ts";
import type { TileWords } from "./tile-words.ts";
import { encodeWordBlock, sizeOfTiles } from "./word-block.ts";
import { WordFilterBuilder } from "./word-filter.ts";

/**
 * Estimated size of a block [bytes]: a query opens one for each word and bigram, and decodes all of it. Smaller blocks
 * would make the lists of their first words longer, which are read completely.
 */
const BLOCK_BYTES = 8 * 1024;
/**
 * From half of that on, a block ends after the first string whose hash matches, with a probability that grows with the
 * string's size, and always at twice that: an added word changes its own block, but rarely the boundaries of others.
 */
const MIN_COUNT = BLOCK_BYTES / 2;
const MAX_COUNT = 2 * BLOCK_BYTES;

/**
 * The word index: the tiles with a word in a name, a city, a state's code or a postal code; and the tiles with a street
 * that contains two adjacent words, because single words such as "Walnut" and "Street" are in every part of a large
 * city. For queries without a position.
 *
 * Words with their tiles go through a sorter, so that only the words of towns and the words of many tiles are in
 * memory.
 */
export class WordIndexBuilder {
  readonly #words: Sorter;
  readonly #pairs: Sorter;
  readonly #filter: WordFilterBuilder;
  readonly #towns = new Set<string>();
  readonly #record = new ByteWriter(256);

  constructor(sorter: MakeSorter = inMemory) {
    this.#words = sorter("words");
    this.#pairs = sorter("pairs");
    this.#filter = new WordFilterBuilder(sorter);
  }

  /** Tiles must be added in ascending order. */
  addTile(tile: number, { entries, words, pairs, towns }: TileWords): void {
    for (const word of words) this.#put(this.#words, word, tile);
    for (const pair of pairs) this.#put(this.#pairs, pair, tile);
    for (const town of towns) this.#towns.add(town);
    this.#filter.addEntries(entries);
  }

  *finish(): Generator<PackedObject> {
    const common = new Set<string>();
    yield* blocks(listsOf(this.#words), WORDS_KEY, wordsKey, (word, tiles) => {
      this.#filter.addWord(word);
      if (tiles.length > BUDGET.words) common.add(word);
      return true;
    });
    // A rare word identifies its tiles alone, so its bigrams are not needed.
    const isTelling = (pair: string) => pair.split(" ").every((word) => common.has(word));
    yield* blocks(listsOf(this.#pairs), PAIRS_KEY, pairsKey, isTelling);
    for (const town of this.#towns) this.#filter.addTown(town);
    yield* this.#filter.finish();
  }

  #put(sorter: Sorter, text: string, tile: number): void {
    const record = this.#record;
    record.length = 0;
    record.unsigned(tile);
    record.rawText(text);
    sorter.add(textKey(text), record.view());
  }
}

/** Texts in order, each with its tiles in ascending order. */
function* listsOf(sorter: Sorter): Generator<[text: string, tiles: number[]]> {
  const lists = new Map<string, number[]>();
  const take = ({ bytes, start, end }: SortedRecord) => {
    const reader = new ByteReader(bytes, start);
    const tile = reader.unsigned();
    const text = reader.rawText(end);
    const list = lists.get(text);
    if (list) list.push(tile);
    else lists.set(text, [tile]);
  };
  for (const _ of byKey(sorter, take)) {
    for (const text of [...lists.keys()].sort()) yield [text, lists.get(text)!];
    lists.clear();
  }
  sorter.close();
}

function* blocks(
  lists: Iterable<[text: string, tiles: number[]]>,
  firstsKey: string,
  keyOf: (block: number) => string,
  wanted: (text: string, tiles: readonly number[]) => boolean,
): Generator<PackedObject> {
  const firsts: string[] = [];
  const block = new Map<string, number[]>();
  let size = 0;
  const closed = () => {
    const bytes = encodeWordBlock([...block.keys()], (word) => block.get(word)!);
    block.clear();
    size = 0;
    return { key: keyOf(firsts.length - 1), bytes };
  };
  for (const [text, tiles] of lists) {
    if (!wanted(text, tiles)) continue;
    if (block.size === 0) firsts.push(text);
    block.set(text, tiles);
    const own = 4 + text.length / 2 + sizeOfTiles(tiles);
    size += own;
    if (size >= MAX_COUNT || (size >= MIN_COUNT && textHash(text) * MIN_COUNT < own * 2 ** 32)) yield closed();
  }
  if (block.size > 0) yield closed();
  yield { key: firstsKey, bytes: encodePrefixes(firsts) };
}
