/** Where bits go, the lowest first. */
interface Bits {
  put(value: number, count: number): void;
}

/** A canonical prefix code (Huffman 1952), as WebP writes it. */
export interface Code {
  /** Of each symbol [bits]; 0 for those that do not occur. */
  lengths: Uint8Array;
  put(bits: Bits, symbol: number): void;
}

const MAX_LENGTH = 15;

/** The code for symbols with these frequencies, at most 15 bits long. A single symbol costs nothing. */
export function huffmanCode(counts: Uint32Array, longest = MAX_LENGTH): Code {
  const lengths = lengthsOf(counts, longest);
  const codes = codesOf(lengths);
  const used = lengths.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0);
  return {
    lengths,
    put(bits, symbol) {
      if (used > 1) bits.put(codes[symbol], lengths[symbol]);
    },
  };
}

/** A symbol in the key by which leaves are sorted: weights come first. */
const SYMBOLS = 1 << 12;

/** Lengths of a Huffman tree; if it is too deep, the counts of rare symbols are raised until it is not. */
export function lengthsOf(counts: Uint32Array, longest: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols: number[] = [];
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol] > 0) symbols.push(symbol);
  const used = symbols.length;
  if (used === 1) lengths[symbols[0]] = 1;
  if (used <= 1) return lengths;
  // Leaves from light to heavy, then what they are joined to, in this order: each node is before the one that it is a part of.
  const weights = new Float64Array(2 * used - 1);
  const whole = new Uint16Array(2 * used - 1);
  const depths = new Uint8Array(2 * used - 1);
  for (let least = 1; ; least *= 2) {
    const leaves = Float64Array.from(symbols, (symbol) => Math.max(least, counts[symbol]) * SYMBOLS + symbol).sort();
    for (let k = 0; k < used; k++) weights[k] = Math.floor(leaves[k] / SYMBOLS);
    // Two queues (van Leeuwen 1976).
    let [leaf, joined] = [0, used];
    for (let node = used; node < weights.length; node++) {
      weights[node] = 0;
      for (let part = 0; part < 2; part++) {
        const one = joined >= node || (leaf < used && weights[leaf] <= weights[joined]) ? leaf++ : joined++;
        weights[node] += weights[one];
        whole[one] = node;
      }
    }
    let deepest = 0;
    for (let node = weights.length - 2; node >= 0; node--) depths[node] = depths[whole[node]] + 1;
    for (let k = 0; k < used; k++) {
      lengths[leaves[k] % SYMBOLS] = depths[k];
      deepest = Math.max(deepest, depths[k]);
    }
    if (deepest <= longest) return lengths;
  }
}

/** Canonical codes, their first bit lowest. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(17);
  for (const length of lengths) if (length > 0) counts[length]++;
  const next = new Uint16Array(17);
  for (let length = 1; length <= 16; length++) next[length] = (next[length - 1] + counts[length - 1]) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    let code = next[length]++;
    let reversed = 0;
    for (let i = 0; i < length; i++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    codes[symbol] = reversed;
  }
  return codes;
}

/** The order in which the lengths of the code of lengths stand (RFC 9649, 6.2.1). */
const ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** Writes a code itself: up to two symbols below 256 by name, others by their lengths, runs of zeros shortened. */
export function writeCode(bits: Bits, { lengths }: Code): void {
  const symbols = [...lengths.keys()].filter((symbol) => lengths[symbol] > 0);
  if (symbols.length <= 2 && symbols.every((symbol) => symbol < 256)) {
    bits.put(1, 1);
    const [first = 0, second] = symbols;
    bits.put(second === undefined ? 0 : 1, 1);
    bits.put(first > 1 ? 1 : 0, 1);
    bits.put(first, first > 1 ? 8 : 1);
    if (second !== undefined) bits.put(second, 8);
    return;
  }
  const tokens: [symbol: number, extra: number, extraBits: number][] = [];
  for (let i = 0; i < lengths.length; ) {
    let zeros = 0;
    while (i + zeros < lengths.length && lengths[i + zeros] === 0 && zeros < 138) zeros++;
    if (zeros >= 11) tokens.push([18, zeros - 11, 7]);
    else if (zeros >= 3) tokens.push([17, zeros - 3, 3]);
    else {
      tokens.push([lengths[i++], 0, 0]);
      continue;
    }
    i += zeros;
  }
  const counts = new Uint32Array(19);
  for (const [symbol] of tokens) counts[symbol]++;
  const code = huffmanCode(counts, 7);
  bits.put(0, 1);
  bits.put(19 - 4, 4);
  for (const symbol of ORDER) bits.put(code.lengths[symbol], 3);
  // Lengths of all symbols follow.
  bits.put(0, 1);
  for (const [symbol, extra, extraBits] of tokens) {
    code.put(bits, symbol);
    if (extraBits > 0) bits.put(extra, extraBits);
  }
}
