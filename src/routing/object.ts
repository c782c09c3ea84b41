import { ByteReader, type ByteWriter } from "../geo/bytes.ts";

/**
 * What all routing objects have in common: columns of numbers of variable length (`geo/bytes.ts`), one after the other,
 * the whole deflated. docs/formats/roads.md lists the columns of each.
 *
 *     bytes 0–3   magic, ASCII
 *     byte  4     version
 *     bytes 5–…   the payload, raw deflate (RFC 1951)
 */
const HEADER = 5;

export function withHeader(magic: string, version: number, deflated: Uint8Array): Uint8Array {
  const object = new Uint8Array(HEADER + deflated.length);
  for (let i = 0; i < 4; i++) object[i] = magic.charCodeAt(i);
  object[4] = version;
  object.set(deflated, HEADER);
  return object;
}

/** The payload of an object; throws when it is of another kind or a version this reader does not know. */
export async function openObject(bytes: Uint8Array, magic: string, version: number): Promise<ByteReader> {
  const found = String.fromCharCode(...bytes.subarray(0, 4));
  if (found !== magic) throw new Error(`routing object: expected ${magic}, found ${JSON.stringify(found)}`);
  if (bytes[4] !== version)
    throw new Error(`routing object ${magic}: version ${bytes[4]}, this reader knows ${version}`);
  const { writable, readable } = new DecompressionStream("deflate-raw");
  const inflated = new Response(readable).arrayBuffer();
  // A write that fails makes reading fail too, and that is where the error is reported.
  const writer = writable.getWriter();
  const written = writer.write(bytes.slice(HEADER)).then(() => writer.close());
  written.catch(() => undefined);
  return new ByteReader(new Uint8Array(await inflated));
}

type Column = Int32Array | Int16Array | Uint16Array;

/** Fills an array with unsigned numbers. */
export function fill<T extends Column>(reader: ByteReader, column: T): T {
  for (let i = 0; i < column.length; i++) column[i] = reader.unsigned();
  return column;
}

/** Fills an array from signed differences to the number before, the first to 0. */
export function fillBySteps<T extends Column>(reader: ByteReader, column: T): T {
  for (let i = 0, last = 0; i < column.length; i++) column[i] = last += reader.signed();
  return column;
}

export function writeAll(out: ByteWriter, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) out.unsigned(values[i]);
}

/** Each as the difference to the one before, the first to 0. */
export function writeSteps(out: ByteWriter, values: ArrayLike<number>): void {
  for (let i = 0, last = 0; i < values.length; i++) {
    out.signed(values[i] - last);
    last = values[i];
  }
}
