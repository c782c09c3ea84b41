import { ProtobufWriter } from "../../../../core/geo/bytes/protobuf.ts";
import type { Properties } from "../../../../core/maps/tiles/mvt.ts";
import { tileId } from "../../../../core/maps/tiles/tile-id.ts";
import { radixOrder } from "../../../sort/radix-order.ts";
import { RunWriter } from "../../../sort/run-file.ts";
import { type Piece, type PieceSink, writePiece } from "./piece.ts";
import type { Run } from "./run.ts";
import { TileListWriter } from "./tile-list.ts";

/** Memory of a piece besides its bytes: tile, start, properties, and twice its place in the order. */
const PER_PIECE = 28;
/** Piece buffers grow by doubling, so that they may be twice as large as what is in them. */
const SLACK = 2;

/**
 * Gathers pieces in any order and writes them to runs by ascending tile number, those of a tile in the order in which they
 * came. A record of a run holds all that the run has of a tile, and is separately:
 *
 *     number of different properties, each as a JSON text with its length before it
 *     pieces: number of its properties in this record, then the piece (piece.ts)
 */
export class PieceSpool implements PieceSink {
  readonly runs: Run[] = [];
  readonly #pathOf: (run: number) => string;
  readonly #limit: number;
  readonly #ids = new Map<string, number>();
  #texts: Uint8Array[] = [];
  #textBytes = 0;
  readonly #pieces = new ProtobufWriter();
  #high = new Uint32Array(1024);
  #low = new Uint32Array(1024);
  #starts = new Uint32Array(1024);
  #properties = new Uint32Array(1024);
  #held = 0;
  readonly #last: { x: number; y: number; id: number }[] = [];

  /** @param pathOf where run 0, 1 … is to be; @param memory bytes it may hold */
  constructor(pathOf: (run: number) => string, memory: number) {
    this.#pathOf = pathOf;
    this.#limit = memory / SLACK;
  }

  propertyId(properties: Properties): number {
    const text = JSON.stringify(properties);
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#texts.length;
      const bytes = Buffer.from(text);
      this.#ids.set(text, id);
      this.#texts.push(bytes);
      // Twice the text, and what the map and the array take for it.
      this.#textBytes += 2 * bytes.length + 200;
    }
    return id;
  }

  add(piece: Piece & { zoom: number; x: number; y: number }): void {
    if (this.#held === this.#high.length) this.#grow();
    const id = this.#tileId(piece.zoom, piece.x, piece.y);
    const at = this.#held++;
    this.#high[at] = id / 4294967296;
    this.#low[at] = id >>> 0;
    this.#starts[at] = this.#pieces.length;
    this.#properties[at] = piece.properties;
    writePiece(this.#pieces, piece);
  }

  /** Neighbours in the extract mostly are in the same tile of a zoom. */
  #tileId(zoom: number, x: number, y: number): number {
    const last = this.#last[zoom];
    if (last?.x === x && last.y === y) return last.id;
    const id = tileId(zoom, x, y);
    this.#last[zoom] = { x, y, id };
    return id;
  }

  /** Between two features: their properties' numbers hold until here. */
  rest(): void {
    if (this.#pieces.length + this.#held * PER_PIECE + this.#textBytes >= this.#limit) this.#spill();
  }

  /** Everything is on disk. */
  finish(): Run[] {
    this.#spill();
    return this.runs;
  }

  #spill(): void {
    const count = this.#held;
    if (count === 0) return;
    const path = this.#pathOf(this.runs.length);
    const order = radixOrder(this.#high, this.#low, count, new Uint32Array(count), new Uint32Array(count));
    const bytes = this.#pieces.view();
    const out = new ProtobufWriter();
    const run = new RunWriter(path);
    const tiles = `${path}-tiles`;
    const list = new TileListWriter(tiles);
    // Which properties the record has already, and as which number.
    const seenIn = new Uint32Array(this.#texts.length);
    const numbers = new Uint32Array(this.#texts.length);
    let record = 0;
    try {
      for (let i = 0; i < count; ) {
        const [high, low] = [this.#high[order[i]], this.#low[order[i]]];
        let end = i;
        while (end < count && this.#low[order[end]] === low && this.#high[order[end]] === high) end++;
        record++;
        out.clear();
        const texts: number[] = [];
        for (let k = i; k < end; k++) {
          const id = this.#properties[order[k]];
          if (seenIn[id] === record) continue;
          seenIn[id] = record;
          numbers[id] = texts.push(id) - 1;
        }
        out.varint(texts.length);
        for (const id of texts) out.bytes(this.#texts[id]);
        for (; i < end; i++) {
          const at = order[i];
          out.varint(numbers[this.#properties[at]]);
          out.raw(bytes, this.#starts[at], at + 1 < count ? this.#starts[at + 1] : bytes.length);
        }
        const view = out.view();
        const tile = high * 4294967296 + low;
        run.append(tile, view, 0, view.length);
        list.add(tile, run.position - view.length, view);
      }
    } finally {
      list.close();
      run.close();
    }
    this.runs.push({ path, bytes: run.length, tiles });
    this.#pieces.clear();
    this.#ids.clear();
    this.#texts = [];
    this.#textBytes = 0;
    this.#held = 0;
  }

  #grow(): void {
    const doubled = (column: Uint32Array<ArrayBuffer>) => {
      const larger = new Uint32Array(column.length * 2);
      larger.set(column);
      return larger;
    };
    this.#high = doubled(this.#high);
    this.#low = doubled(this.#low);
    this.#starts = doubled(this.#starts);
    this.#properties = doubled(this.#properties);
  }
}
