import { type ByteStore, MemoryStore } from "../../geo/bytes/byte-store.ts";
import { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { byKey, inMemory, type MakeSorter, type SortedRecord, type Sorter, textKey } from "../../geo/bytes/sorter.ts";
import type { LanguageName } from "../entry/entry.ts";
import { alphabetOf } from "../words/alphabets.ts";
import { isUnspaced, tokensOf } from "../words/normalise.ts";
import { type Names, readEntry, writeEntry } from "./entry-record.ts";
import { encodePrefixes, HEAD_KEY, headKey } from "./layout.ts";
import { encodeNames, MAX_NAMES, type NewEntry, packNames } from "./names-tile.ts";
import type { PackedObject } from "./packed-object.ts";

/**
 * A block with an estimated size above this [bytes] is split by the next letter, and keeps its best entries for short
 * queries.
 */
const BLOCK_BYTES = 40 * 1024;
const ENTRY_BYTES = 24;
const MAX_PREFIX = 6;

/**
 * The head: regions by word prefixes, so that "ber" opens one object and finds Berlin regardless of the caller's
 * location. A prefix that many words share keeps its best-known regions; the rest are stored under longer prefixes.
 */
export function* packHead(regions: readonly NewEntry[]): Generator<PackedObject> {
  const head = new HeadBuilder();
  for (const [order, entry] of regions.entries()) head.add(entry, order);
  yield* head.finish();
}

/** A word of a region, and the region's place among all of them. */
interface Member {
  word: string;
  rank: number;
  /** Of a name that the region is only found by. */
  alias: boolean;
}

/** Regions go to a sorter and a store; 12 bytes of each are held, and the words with one first letter at a time. */
export class HeadBuilder {
  readonly #sorter: MakeSorter;
  readonly #entries: Sorter;
  readonly #store: ByteStore;
  readonly #record = new ByteWriter(512);
  /** Regions that a beginning of `MAX_PREFIX` letters leaves out, as too many begin with it. */
  leftOut = 0;

  constructor(sorter: MakeSorter = inMemory, store: ByteStore = new MemoryStore()) {
    this.#sorter = sorter;
    this.#store = store;
    this.#entries = sorter("regions");
  }

  /** @param order decides between two that are alike in all that counts */
  add(entry: NewEntry, order: number): void {
    const record = this.#record;
    record.length = 0;
    record.unsigned(order);
    writeEntry(record, entry);
    // By importance first, which is at most 255, then by two letters of the name.
    this.#entries.add(
      (255 - Math.round(entry.importance)) * 4294967296 + Math.floor(textKey(entry.name) / 65536),
      record.view(),
    );
  }

  *finish(): Generator<PackedObject> {
    const ranked = new Ranked(this.#store);
    const members = this.#sorter("prefixes");
    for (const { entry, bytes } of this.#inOrder()) {
      const rank = ranked.add(entry, bytes);
      const own = new Set(
        [entry.name, ...(entry.names ?? []).map(([, name]) => name)].flatMap((name) => openingWords(tokensOf(name))),
      );
      const others = (entry.aliases ?? [])
        .flatMap(([, alias]) => openingWords(tokensOf(alias)))
        .filter((word) => !own.has(word));
      for (const [i, words] of [own, new Set(others)].entries()) {
        for (const word of words) {
          const record = this.#record;
          record.length = 0;
          record.unsigned(rank * 2 + i);
          record.rawText(word);
          members.add(textKey(word), record.view());
        }
      }
    }
    const prefixes: string[] = [];
    for (const letter of byFirstLetter(members)) {
      for (const { prefix, ranks, leftOut, isLast } of blocksOf(letter, 1, ranked)) {
        this.leftOut += leftOut;
        const members = Array.from(ranks, (rank) => inBlock(ranked.entry(rank), prefix, isLast));
        yield {
          key: headKey(prefixes.length),
          bytes: packNames(
            encodeNames(
              members.map(({ entry }) => entry),
              members.map(() => 0),
              (i) => members[i].words,
            ),
          ),
        };
        prefixes.push(prefix);
      }
    }
    members.close();
    yield { key: HEAD_KEY, bytes: encodePrefixes(prefixes) };
  }

  /** The best-known first. */
  *#inOrder(): Generator<Ordered> {
    let same: Ordered[] = [];
    const take = ({ bytes, start, end }: SortedRecord) => {
      const reader = new ByteReader(bytes, start);
      const order = reader.unsigned();
      const own = bytes.slice(reader.at, end);
      same.push({ order, entry: readEntry(reader), bytes: own });
    };
    for (const _ of byKey(this.#entries, take)) {
      same.sort(
        (a, b) =>
          (a.entry.name < b.entry.name ? -1 : a.entry.name > b.entry.name ? 1 : 0) ||
          a.entry.latitude - b.entry.latitude ||
          a.entry.longitude - b.entry.longitude ||
          a.order - b.order,
      );
      yield* same;
      same = [];
    }
    this.#entries.close();
  }
}

/**
 * Of the words of a name, those whose blocks have it. Of a name in a script without spaces these are the first and the last pair of
 * letters: a query has one of them, and blocks of all pairs would double the size of such names.
 */
function openingWords(words: readonly string[]): readonly string[] {
  if (words.length < 3) return words;
  const isMiddle = (i: number) => [i - 1, i, i + 1].every((at) => words[at] !== undefined && isUnspaced(words[at]));
  return words.filter((_, i) => !isMiddle(i));
}

/** A block that longer prefixes continue is without aliases that are in the blocks of these. */
const isFoundIn = (word: string, prefix: string, isLast: boolean) =>
  isLast ? word.startsWith(prefix) : word === prefix;

type Alias = NonNullable<NewEntry["aliases"]>[number];

/** A name, the words that it has, and those whose blocks have it. */
interface Worded<Name extends Alias = Alias> {
  name: Name;
  words: readonly string[];
  opening: readonly string[];
}

/** An entry and the words of all its names. */
interface WordedEntry {
  entry: NewEntry;
  own: Worded;
  names: readonly Worded<LanguageName>[];
  aliases: readonly Worded[];
}

function worded(entry: NewEntry): WordedEntry {
  const wordsIn = <Name extends Alias>(name: Name): Worded<Name> => {
    const words = tokensOf(name[1]);
    return { name, words, opening: openingWords(words) };
  };
  const { names = [], aliases = [] } = entry;
  return { entry, own: wordsIn(["en", entry.name]), names: names.map(wordsIn), aliases: aliases.map(wordsIn) };
}

/**
 * The entry with the aliases, and other and former names, that a search in this block can find, and the words that it is found by. A block
 * of its own words also has its names in other languages, which are only shown: who types ಪ್ಯಾರಿಸ್ does not read Париж.
 */
function inBlock(whole: WordedEntry, prefix: string, isLast: boolean): { entry: NewEntry; words: Set<string> } {
  const { own, aliases } = whole;
  const begins = (words: readonly string[]) => words.some((word) => word.startsWith(prefix));
  const isOwn = [own, ...whole.names].some(({ words }) => begins(words));
  // Names of today without a language are compared with the cities of addresses.
  const kept = whole.names.filter(({ name: [language, , kind = "main"], opening }) =>
    kind === "other" || kind === "old" ? begins(opening) : isOwn || language === "en",
  );
  const names = kept.map(({ name }) => name);
  const found = aliases.filter(({ opening }) => opening.some((word) => isFoundIn(word, prefix, isLast)));
  const words = withLettersOf(prefix, [own, ...kept, ...found]);
  const entry = { ...whole.entry, names };
  if (aliases.length === 0) return { entry, words };
  const languages = new Set(names.map(([language]) => language));
  const shown: LanguageName[] = [];
  for (const { name: alias } of isOwn ? aliases : found) {
    const [language, text, kind = "main"] = alias;
    if (language === "" || kind !== "main" || languages.has(language)) continue;
    languages.add(language);
    shown.push([language, text]);
  }
  const others = found.filter(({ name: [, alias] }) => !shown.some(([, name]) => name === alias));
  // The first name in a language is the one that is shown.
  const english: Names =
    others.length === 0 || names.some(([language]) => language === "en") ? [] : [["en", whole.entry.name]];
  const hidden = others.map(({ name: [, alias, kind] }) => ["en", alias, kind] as const);
  return { entry: { ...entry, names: [...names, ...shown, ...english, ...hidden].slice(0, MAX_NAMES) }, words };
}

/** Words of names that a text with these letters has: one in others opens the blocks of its own. */
function withLettersOf(prefix: string, names: readonly Worded[]): Set<string> {
  const own = isNumber(prefix) ? undefined : alphabetOf(prefix);
  const found = new Set<string>();
  for (const { words } of names)
    for (const word of words) if (own === undefined || isNumber(word) || alphabetOf(word) === own) found.add(word);
  return found;
}
const isNumber = (word: string) => word.charCodeAt(0) < 0x3a;

interface Ordered {
  order: number;
  entry: NewEntry;
  bytes: Uint8Array;
}

/** Entries that are held with their words. */
const MOST_RECENT = 4000;

/** Entries in the store by their rank. */
class Ranked {
  readonly #store: ByteStore;
  #count = 0;
  #starts = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #letters = new Uint32Array(1024);
  /** An entry is in blocks of ever longer beginnings of a word, which follow one another. */
  readonly #recent = new Map<number, WordedEntry>();

  constructor(store: ByteStore) {
    this.#store = store;
  }

  /** @param bytes the entry in the format of `readEntry` */
  add({ name, names = [] }: NewEntry, bytes: Uint8Array): number {
    const rank = this.#count++;
    if (rank === this.#starts.length) this.#grow();
    this.#starts[rank] = this.#store.append(bytes);
    this.#lengths[rank] = bytes.length;
    this.#letters[rank] = names.reduce((sum, [, other]) => sum + 2 * other.length, name.length);
    return rank;
  }

  entry(rank: number): WordedEntry {
    const known = this.#recent.get(rank);
    if (known) return known;
    if (this.#recent.size === MOST_RECENT) this.#recent.clear();
    const entry = worded(readEntry(new ByteReader(this.#store.read(this.#starts[rank], this.#lengths[rank]))));
    this.#recent.set(rank, entry);
    return entry;
  }

  /** Size of names and words, as a multiple of an average entry. */
  averageLength(ranks: readonly number[]): number {
    if (ranks.length === 0) return 1;
    const letters = ranks.reduce((sum, rank) => sum + this.#letters[rank], 0);
    return Math.max(1, (2 * letters) / ranks.length / ENTRY_BYTES);
  }

  #grow(): void {
    const starts = new Float64Array(this.#starts.length * 2);
    const lengths = new Uint32Array(starts.length);
    const letters = new Uint32Array(starts.length);
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    letters.set(this.#letters);
    [this.#starts, this.#lengths, this.#letters] = [starts, lengths, letters];
  }
}

/** The members with one first letter at a time, letters in order. */
function* byFirstLetter(members: Sorter): Generator<Member[]> {
  let list: Member[] = [];
  let first = "";
  let fresh: Member[] = [];
  const take = ({ bytes, start, end }: SortedRecord) => {
    const reader = new ByteReader(bytes, start);
    const head = reader.unsigned();
    fresh.push({ rank: Math.floor(head / 2), alias: head % 2 === 1, word: reader.rawText(end) });
  };
  for (const _ of byKey(members, take)) {
    const letter = String.fromCodePoint(fresh[0].word.codePointAt(0) ?? 0);
    if (letter !== first && list.length > 0) {
      yield list;
      list = [];
    }
    first = letter;
    for (const member of fresh) list.push(member);
    fresh = [];
  }
  if (list.length > 0) yield list;
}

/** The blocks of members that share their first letters (code points), by prefix. */
function* blocksOf(
  members: readonly Member[],
  letters: number,
  ranked: Ranked,
): Generator<{ prefix: string; ranks: readonly number[]; leftOut: number; isLast: boolean }> {
  const prefix = beginning(members[0].word, letters);
  const ranks = ranksOf(members);
  const most = Math.floor(BLOCK_BYTES / ENTRY_BYTES / ranked.averageLength(ranks));
  const isLongest = prefix.length >= MAX_PREFIX;
  const isLast = ranks.length <= most || isLongest;
  yield {
    prefix,
    ranks: isLast ? ranks.slice(0, most) : bestOf(members, prefix, most),
    leftOut: isLongest ? Math.max(0, ranks.length - most) : 0,
    isLast,
  };
  if (isLast) return;
  const children = new Map<string, Member[]>();
  for (const member of members) {
    const next = beginning(member.word, letters + 1);
    if (next.length === prefix.length) continue;
    const known = children.get(next);
    if (known) known.push(member);
    else children.set(next, [member]);
  }
  for (const next of [...children.keys()].sort()) yield* blocksOf(children.get(next)!, letters + 1, ranked);
}

/** Regions with the prefix as a whole word, which longer prefixes do not have, and then the best-known others. */
function bestOf(members: readonly Member[], prefix: string, most: number): number[] {
  const whole = ranksOf(members.filter(({ word }) => word === prefix));
  const begun = ranksOf(members.filter(({ alias }) => !alias));
  return [...new Set([...whole, ...begun])].slice(0, most).sort((a, b) => a - b);
}

const ranksOf = (members: readonly Member[]) => [...new Set(members.map(({ rank }) => rank))].sort((a, b) => a - b);

/** The first `letters` code points. */
function beginning(word: string, letters: number): string {
  let end = 0;
  for (let i = 0; i < letters && end < word.length; i++) end += (word.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return word.slice(0, end);
}
