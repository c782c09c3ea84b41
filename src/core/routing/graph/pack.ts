import type { ByteReader } from "../../geo/bytes/bytes.ts";
import type { Metric } from "./modes.ts";
import { type NarrowTable, narrowed, scratchFor, tableBytes, UNREACHABLE } from "./narrow.ts";
import { openObject } from "./object.ts";

export const PACK_MAGIC = "GRDP";
export const PACK_VERSION = 4;
/** Without codes of limits, and nothing that depends on the hour. */
const OLDER_VERSIONS = [3];

export { UNREACHABLE };

/**
 * Cost of crossing a cell: from the end of every edge that enters it to the end of every edge that leaves it. Entry r ×
 * outs.length + c belongs to ins[r], outs[c].
 */
export interface Clique {
  ins: Int32Array;
  outs: Int32Array;
  /** [0.1 s], UNREACHABLE where there is no way. */
  weight: Int32Array;
  /** Of the way with that weight: time [0.1 s] and distance [0.1 m]. */
  duration: Int32Array;
  distance: Int32Array;
  /**
   * Bits of the segments of the week (`segmentAt`) in which the way may be slower or closed: it is the best of all hours.
   * Absent if none is.
   */
  hours?: Uint8Array;
}

/** A cell as packs store it. */
export interface PackCell extends Clique {
  /** Of all its edges (`limitCodes`). */
  codes: Int32Array;
}

/** A clique as searches use it. */
export interface PackClique extends NarrowTable {
  ins: Int32Array;
  outs: Int32Array;
}

/**
 * An overlay pack: the cliques of all cells (of one level) inside one cell (of the next) for one metric.
 *
 *     cells       u        how many; their numbers follow from the manifest
 *     per cell:
 *       counts    u × 2    edges in, edges out
 *       ins       u each   difference to the id before; ascending
 *       outs      s each   likewise
 *       weight    plane    0 = no route, else weight + 1
 *       duration  plane    weight − duration, 0 if there is no route
 *       distance  plane    likewise
 *     per cell: codes      count u, then u each: difference to the code before
 *     per cell with ways that depend on the hour, to the end:
 *       cell      u        difference to the one before
 *       hours     byte × entries
 *
 * A plane is a table of numbers row by row, each as the difference (s) to `above + left − above left`: routes into a
 * cell that soon merge differ by the same amount wherever they lead, so most differences are 0.
 */
export class Pack {
  readonly cliques: readonly PackClique[];
  /** By cell: the limits on its edges, and the highest speed (`limitCodes`); undefined in older packs. */
  readonly codes: readonly Int32Array[] | undefined;
  readonly size: number;

  constructor(reader: ByteReader) {
    const cells = reader.unsigned();
    const cliques: PackClique[] = [];
    let size = 200;
    for (let cell = 0; cell < cells; cell++) {
      const ins = new Int32Array(reader.unsigned());
      const outs = new Int32Array(reader.unsigned());
      for (let i = 0, last = 0; i < ins.length; i++) ins[i] = last += reader.unsigned();
      for (let i = 0, last = 0; i < outs.length; i++) outs[i] = last += reader.signed();
      const entries = ins.length * outs.length;
      const scratch = scratchFor(entries);
      const { weight, duration } = scratch;
      readPlane(reader, weight, entries, outs.length);
      readPlane(reader, duration, entries, outs.length);
      readPlane(reader, scratch.distance, entries, outs.length);
      for (let i = 0; i < entries; i++) {
        weight[i] = weight[i] === 0 ? UNREACHABLE : weight[i] - 1;
        if (weight[i] < UNREACHABLE) duration[i] = weight[i] - duration[i];
      }
      const clique: PackClique = { ins, outs, ...narrowed(scratch, entries), hours: undefined };
      cliques.push(clique);
      // Edges in and out a second time, as a numbering has them.
      size += CLIQUE + (ins.length + outs.length) * 8 + tableBytes(clique);
    }
    this.cliques = cliques;
    const isOlder = reader.at >= reader.bytes.length && cells > 0;
    this.codes = isOlder
      ? undefined
      : cliques.map(() => {
          const codes = new Int32Array(reader.unsigned());
          for (let i = 0, last = 0; i < codes.length; i++) codes[i] = last += reader.unsigned();
          size += CODES + codes.byteLength;
          return codes;
        });
    for (let cell = 0; reader.at < reader.bytes.length; ) {
      cell += reader.unsigned();
      const { ins, outs } = cliques[cell];
      cliques[cell].hours = reader.copy(ins.length * outs.length);
      size += ins.length * outs.length;
    }
    this.size = size;
  }
}

/** An array, in addition to its numbers [bytes]. */
const CODES = 120;

function readPlane(reader: ByteReader, plane: Int32Array, count: number, width: number): void {
  for (let at = 0; at < count; at += width) {
    // Along a row the differences to the row above add up: above + (left − above left) + difference.
    let off = 0;
    for (let i = at; i < at + width; i++) {
      off += reader.signed();
      plane[i] = (at > 0 ? plane[i - width] : 0) + off;
    }
  }
}

/** A clique's objects and arrays, as stored in the pack and in an edge index, in addition to their numbers [bytes]. */
const CLIQUE = 1200;

export async function readPack(bytes: Uint8Array): Promise<Pack> {
  return new Pack(await openObject(bytes, PACK_MAGIC, PACK_VERSION, OLDER_VERSIONS));
}

export const metricName = ({ mode, avoid, bucket = 0 }: Metric) => `${mode}/${avoid}${bucket > 0 ? `-${bucket}` : ""}`;

/** Name of a pack; it contains only the parts of the metric that affect `parent` (`Manifest.packMetric`). */
export const packKey = (metric: Metric, level: number, parent: number) =>
  `roads/packs/${metricName(metric)}/${level}/${parent}`;
/**
 * Key of all packs of a mode for a parent, for packs in no bundle: one after the other, each with its own checksum,
 * because ranges are read (`Manifest.packRange`). Nearly every change of a weight changes all of them.
 */
export const topKey = (mode: number, level: number, parent: number) => `roads/packs/${mode}/${level}/${parent}`;
/** Key of a bundle; likewise (`Manifest.bundleMetric`). */
export const bundleKey = (metric: Metric, district: number) => `roads/bundles/${metricName(metric)}/${district}`;

export const tileKey = (tile: number) => `roads/tiles/${tile}`;
export const districtKey = (district: number) => `roads/districts/${district}`;
/** Key of the road manifest in a build. */
export const MANIFEST_KEY = "roads/manifest";
