import { ByteReader, ByteWriter } from "../../../geo/bytes/bytes.ts";
import { Dictionary } from "./lz.ts";
import { NumberReader, NumberWriter } from "./numbers.ts";
import { WORDS } from "./words.ts";

/**
 * A page of a device's history as bytes (docs/formats/history.md): the same JSON texts come out. Their numbers are differences from the number
 * that was last in the same place; their rest is one text with a mark for each number, as copies of earlier text and of WORDS.
 *
 *     1, counts of numbers, of bytes of the text, and of bytes of its copies; kinds of numbers and text, packed; numbers
 */
const [PLAIN, PACKED] = [0, 1];
/** Stands for a number. JSON has no such character. */
const MARK = "\u0001";
const BETWEEN = "\n";
/** So much text before a number, in which earlier numbers are marks, says what it means. */
const PLACE = 12;

/** Each number outside of texts, and each text, in which there are none. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const words = new Dictionary(encoder.encode(WORDS));

/** The JSON of a page's entries, joined by commas, and of the state after them. */
export interface PageTexts {
  entries: string;
  after: string;
}

export function packPage({ entries, after }: PageTexts): Uint8Array<ArrayBuffer> {
  const text = entries + BETWEEN + after;
  const out = new ByteWriter(2048);
  if (text.includes(MARK) || entries.includes(BETWEEN) || after.includes(BETWEEN)) {
    out.byte(PLAIN);
    out.text(entries);
    out.text(after);
    return out.finish();
  }
  const numbers = new NumberWriter();
  const rest = encoder.encode(withoutNumbers(text, numbers));
  const kinds = numbers.kinds.view();
  const plain = new Uint8Array(kinds.length + rest.length);
  plain.set(kinds);
  plain.set(rest, kinds.length);
  const copies = new ByteWriter(1024);
  words.pack(plain, copies);
  out.byte(PACKED);
  out.unsigned(kinds.length);
  out.unsigned(rest.length);
  out.bytes(copies.view());
  out.bytes(numbers.values.view());
  return out.finish();
}

/** The text with a mark for each number, which it adds to `numbers`. */
function withoutNumbers(text: string, numbers: NumberWriter): string {
  const parts: string[] = [];
  let place = "";
  let from = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith('"')) continue;
    const value = Number(token);
    // Written in another way than JSON writes it, such as −0: a text like any other.
    if (String(value) !== token) continue;
    place = placeAfter(place, text.slice(Math.max(from, index - PLACE), index));
    parts.push(text.slice(from, index));
    numbers.add(place, value, digitsOf(token));
    place = placeAfter(place, MARK);
    from = index + token.length;
  }
  parts.push(text.slice(from));
  return parts.join(MARK);
}

const placeAfter = (before: string, part: string) => (before + part).slice(-PLACE);

/** Digits after the point. */
function digitsOf(token: string): number {
  const point = token.indexOf(".");
  return point < 0 ? 0 : token.length - point - 1;
}

/** @throws Error if it is damaged, or of a later version */
export function unpackPage(bytes: Uint8Array): PageTexts {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version === PLAIN) return { entries: reader.text(), after: reader.text() };
  if (version !== PACKED) throw new Error(`Unknown version ${version} of a page of history.`);
  const count = reader.unsigned();
  const plain = words.unpack(reader, count + reader.unsigned());
  const parts = decoder.decode(plain.subarray(count)).split(MARK);
  if (parts.length !== count + 1) throw new Error("Malformed page: its numbers do not fit its text.");
  const numbers = new NumberReader(reader);
  let text = "";
  let place = "";
  for (const [i, part] of parts.entries()) {
    text += part;
    if (i === count) break;
    place = placeAfter(place, part.slice(-PLACE));
    text += numbers.next(place, plain[i]);
    place = placeAfter(place, MARK);
  }
  const [entries, after] = text.split(BETWEEN);
  return { entries, after };
}
