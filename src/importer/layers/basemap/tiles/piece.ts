import { decodeText } from "../../../../core/geo/bytes/bytes.ts";
import { ProtobufReader, type ProtobufWriter } from "../../../../core/geo/bytes/protobuf.ts";
import type { Properties, TileFeature } from "../../../../core/maps/tiles/mvt.ts";

/** A piece of a feature in one tile, on the tile's grid. */
export interface Piece {
  /** Index in LAYERS. */
  layer: number;
  /** Order within the layer. */
  order: number;
  type: TileFeature["type"];
  /** The number that `propertyId` returned: equal numbers are equal properties. */
  properties: number;
  parts: number[][];
}

/** Takes pieces in any order of tiles. */
export interface PieceSink {
  propertyId(properties: Properties): number;
  add(piece: Piece & { zoom: number; x: number; y: number }): void;
}

/** Everything of a piece but its properties. */
export function writePiece(out: ProtobufWriter, { layer, order, type, parts }: Piece): void {
  out
    .varint(layer * 4 + type)
    .signed(order)
    .varint(parts.length);
  for (const part of parts) out.varint(part.length / 2).pairs(part, 0, part.length, 0, 0);
}

function readPiece(reader: ProtobufReader, properties: number): Piece {
  const head = reader.varint();
  const order = reader.signed();
  const parts: number[][] = [];
  for (let left = reader.varint(); left > 0; left--) parts.push(reader.pairs(reader.varint()));
  return { layer: head >> 2, order, type: (head & 3) as Piece["type"], properties, parts };
}

/** Texts of properties that are kept apart from their objects. */
const MAX_CACHED_TEXTS = 20_000;

/** Reads what a spool wrote of a tile. Properties have their own numbers here; few are kept from tile to tile. */
export class PieceReader {
  /** By the hash of their bytes. */
  #known = new Map<number, { text: Uint8Array; id: number }[]>();
  #properties: Properties[] = [];

  propertiesOf = (id: number): Properties => this.#properties[id];

  /** A tile's pieces from its records, one after the other (see spool.ts). */
  read(records: readonly Uint8Array[]): Piece[] {
    // Never between the records of a tile: its numbers must hold for all of them.
    if (this.#properties.length > MAX_CACHED_TEXTS) {
      this.#known = new Map();
      this.#properties = [];
    }
    const pieces: Piece[] = [];
    for (const record of records) {
      const reader = new ProtobufReader(record);
      const ids: number[] = [];
      for (let left = reader.varint(); left > 0; left--) ids.push(this.#number(reader.view()));
      while (reader.more) pieces.push(readPiece(reader, ids[reader.varint()]));
    }
    return pieces;
  }

  /** Texts are mostly known: their bytes are compared, and decoded only once. */
  #number(text: Uint8Array): number {
    const hash = hashOf(text);
    let same = this.#known.get(hash);
    if (!same) {
      same = [];
      this.#known.set(hash, same);
    }
    for (const known of same) if (isSame(known.text, text)) return known.id;
    const id = this.#properties.length;
    same.push({ text: text.slice(), id });
    this.#properties.push(JSON.parse(decodeText(text, 0, text.length)));
    return id;
  }
}

/** FNV-1a of 30 bits. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash & 0x3fffffff;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
