import type { DecodedSource, DecodeOptions } from "../../geo/builds/tile-source.ts";
import type { Word } from "../parse/query.ts";
import { otherTypes } from "../words/abbreviations.ts";
import { hasWrongStart, mistakesOf } from "../words/typo.ts";
import { decodePrefixes, PAIRS_KEY, pairsKey, WORDS_KEY, wordsKey } from "./layout.ts";
import { TileSet } from "./tile-set.ts";
import { WordBlock } from "./word-block.ts";

/** Blocks of the word index that one word may open. */
const BLOCKS_PER_WORD = 3;
/** Words that one unfinished word may stand for. */
const WORDS_PER_PREFIX = 200;

/** Blocks of the word index that are all looked at for a word whose first letter is wrong: those of a city. */
const ALL_BLOCKS = 8;

/** Ways to write the first word of a pair that are looked up; each may open a block. */
const FORMS_OF_PAIR = 3;

/** Words, and which of them follow each other in a street's name. */
export interface WantedWords {
  words: readonly Word[];
  pairs: readonly (readonly [Word, Word])[];
}

/** The tiles that have a word or a bigram, and how much it says about the street. */
interface WordTiles {
  tiles: TileSet;
  worth: number;
}

/** Reads the tiles of words from the word index of one build. */
export class WordIndex {
  readonly #source: DecodedSource;
  readonly #required: DecodeOptions<unknown>["required"];

  /** @param required whether the build must have a word index */
  constructor(source: DecodedSource, required: DecodeOptions<unknown>["required"]) {
    this.#source = source;
    this.#required = required;
  }

  /**
   * The tiles of each word and bigram; undefined if the build has no words. With `typos`, similar words with the same
   * prefix replace a word that no tile has.
   */
  async tilesOf({ words, pairs }: WantedWords, typos: boolean): Promise<WordTiles[] | undefined> {
    const [firsts, firstPairs] = await Promise.all([
      this.#firsts(WORDS_KEY),
      pairs.length > 0 ? this.#firsts(PAIRS_KEY) : undefined,
    ]);
    if (!firsts || firsts.length === 0) return undefined;
    const [sets, pairSets] = await Promise.all([
      Promise.all(words.map((word) => this.#tilesOfWord(firsts, word, typos))),
      Promise.all(firstPairs ? pairs.map((pair) => this.#tilesOfPair(firstPairs, pair)) : []),
    ]);
    const parts = sets.map((tiles, i) => ({
      tiles,
      worth: words[i].weight * (words[i].number && words[i].text.length < 4 ? 0.5 : 1),
    }));
    return [...parts, ...pairSets.map((tiles) => ({ tiles, worth: 1 }))];
  }

  /** Reads the blocks that `tilesOf` reads first. */
  async prefetch({ words, pairs }: WantedWords): Promise<void> {
    const [firsts = [], firstPairs = []] = await Promise.all([this.#firsts(WORDS_KEY), this.#firsts(PAIRS_KEY)]);
    const blocks = firsts.length > 0 ? words.map(({ text }) => wordsKey(blockOf(firsts, text))) : [];
    const pairBlocks = (firstPairs.length > 0 ? pairs : []).map(([first, second]) =>
      pairsKey(blockOf(firstPairs, `${first.text} ${second.text}`)),
    );
    await Promise.all([...blocks, ...pairBlocks].map((key) => this.#block(key)));
  }

  async #tilesOfPair(firsts: readonly string[], [first, second]: readonly [Word, Word]): Promise<TileSet> {
    const tiles = new TileSet();
    if (firsts.length === 0) return tiles;
    const beginnings = [first.text, ...first.forms].slice(0, FORMS_OF_PAIR);
    await Promise.all(
      beginnings.map(async (beginning) => {
        for (const [n, form] of [second.text, ...second.forms].entries()) {
          const pair = `${beginning} ${form}`;
          // Forms outside the block of the first one would each cost a read, and almost never exist.
          const block = blockOf(firsts, pair);
          if (n > 0 && block !== blockOf(firsts, `${beginning} ${second.text}`)) continue;
          const table = await this.#block(pairsKey(block));
          if (!table) continue;
          for (let i = table.lowerBound(pair); i < table.words.length; i++) {
            if (table.words[i] !== pair && !(second.open && n === 0 && table.words[i].startsWith(pair))) break;
            table.addTo(tiles, i);
          }
        }
      }),
    );
    return tiles;
  }

  async #tilesOfWord(firsts: readonly string[], word: Word, typos: boolean): Promise<TileSet> {
    const tiles = new TileSet();
    const forms = [word.text, ...word.forms, ...(typos ? word.joined : [])];
    const tables = await Promise.all(forms.map((form) => this.#words(blockOf(firsts, form))));
    for (const [n, form] of forms.entries()) {
      const table = tables[n];
      const at = table?.indexOf(form) ?? -1;
      if (table && at >= 0) table.addTo(tiles, at);
    }
    if (word.open) {
      await this.#walk(firsts, word.text, (table, i) => {
        if (!table.words[i].startsWith(word.text)) return false;
        table.addTo(tiles, i);
        return true;
      });
    }
    if (tiles.size > 0 || !typos || word.mistakes === 0) return tiles;
    for (const form of otherTypes(word.text)) {
      const table = await this.#words(blockOf(firsts, form));
      const at = table?.indexOf(form) ?? -1;
      if (table && at >= 0) table.addTo(tiles, at);
    }
    if (tiles.size > 0) return tiles;
    const beginning = word.text.slice(0, 2);
    const close: { table: WordBlock; i: number; distance: number }[] = [];
    const all = word.text.length * 1000;
    await this.#walk(
      firsts,
      beginning,
      (table, i) => {
        if (!table.words[i].startsWith(beginning)) return false;
        const distance = mistakesOf(word.text, table.words[i], word.mistakes, word.open);
        if (distance <= word.mistakes) close.push({ table, i, distance });
        return true;
      },
      all,
    );
    // Only if few blocks hold all words can each be searched for words with another first letter.
    if (close.length === 0 && firsts.length <= ALL_BLOCKS) await this.#beginningWrong(firsts, word, close);
    close.sort((a, b) => a.distance - b.distance);
    for (const { table, i } of close.slice(0, 20)) table.addTo(tiles, i);
    return tiles;
  }

  async #beginningWrong(
    firsts: readonly string[],
    word: Word,
    close: { table: WordBlock; i: number; distance: number }[],
  ): Promise<void> {
    const tables = await Promise.all(firsts.map((_, block) => this.#words(block)));
    for (const table of tables) {
      for (let i = 0; i < (table?.words.length ?? 0); i++)
        if (hasWrongStart(word.text, table!.words[i], word.open)) close.push({ table: table!, i, distance: 1 });
    }
  }

  /** Words from a beginning on, until `visit` has enough or the bound of blocks is reached. */
  async #walk(
    firsts: readonly string[],
    beginning: string,
    visit: (table: WordBlock, i: number) => boolean,
    most = WORDS_PER_PREFIX,
  ): Promise<void> {
    let left = most;
    const first = blockOf(firsts, beginning);
    let end = first + 1;
    while (end < Math.min(first + BLOCKS_PER_WORD, firsts.length) && firsts[end].startsWith(beginning)) end++;
    // All together: deciding for each whether the next is needed would take another round trip.
    const blocks = Array.from({ length: end - first }, (_, i) => this.#words(first + i));
    for (const table of await Promise.all(blocks)) {
      if (!table) return;
      for (let i = table.lowerBound(beginning); i < table.words.length; i++) {
        if (left-- <= 0 || !visit(table, i)) return;
      }
    }
  }

  #words(block: number): Promise<WordBlock | undefined> {
    return this.#block(wordsKey(block));
  }

  #block(key: string): Promise<WordBlock | undefined> {
    return this.#source.cached(key, (bytes) => new WordBlock(bytes), { required: true, weight: weightOfBlock });
  }

  #firsts(key: string): Promise<string[] | undefined> {
    return this.#source.cached(key, decodePrefixes, { required: this.#required, weight: asTexts });
  }
}

/** Each word as a string of some 32 bytes with its place in two lists. */
const weightOfBlock = ({ words }: WordBlock, rawBytes: number) => rawBytes + 44 * words.length;
export const asTexts = (texts: readonly string[]) => 48 * texts.length;

/** The block that would contain a word. */
export function blockOf(firsts: readonly string[], word: string): number {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firsts[middle] <= word) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
