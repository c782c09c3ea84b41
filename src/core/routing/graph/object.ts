import { ByteReader } from "../../geo/bytes/bytes.ts";
import { inflateRaw } from "../../geo/bytes/inflate.ts";

/**
 * Common format of all routing objects: columns of numbers, of variable length (`geo/bytes/bytes.ts`) or of one width
 * (`columns.ts`), one after the other, deflated together. docs/formats/roads.md lists the columns of each.
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

/** `openPayload`, for payloads with variable-length numbers. */
export async function openObject(
  bytes: Uint8Array,
  magic: string,
  version: number,
  older: readonly number[] = [],
): Promise<ByteReader> {
  return new ByteReader(await openPayload(bytes, magic, version, older));
}

/**
 * Returns the payload of an object in a separate buffer; throws if the object is of another kind or of a version that
 * this reader does not support.
 */
export async function openPayload(
  bytes: Uint8Array,
  magic: string,
  version: number,
  /** Older versions that the reader of the payload supports. */
  older: readonly number[] = [],
): Promise<Uint8Array> {
  const found = String.fromCharCode(...bytes.subarray(0, 4));
  if (found !== magic) throw new Error(`routing object: expected ${magic}, found ${JSON.stringify(found)}`);
  if (bytes[4] !== version && !older.includes(bytes[4]))
    throw new Error(`routing object ${magic}: version ${bytes[4]}, this reader knows ${version}`);
  return inflateRaw(bytes.slice(HEADER));
}
