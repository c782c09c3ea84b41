import { encodePrefixes, encodeWordBlock, WORDS_KEY, wordsKey } from "./layout.ts";
import { type NewEntry, wordsOf } from "./names-tile.ts";
import { tokensOf } from "./normalise.ts";
import type { PackedObject } from "./pack.ts";

/** A block of the word index is closed when it is expected to pass this [bytes]. */
const BLOCK_BYTES = 32 * 1024;

/** The word index: which tiles hold a word in a name, a city, a state's code or a postal code. For queries from nowhere. */
export class WordIndexBuilder {
  readonly #tiles = new Map<string, number[]>();

  /** Tiles have to come in ascending order. */
  add(tile: number, entry: NewEntry): void {
    const words = wordsOf(entry);
    const { city, borough, stateCode } = entry.context;
    for (const text of [city, borough, stateCode, entry.postalCode]) for (const word of tokensOf(text)) words.add(word);
    for (const word of words) {
      const list = this.#tiles.get(word);
      if (!list) this.#tiles.set(word, [tile]);
      else if (list[list.length - 1] !== tile) list.push(tile);
    }
  }

  *finish(): Generator<PackedObject> {
    const firsts: string[] = [];
    let block: string[] = [];
    let size = 0;
    const tilesOf = (word: string) => this.#tiles.get(word)!;
    for (const word of [...this.#tiles.keys()].sort()) {
      if (block.length === 0) firsts.push(word);
      block.push(word);
      size += 4 + word.length / 2 + 1.3 * tilesOf(word).length;
      if (size < BLOCK_BYTES) continue;
      yield { key: wordsKey(firsts.length - 1), bytes: encodeWordBlock(block, tilesOf) };
      block = [];
      size = 0;
    }
    if (block.length > 0) yield { key: wordsKey(firsts.length - 1), bytes: encodeWordBlock(block, tilesOf) };
    yield { key: WORDS_KEY, bytes: encodePrefixes(firsts) };
  }
}
