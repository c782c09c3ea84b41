export const BUNDLE_MAGIC = "GRDB";
export const BUNDLE_VERSION = 1;

/** Stands for the tables of the district in place of a level. */
export const TABLES = 0;

/** Magic, version, and three padding bytes so that the rest begins at a multiple of four. */
const HEADER = 8;
const COUNT = 4;
const ENTRY = 12;

/** An object within a bundle: the tables of the district, or the pack of a level inside a parent cell. */
export interface BundledObject {
  /** TABLES for the tables. */
  level: number;
  /** 0 for the tables. */
  parent: number;
  /** The object as stored separately, with magic and version. */
  bytes: Uint8Array;
}

/**
 * The objects of a district that a search needs before it knows which tiles it needs: the tables, the packs of all
 * levels below, and the pack of the neighboring cells, for one metric. One read replaces four. Each object is deflated
 * separately, so that an unused object costs only its bytes.
 *
 *     bytes 0–3   magic, ASCII
 *     byte  4     version
 *     bytes 5–7   0
 *     count       u32       objects, little endian as all that follows
 *     entries     u32 × 3   each: level (0 the tables of the district), parent cell (0), bytes
 *     objects               one after the other, each with its own magic and version
 */
export class Bundle {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #count: number;

  /** `bytes` are not copied. @throws Error for another kind, an unsupported version, or truncated bytes */
  constructor(bytes: Uint8Array) {
    const magic = String.fromCharCode(...bytes.subarray(0, 4));
    if (magic !== BUNDLE_MAGIC)
      throw new Error(`routing object: expected ${BUNDLE_MAGIC}, found ${JSON.stringify(magic)}`);
    if (bytes[4] !== BUNDLE_VERSION)
      throw new Error(`routing object ${BUNDLE_MAGIC}: version ${bytes[4]}, this reader knows ${BUNDLE_VERSION}`);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#count = this.#view.getUint32(HEADER, true);
    let end = HEADER + COUNT + this.#count * ENTRY;
    for (let i = 0; i < this.#count; i++) end += this.#field(i, 2);
    if (end !== bytes.length)
      throw new Error(`routing object ${BUNDLE_MAGIC}: ${bytes.length} bytes in place of ${end}`);
  }

  /** Returns a view of an object; undefined if the bundle does not contain it. */
  find(level: number, parent: number): Uint8Array | undefined {
    let at = HEADER + COUNT + this.#count * ENTRY;
    for (let i = 0; i < this.#count; i++) {
      const length = this.#field(i, 2);
      if (this.#field(i, 0) === level && this.#field(i, 1) === parent) return this.#bytes.subarray(at, at + length);
      at += length;
    }
    return undefined;
  }

  #field(entry: number, field: number): number {
    return this.#view.getUint32(HEADER + COUNT + entry * ENTRY + field * 4, true);
  }
}

/** The bytes of a bundle, header included. */
export function writeBundle(objects: readonly BundledObject[]): Uint8Array {
  const first = HEADER + COUNT + objects.length * ENTRY;
  const bytes = new Uint8Array(objects.reduce((sum, one) => sum + one.bytes.length, first));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = BUNDLE_MAGIC.charCodeAt(i);
  bytes[4] = BUNDLE_VERSION;
  view.setUint32(HEADER, objects.length, true);
  let at = first;
  for (const [i, object] of objects.entries()) {
    [object.level, object.parent, object.bytes.length].forEach((number, field) => {
      view.setUint32(HEADER + COUNT + i * ENTRY + field * 4, number, true);
    });
    bytes.set(object.bytes, at);
    at += object.bytes.length;
  }
  return bytes;
}
