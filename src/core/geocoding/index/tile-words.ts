import { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { ENTRY_KINDS } from "../entry/entry.ts";
import { tokensOf } from "../words/normalise.ts";
import { type NamesTile, wordsOf } from "./names-tile.ts";

/** The data of one tile that the word index and the word filter need. */
export interface TileWords {
  entries: number;
  /** By which its entries are found: of their names, cities, boroughs, states' codes and postal codes. */
  words: Set<string>;
  /** Two words next to each other in the name of a street. */
  pairs: Set<string>;
  /** Words of the towns that contain its entries, and of its regions. */
  towns: Set<string>;
}

const [STREET, PLACE] = [ENTRY_KINDS.indexOf("street"), ENTRY_KINDS.indexOf("place")];

export function wordsOfTile(tile: NamesTile): TileWords {
  const words = new Set(tile.words.words);
  const pairs = new Set<string>();
  const towns = new Set<string>();
  const contexts = new Set<number>();
  const townContexts = new Set<number>();
  const postalCodes = new Set<number>();
  const streets = new Set<string>();
  for (let i = 0; i < tile.count; i++) {
    const kind = tile.kinds[i];
    contexts.add(tile.contexts[i]);
    postalCodes.add(tile.postalCodes[i]);
    if (kind === STREET || kind === PLACE) townContexts.add(tile.contexts[i]);
    else for (const word of wordsOfRegion(tile, i)) towns.add(word);
    if (kind === STREET) streets.add(tile.name(i));
  }
  for (const name of streets) {
    const own = tokensOf(name);
    for (let i = 1; i < own.length; i++) pairs.add(`${own[i - 1]} ${own[i]}`);
  }
  for (const code of postalCodes) for (const word of tokensOf(tile.text(code))) words.add(word);
  for (const number of contexts) {
    const { city, borough, neighborhood, stateCode } = tile.contextAt(number);
    for (const text of [city, borough, neighborhood, stateCode]) for (const word of tokensOf(text)) words.add(word);
    if (!townContexts.has(number)) continue;
    for (const text of [city, borough, neighborhood]) for (const word of tokensOf(text)) towns.add(word);
  }
  return { entries: tile.count, words, pairs, towns };
}

function wordsOfRegion(tile: NamesTile, i: number): Set<string> {
  const { city, borough, stateCode } = tile.context(i);
  const words = wordsOf({ name: tile.name(i), names: tile.otherNames(i).map((name) => ["en", name] as const) });
  for (const text of [city, borough, stateCode, tile.postalCode(i)]) for (const word of tokensOf(text)) words.add(word);
  return words;
}

export function encodeTileWords({ entries, words, pairs, towns }: TileWords): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.unsigned(entries);
  for (const list of [words, pairs, towns]) {
    out.unsigned(list.size);
    for (const word of list) out.text(word);
  }
  return out.finish();
}

export function decodeTileWords(bytes: Uint8Array): TileWords {
  const reader = new ByteReader(bytes);
  const entries = reader.unsigned();
  const list = () => new Set(Array.from({ length: reader.unsigned() }, () => reader.text()));
  return { entries, words: list(), pairs: list(), towns: list() };
}
