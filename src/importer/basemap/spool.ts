import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Properties, TileFeature } from "../../maps/tiles/mvt.ts";
import { MessageReader, MessageWriter } from "../../maps/tiles/protobuf.ts";
import { tileId } from "../../maps/tiles/tile-id.ts";
import { readRun } from "./spool-run.ts";

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

/** From this many bytes of pieces on they are sorted and put on disk. */
const SPILL_BYTES = 192 * 1024 * 1024;

/**
 * Gathers pieces in any order and gives them back tile by tile, those of a tile in the order in which they came: an
 * external merge sort by tile number. Memory holds one run and the different properties.
 */
export class TileSpool {
  readonly #spillBytes: number;
  readonly #ids = new Map<string, number>();
  readonly #properties: Properties[] = [];
  readonly #runs: string[] = [];
  #folder: string | undefined;
  #pieces = new MessageWriter();
  #tiles: number[] = [];
  #starts: number[] = [];
  #count = 0;

  constructor(spillBytes = SPILL_BYTES) {
    this.#spillBytes = spillBytes;
  }

  /** Pieces taken so far. */
  get count(): number {
    return this.#count;
  }

  propertyId(properties: Properties): number {
    const text = JSON.stringify(properties);
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#properties.length;
      this.#ids.set(text, id);
      this.#properties.push(properties);
    }
    return id;
  }

  propertiesOf(id: number): Properties {
    return this.#properties[id];
  }

  add({ zoom, x, y, ...piece }: Piece & { zoom: number; x: number; y: number }): void {
    this.#count++;
    this.#tiles.push(tileId(zoom, x, y));
    this.#starts.push(this.#pieces.length);
    writePiece(this.#pieces, piece);
    if (this.#pieces.length >= this.#spillBytes) this.#spill();
  }

  /** Every tile once, by ascending number. Nothing may be added afterwards. */
  *tiles(): Generator<{ tileId: number; pieces: Piece[] }> {
    if (this.#runs.length > 0) this.#spill();
    const runs = this.#runs.length > 0 ? this.#runs.map((path) => readRun(path)) : [this.#sorted()];
    const heads = runs.map((run) => run.next());
    for (;;) {
      let lowest = Number.POSITIVE_INFINITY;
      for (const { value, done } of heads) if (!done && value.tileId < lowest) lowest = value.tileId;
      if (lowest === Number.POSITIVE_INFINITY) return;
      const pieces: Piece[] = [];
      // Earlier runs first: what came first stays first.
      for (let i = 0; i < runs.length; i++) {
        for (let head = heads[i]; !head.done && head.value.tileId === lowest; head = heads[i] = runs[i].next()) {
          pieces.push(readPiece(head.value.bytes));
        }
      }
      yield { tileId: lowest, pieces };
    }
  }

  /** Removes what lies on disk. */
  close(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  *#sorted(): Generator<{ tileId: number; bytes: Uint8Array }, undefined> {
    const tiles = this.#tiles;
    const starts = this.#starts;
    const bytes = this.#pieces.view();
    const order = Uint32Array.from(tiles, (_, i) => i).sort((a, b) => tiles[a] - tiles[b] || a - b);
    for (const i of order) yield { tileId: tiles[i], bytes: bytes.subarray(starts[i], starts[i + 1] ?? bytes.length) };
  }

  #spill(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), "basemap-"));
    const path = join(this.#folder, `run-${this.#runs.length}`);
    const file = openSync(path, "w");
    const out = new MessageWriter();
    const flush = () => {
      writeSync(file, out.view());
      out.clear();
    };
    let last = 0;
    for (const { tileId: tile, bytes } of this.#sorted()) {
      out.key(tile - last, 0).bytesField(0, bytes);
      last = tile;
      if (out.length > 1 << 20) flush();
    }
    flush();
    closeSync(file);
    this.#runs.push(path);
    this.#pieces.clear();
    this.#tiles = [];
    this.#starts = [];
  }
}

function writePiece(out: MessageWriter, { layer, order, type, properties, parts }: Piece): void {
  out
    .varint(layer * 4 + type)
    .signed(order)
    .varint(properties)
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

function readPiece(bytes: Uint8Array): Piece {
  const reader = new MessageReader(bytes);
  const head = reader.varint();
  const order = reader.signed();
  const properties = reader.varint();
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
