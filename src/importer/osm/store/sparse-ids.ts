import { ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import { ID_LIMIT } from "./id-set.ts";

/**
 * Ids that are far apart, such as those of ways that are members of relations: two bytes each, and a look-up is a binary
 * search among the ids with the same number of 65,536. The arrays are in memory that threads share.
 *
 *     starts[id >> 16] … starts[(id >> 16) + 1]: the range in `lows` of the last 16 bits of such ids, ascending
 */
export interface SparseIdArrays {
  starts: Uint32Array;
  lows: Uint16Array;
}

const STEP = 65536;

export class SparseIds {
  readonly arrays: SparseIdArrays;

  constructor(arrays: SparseIdArrays) {
    this.arrays = arrays;
  }

  get size(): number {
    return this.arrays.lows.length;
  }

  has(id: number): boolean {
    const { starts, lows } = this.arrays;
    const step = Math.floor(id / STEP);
    const wanted = id % STEP;
    let low = starts[step];
    let high = starts[step + 1] - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (lows[middle] === wanted) return true;
      if (lows[middle] < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  /** Those from `first` to `last`, as bytes that distinguish them from others. */
  between(first: number, last: number): Uint8Array {
    const out = new ProtobufWriter();
    const { starts, lows } = this.arrays;
    for (let step = Math.max(0, Math.floor(first / STEP)); step <= Math.floor(last / STEP); step++) {
      for (let i = starts[step]; i < starts[step + 1]; i++) {
        const id = step * STEP + lows[i];
        if (id >= first && id <= last) out.varint(id - first);
      }
    }
    return out.finish();
  }

  /** As bytes: how many, and each as the step from the one before (varints). */
  encode(): Uint8Array {
    const { starts, lows } = this.arrays;
    const out = new ProtobufWriter();
    out.varint(lows.length);
    let last = 0;
    for (let step = 0; step + 1 < starts.length; step++) {
      for (let i = starts[step]; i < starts[step + 1]; i++) {
        out.varint(step * STEP + lows[i] - last);
        last = step * STEP + lows[i];
      }
    }
    return out.finish();
  }

  static decode(bytes: Uint8Array): SparseIds {
    const reader = new ProtobufReader(bytes);
    const count = reader.varint();
    const record = { key: 0 };
    const each = function* () {
      while (reader.more) {
        record.key += reader.varint();
        yield record;
      }
    };
    return SparseIds.of(each(), count);
  }

  /** Of ids that come in ascending order, at most `count` of them; of equal ones all but one are passed over. */
  static of(ascending: Iterable<{ readonly key: number }>, count: number): SparseIds {
    const lows = new Uint16Array(new SharedArrayBuffer(2 * count));
    const starts = new Uint32Array(new SharedArrayBuffer(4 * (ID_LIMIT / STEP + 1)));
    let used = 0;
    let step = 0;
    let last = -1;
    for (const { key } of ascending) {
      if (key === last) continue;
      last = key;
      while (step < Math.floor(key / STEP)) starts[++step] = used;
      lows[used++] = key % STEP;
    }
    starts.fill(used, step + 1);
    return new SparseIds({ starts, lows: lows.subarray(0, used) });
  }
}
