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

/** The text with a mark for each number outside of quotes, which it adds to `numbers`. */
function withoutNumbers(text: string, numbers: NumberWriter): string {
  const parts: string[] = [];
  let place = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfQuoted(text, at);
    else if (!isDigit(unit) && unit !== MINUS) at++;
    else {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      const value = Number(token);
      // Written in another way than JSON writes it, such as −0: a text like any other.
      if (String(value) === token) {
        place = placeAfter(place, text.slice(Math.max(from, at - PLACE), at));
        parts.push(text.slice(from, at));
        numbers.add(place, value, digitsOf(token));
        place = placeAfter(place, MARK);
        from = end;
      }
      at = end;
    }
  }
  parts.push(text.slice(from));
  return parts.join(MARK);
}

const [QUOTE, BACKSLASH, MINUS] = [0x22, 0x5c, 0x2d];
const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || ".e+-".includes(text[at]))) at++;
  return at;
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
