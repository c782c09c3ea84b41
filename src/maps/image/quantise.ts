/**
 * 256 colours for an image. A map is drawn in a few dozen flat colours, which keep their exact values; the rest are
 * mixtures at edges, which may move a little. Colours are counted in 32,768 buckets of 5 bits a channel, each standing
 * for the mean of its pixels, and the most frequent buckets become the palette.
 */
export interface Palette {
  /** Red, green, blue of each entry. */
  colors: Uint8Array;
  /** Rows with a leading zero (PNG's filter "none") and an index per pixel. */
  indexRows(pixels: Uint8Array, width: number, rows: number): Uint8Array;
}

const BUCKETS = 1 << 15;
const MAX_COLORS = 256;
const MAX_CANDIDATES = 4096;
/** Pixels of one colour from here on are not written one by one. */
const LONG_RUN = 32;

const bucketOf = (pixel: number): number => ((pixel & 0xf8) << 7) | ((pixel >> 6) & 0x3e0) | ((pixel >> 19) & 0x1f);

/** The palette of one picture. */
export function buildPalette(pixels: Uint8Array): Palette {
  const counts = new ColorCounts();
  counts.add(pixels);
  return counts.palette();
}

/** Counts the colours of an image that comes in pieces. */
export class ColorCounts {
  readonly #counts = new Uint32Array(BUCKETS);
  // The colour that fills most of a bucket, found by Boyer and Moore's majority vote.
  readonly #majority = new Uint32Array(BUCKETS);
  readonly #votes = new Int32Array(BUCKETS);

  add(pixels: Uint8Array): void {
    const words = wordsOf(pixels);
    const [counts, majority, votes] = [this.#counts, this.#majority, this.#votes];
    let i = 0;
    const n = words.length;
    while (i < n) {
      const word = words[i];
      const pixel = word & 0xffffff;
      let run = 1;
      while (i + run < n && words[i + run] === word) run++;
      const bucket = bucketOf(pixel);
      counts[bucket] += run;
      if (majority[bucket] === pixel) votes[bucket] += run;
      else if (votes[bucket] >= run) votes[bucket] -= run;
      else {
        votes[bucket] = run - votes[bucket];
        majority[bucket] = pixel;
      }
      i += run;
    }
  }

  palette(): Palette {
    return paletteOf(this.#counts, this.#majority);
  }
}

function paletteOf(counts: Uint32Array, majority: Uint32Array): Palette {
  const used: number[] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket++) if (counts[bucket] > 0) used.push(bucket);
  used.sort((a, b) => counts[b] - counts[a] || a - b);
  const chosen = spread(used, counts, majority);
  const colors = new Uint8Array(chosen.length * 3);
  chosen.forEach((bucket, k) => {
    const color = majority[bucket];
    colors.set([color & 255, (color >> 8) & 255, (color >> 16) & 255], k * 3);
  });
  const nearest = new Int16Array(BUCKETS).fill(-1);
  chosen.forEach((bucket, k) => {
    nearest[bucket] = k;
  });
  const find = (bucket: number): number => {
    const red = ((bucket >> 10) << 3) | 4;
    const green = (((bucket >> 5) & 31) << 3) | 4;
    const blue = ((bucket & 31) << 3) | 4;
    let best = 0;
    let least = Infinity;
    for (let k = 0; k < chosen.length; k++) {
      const dr = red - colors[3 * k];
      const dg = green - colors[3 * k + 1];
      const db = blue - colors[3 * k + 2];
      // The eye is most sensitive to green.
      const distance = 2 * dr * dr + 4 * dg * dg + db * db;
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    return best;
  };
  return {
    colors,
    indexRows(strip, width, rows) {
      const source = wordsOf(strip);
      const out = new Uint8Array((width + 1) * rows);
      let at = 0;
      let from = 0;
      for (let y = 0; y < rows; y++) {
        out[at++] = 0;
        const end = from + width;
        while (from < end) {
          const pixel = source[from];
          let to = from + 1;
          while (to < end && source[to] === pixel) to++;
          const bucket = bucketOf(pixel);
          let index = nearest[bucket];
          if (index < 0) {
            index = find(bucket);
            nearest[bucket] = index;
          }
          if (to - from > LONG_RUN) out.fill(index, at, at + to - from);
          else for (let i = 0; i < to - from; i++) out[at + i] = index;
          at += to - from;
          from = to;
        }
      }
      return out;
    },
  };
}

/** The most frequent buckets, and some of the others that are far from all of these: a small red pin must stay red. */
function spread(used: readonly number[], counts: Uint32Array, majority: Uint32Array): number[] {
  if (used.length <= MAX_COLORS) return [...used];
  const chosen = used.slice(0, MAX_COLORS - 64);
  // In a noisy picture some thousands are enough to choose from; all buckets would take a tenth of a second.
  const rest = used.slice(MAX_COLORS - 64, MAX_CANDIDATES);
  const channel = (shift: number) => Int32Array.from(rest, (bucket) => (majority[bucket] >> shift) & 255);
  const [reds, greens, blues] = [channel(0), channel(8), channel(16)];
  const shares = Float64Array.from(rest, (bucket) => Math.sqrt(counts[bucket]));
  const distances = new Float64Array(rest.length).fill(Infinity);
  /** Notes what is nearer to this colour than to those before. */
  const approach = (color: number) => {
    const [red, green, blue] = [color & 255, (color >> 8) & 255, (color >> 16) & 255];
    for (let i = 0; i < rest.length; i++) {
      const dr = reds[i] - red;
      const dg = greens[i] - green;
      const db = blues[i] - blue;
      const distance = 2 * dr * dr + 4 * dg * dg + db * db;
      if (distance < distances[i]) distances[i] = distance;
    }
  };
  for (const taken of chosen) approach(majority[taken]);
  while (chosen.length < MAX_COLORS) {
    let best = 0;
    let most = -1;
    for (let i = 0; i < rest.length; i++) {
      // Both the distance and the share of the image count.
      const weight = distances[i] * shares[i];
      if (weight > most) {
        most = weight;
        best = i;
      }
    }
    chosen.push(rest[best]);
    approach(majority[rest[best]]);
  }
  return chosen;
}

/** RGBA as little-endian words. */
function wordsOf(pixels: Uint8Array): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
