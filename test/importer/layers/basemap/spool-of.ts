import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Properties } from "../../../../src/core/maps/tiles/mvt.ts";
import { type Piece, PieceReader } from "../../../../src/importer/layers/basemap/tiles/piece.ts";
import { PieceSpool } from "../../../../src/importer/layers/basemap/tiles/spool.ts";
import { mergeToFit, tileBatches } from "../../../../src/importer/layers/basemap/tiles/tile-batches.ts";

export interface ReadTile {
  id: number;
  pieces: (Piece & { told: Properties })[];
}

/** A spool in a folder of its own, and everything in it by tile, read within `mergeMemory`. */
export function spoolOf(memory: number, mergeMemory = 64e6) {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  const spool = new PieceSpool((run) => join(folder, `run-${run}`), memory);
  return {
    spool,
    /** Removes the folder. */
    tiles(): ReadTile[] {
      const runs = mergeToFit(spool.finish(), mergeMemory, (run) => join(folder, `merged-${run}`));
      const reader = new PieceReader();
      const found: ReadTile[] = [];
      for (const { tiles, ends, bytes } of tileBatches(runs)) {
        for (let i = 0; i < tiles.length; ) {
          const id = tiles[i];
          const records: Uint8Array[] = [];
          for (; tiles[i] === id; i++) records.push(bytes.subarray(ends[i - 1] ?? 0, ends[i]));
          const pieces = reader.read(records);
          found.push({
            id,
            pieces: pieces.map((piece) => ({ ...piece, told: reader.propertiesOf(piece.properties) })),
          });
        }
      }
      rmSync(folder, { recursive: true });
      return found;
    },
  };
}
