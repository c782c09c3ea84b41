import { codesOf, lengthsOf } from "./prefix-code.ts";

/**
 * zlib (RFC 1950, 1951) for the rows of a palette image. Repetitions in a map are to the left, above, or where the same
 * four indexes last occurred: only these three positions are examined, which takes half to nine tenths of the time of
 * zlib at its default level and produces 5 to 14 % more bytes. Each call of `write` becomes a block with its own codes.
 */
const WINDOW = 32_768;
const MAX_LENGTH = 258;
const SHORTEST = 3;
/** A match in the row above costs about 12 bits, one elsewhere about 20: as much as three or four indexes. */
const SHORTEST_ABOVE = 4;
const SHORTEST_ANYWHERE = 5;
const HASH_BITS = 13;
const HASH_SIZE = 1 << HASH_BITS;
/** A match that is no longer than this has all its positions noted [bytes]. */
const NOTED = 8;
/** A match of this length is used without looking for a longer one [bytes]. */
const ENOUGH = 24;

const END = 256;
const LITERALS = 286;
const DISTANCES = 30;
/** The order in which the lengths of the code of lengths stand (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Of a length, its symbol less 257; of a distance, its symbol (RFC 1951, 3.2.5), and how many bits follow. */
const LENGTH_SYMBOL = new Uint8Array(MAX_LENGTH + 1);
const LENGTH_BASE = new Uint16Array(29);
const LENGTH_EXTRA = new Uint8Array(29);
const DISTANCE_BASE = new Uint16Array(DISTANCES);
const DISTANCE_EXTRA = new Uint8Array(DISTANCES);
fillTables();

function fillTables(): void {
  let length = SHORTEST;
  for (let symbol = 0; symbol < 28; symbol++) {
    LENGTH_EXTRA[symbol] = symbol < 8 ? 0 : (symbol >> 2) - 1;
    LENGTH_BASE[symbol] = length;
    for (let n = 1 << LENGTH_EXTRA[symbol]; n > 0 && length < MAX_LENGTH; n--) LENGTH_SYMBOL[length++] = symbol;
  }
  LENGTH_BASE[28] = MAX_LENGTH;
  LENGTH_SYMBOL[MAX_LENGTH] = 28;
  let distance = 1;
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    DISTANCE_EXTRA[symbol] = symbol < 4 ? 0 : (symbol >> 1) - 1;
    DISTANCE_BASE[symbol] = distance;
    distance += 1 << DISTANCE_EXTRA[symbol];
  }
}

function distanceSymbol(distance: number): number {
  if (distance <= 2) return distance - 1;
  const rest = distance - 1;
  const high = 31 - Math.clz32(rest);
  return 2 * high + ((rest >> (high - 1)) & 1);
}

/** Compresses rows incrementally. */
export class RowDeflater {
  readonly #stride: number;
  /** The end of the previous data, then the data being written. */
  #data = new Uint8Array(0);
  #history = 0;
  #tokens = new Uint32Array(0);
  /** By the hash of four bytes, their last position in #data; all positions shift by a chunk at a time. */
  readonly #seen = new Int32Array(HASH_SIZE).fill(-WINDOW - 1);
  readonly #literals = new Uint32Array(LITERALS);
  readonly #distances = new Uint32Array(DISTANCES);
  #low = 1;
  #high = 0;
  #out = new BitStream();

  /** @param stride bytes of a row: the position above is that far back */
  constructor(stride: number) {
    this.#stride = stride;
    this.#out.put(0x78, 8);
    this.#out.put(0x9c, 8);
  }

  /** Returns the buffer for the next `length` bytes, to be filled before `write` is called. */
  reserve(length: number): Uint8Array {
    const needed = this.#history + length;
    if (this.#data.length < needed) {
      const larger = new Uint8Array(WINDOW + length);
      larger.set(this.#data.subarray(0, this.#history));
      this.#data = larger;
      this.#tokens = new Uint32Array(length);
    }
    return this.#data.subarray(this.#history, needed);
  }

  /** Compresses the bytes in the reserved buffer. */
  write(length: number): void {
    const from = this.#history;
    const to = from + length;
    this.#check(from, to);
    const count = this.#match(from, to);
    this.#writeBlock(count);
    const kept = Math.min(WINDOW, to);
    this.#data.copyWithin(0, to - kept, to);
    this.#history = kept;
    const moved = to - kept;
    if (moved > 0) for (let i = 0; i < HASH_SIZE; i++) this.#seen[i] -= moved;
  }

  /** Returns the output completed since the last call. */
  take(): Uint8Array {
    return this.#out.take();
  }

  /** Ends the stream; `take` returns the rest. */
  finish(): void {
    const out = this.#out;
    // A last block with fixed codes that contains only its end.
    out.put(0b011, 3);
    out.put(0, 7);
    out.align();
    for (const half of [this.#high, this.#low]) {
      out.put(half >> 8, 8);
      out.put(half & 255, 8);
    }
  }

  /** Adler-32. */
  #check(from: number, to: number): void {
    const data = this.#data;
    let low = this.#low;
    let high = this.#high;
    for (let at = from; at < to; ) {
      // So many bytes do not overflow 31 bits.
      const end = Math.min(to, at + 3800);
      for (; at < end; at++) {
        low += data[at];
        high += low;
      }
      low %= 65521;
      high %= 65521;
    }
    this.#low = low;
    this.#high = high;
  }

  /** Notes literals and copies, each distance × 512 + length, and counts their symbols → how many there are. */
  #match(from: number, to: number): number {
    const data = this.#data;
    const tokens = this.#tokens;
    const seen = this.#seen;
    const stride = this.#stride;
    const literals = this.#literals.fill(0);
    const distances = this.#distances.fill(0);
    const aboveFrom = stride <= WINDOW ? stride : to;
    const hashEnd = to - 3;
    let count = 0;
    let at = from;
    while (at < to) {
      const value = data[at];
      let best = 0;
      let distance = 0;
      if (at > 0 && data[at - 1] === value) {
        let end = at + 1;
        while (end < to && data[end] === value) end++;
        best = end - at;
        distance = 1;
      }
      if (best < ENOUGH) {
        if (at >= aboveFrom && data[at - stride] === value) {
          let end = at + 1;
          while (end < to && data[end] === data[end - stride]) end++;
          // It costs some bits more.
          if (end - at > best + 1 && end - at >= SHORTEST_ABOVE) {
            best = end - at;
            distance = stride;
          }
        }
        if (best < ENOUGH && at < hashEnd) {
          const hash = hashOf(data, at);
          const back = at - seen[hash];
          seen[hash] = at;
          if (back <= WINDOW && data[at - back] === value && data[at + best - back] === data[at + best]) {
            let end = at + 1;
            while (end < to && data[end] === data[end - back]) end++;
            if (end - at > best + 1 && end - at >= SHORTEST_ANYWHERE) {
              best = end - at;
              distance = back;
            }
          }
        }
      }
      if (best < SHORTEST) {
        tokens[count++] = value;
        literals[value]++;
        at++;
        continue;
      }
      const end = at + best;
      if (distance > 1 && best <= NOTED) for (let i = at + 1; i < end && i < hashEnd; i++) seen[hashOf(data, i)] = i;
      const far = distanceSymbol(distance);
      while (at < end) {
        let length = Math.min(MAX_LENGTH, end - at);
        // None may be left that is too short for a copy.
        if (end - at > MAX_LENGTH && end - at < MAX_LENGTH + SHORTEST) length = MAX_LENGTH - SHORTEST;
        tokens[count++] = (distance << 9) | length;
        literals[257 + LENGTH_SYMBOL[length]]++;
        distances[far]++;
        at += length;
      }
    }
    literals[END]++;
    return count;
  }

  #writeBlock(count: number): void {
    const out = this.#out;
    const literalLengths = lengthsOf(this.#literals, 15);
    const distanceLengths = lengthsOf(this.#distances, 15);
    out.put(0b100, 3);
    writeLengths(out, literalLengths, distanceLengths);
    const codes = codesOf(literalLengths);
    const farCodes = codesOf(distanceLengths);
    out.tokens(this.#tokens, count, codes, literalLengths, farCodes, distanceLengths);
    out.put(codes[END], literalLengths[END]);
  }
}

/** Hash of four bytes, by a well-mixing multiplier (Knuth 1973, 6.4: the golden ratio). */
function hashOf(data: Uint8Array, at: number): number {
  const four = data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Writes the lengths of both codes, run-length encoded, in a separate code. */
function writeLengths(out: BitStream, literals: Uint8Array, distances: Uint8Array): void {
  const lastOf = (lengths: Uint8Array) => lengths.findLastIndex((length) => length > 0) + 1;
  const literalCount = Math.max(257, lastOf(literals));
  const distanceCount = Math.max(1, lastOf(distances));
  const all = Uint8Array.of(...literals.subarray(0, literalCount), ...distances.subarray(0, distanceCount));
  const tokens: [symbol: number, extra: number, extraBits: number][] = [];
  for (let i = 0; i < all.length; ) {
    const value = all[i];
    let run = 1;
    while (i + run < all.length && all[i + run] === value) run++;
    if (value === 0 && run >= 3) {
      run = Math.min(run, 138);
      tokens.push(run >= 11 ? [18, run - 11, 7] : [17, run - 3, 3]);
    } else {
      tokens.push([value, 0, 0]);
      run = Math.min(run - 1, 6);
      if (value > 0 && run >= 3) {
        tokens.push([16, run - 3, 2]);
        run++;
      } else run = 1;
    }
    i += run;
  }
  const counts = new Uint32Array(19);
  for (const [symbol] of tokens) counts[symbol]++;
  const lengths = lengthsOf(counts, 7);
  const codes = codesOf(lengths);
  const ordered = ORDER.findLastIndex((symbol) => lengths[symbol] > 0) + 1;
  out.put(literalCount - 257, 5);
  out.put(distanceCount - 1, 5);
  out.put(Math.max(4, ordered) - 4, 4);
  for (const symbol of ORDER.slice(0, Math.max(4, ordered))) out.put(lengths[symbol], 3);
  for (const [symbol, extra, extraBits] of tokens) {
    out.put(codes[symbol], lengths[symbol]);
    if (extraBits > 0) out.put(extra, extraBits);
  }
}

/** Bits from the lowest of each byte. */
class BitStream {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #buffer = 0;
  #pending = 0;

  /** At most 16 per call. */
  put(value: number, count: number): void {
    this.#reserve(2);
    this.#buffer |= value << this.#pending;
    this.#pending += count;
    if (this.#pending < 16) return;
    this.#bytes[this.#length++] = this.#buffer & 255;
    this.#bytes[this.#length++] = (this.#buffer >>> 8) & 255;
    this.#buffer >>>= 16;
    this.#pending -= 16;
  }

  /** Literals and copies as RowDeflater notes them. */
  tokens(
    tokens: Uint32Array,
    count: number,
    codes: Uint16Array,
    lengths: Uint8Array,
    farCodes: Uint16Array,
    farLengths: Uint8Array,
  ): void {
    // None takes more than 15 + 5 + 15 + 13 bits.
    this.#reserve(6 * count + 4);
    const bytes = this.#bytes;
    let at = this.#length;
    let buffer = this.#buffer;
    let pending = this.#pending;
    for (let i = 0; i < count; i++) {
      const token = tokens[i];
      const distance = token >>> 9;
      const length = token & 511;
      const near = LENGTH_SYMBOL[length];
      const symbol = distance === 0 ? token : 257 + near;
      buffer |= codes[symbol] << pending;
      pending += lengths[symbol];
      if (pending >= 16) {
        bytes[at++] = buffer & 255;
        bytes[at++] = (buffer >>> 8) & 255;
        buffer >>>= 16;
        pending -= 16;
      }
      if (distance === 0) continue;
      const far = distanceSymbol(distance);
      buffer |= (length - LENGTH_BASE[near]) << pending;
      pending += LENGTH_EXTRA[near];
      if (pending >= 16) {
        bytes[at++] = buffer & 255;
        bytes[at++] = (buffer >>> 8) & 255;
        buffer >>>= 16;
        pending -= 16;
      }
      buffer |= farCodes[far] << pending;
      pending += farLengths[far];
      if (pending >= 16) {
        bytes[at++] = buffer & 255;
        bytes[at++] = (buffer >>> 8) & 255;
        buffer >>>= 16;
        pending -= 16;
      }
      buffer |= (distance - DISTANCE_BASE[far]) << pending;
      pending += DISTANCE_EXTRA[far];
      if (pending >= 16) {
        bytes[at++] = buffer & 255;
        bytes[at++] = (buffer >>> 8) & 255;
        buffer >>>= 16;
        pending -= 16;
      }
    }
    this.#length = at;
    this.#buffer = buffer;
    this.#pending = pending;
  }

  /** Goes on with the next whole byte. */
  align(): void {
    this.#reserve(2);
    while (this.#pending > 0) {
      this.#bytes[this.#length++] = this.#buffer & 255;
      this.#buffer >>>= 8;
      this.#pending -= Math.min(8, this.#pending);
    }
  }

  /** The whole bytes so far, which are then forgotten. */
  take(): Uint8Array {
    while (this.#pending >= 8) {
      this.#reserve(1);
      this.#bytes[this.#length++] = this.#buffer & 255;
      this.#buffer >>>= 8;
      this.#pending -= 8;
    }
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + bytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
