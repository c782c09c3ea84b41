import { ProtobufReader, type ProtobufWriter } from "../../../../geo/bytes/protobuf.ts";
import type { Properties, TileFeature } from "../../../../maps/tiles/mvt.ts";

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
  for (const part of parts) {
    out.varint(part.length / 2);
    let x = 0;
    let y = 0;
    for (let i = 0; i < part.length; i += 2) {
      out.signed(part[i] - x).signed(part[i + 1] - y);
      x = part[i];
      y = part[i + 1];
    }
  }
}

function readPiece(reader: ProtobufReader, properties: number): Piece {
  const head = reader.varint();
  const order = reader.signed();
  const parts: number[][] = [];
  for (let left = reader.varint(); left > 0; left--) {
    const part: number[] = [];
    let x = 0;
    let y = 0;
    for (let corners = reader.varint(); corners > 0; corners--) {
      x += reader.signed();
      y += reader.signed();
      part.push(x, y);
    }
    parts.push(part);
  }
  return { layer: head >> 2, order, type: (head & 3) as Piece["type"], properties, parts };
}

/** Texts of properties that are kept apart from their objects. */
const MAX_CACHED_TEXTS = 20_000;

/** Reads what a spool wrote of a tile. Properties have their own numbers here; few are kept from tile to tile. */
export class PieceReader {
  #known = new Map<string, number>();
  #properties: Properties[] = [];

  propertiesOf = (id: number): Properties => this.#properties[id];

  /** A tile's pieces from its records, one after the other (see spool.ts). */
  read(records: readonly Uint8Array[]): Piece[] {
    // Never between the records of a tile: its numbers must hold for all of them.
    if (this.#known.size > MAX_CACHED_TEXTS) {
      this.#known = new Map();
      this.#properties = [];
    }
    const pieces: Piece[] = [];
    for (const record of records) {
      const reader = new ProtobufReader(record);
      const ids: number[] = [];
      for (let left = reader.varint(); left > 0; left--) ids.push(this.#number(reader.text()));
      while (reader.more) pieces.push(readPiece(reader, ids[reader.varint()]));
    }
    return pieces;
  }

  #number(text: string): number {
    let id = this.#known.get(text);
    if (id === undefined) {
      id = this.#properties.length;
      this.#known.set(text, id);
      this.#properties.push(JSON.parse(text));
    }
    return id;
  }
}
