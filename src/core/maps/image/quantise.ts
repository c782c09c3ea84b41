/**
 * A palette of 256 colors for an image. A map is drawn in a few dozen flat colors, which keep their exact values; the
 * rest are mixtures at edges, which may change slightly. Colors are counted in 32,768 buckets of 5 bits per channel, and
 * the most frequent buckets become the palette, each represented by its majority. Flat colors that share a bucket, as in
 * almost white or almost black styles, have entries of their own.
 */
export interface Palette {
  /** Red, green, blue of each entry. */
  colors: Uint8Array;
  /** Rows with a leading zero (PNG's filter "none") and an index per pixel, written to the first bytes of `out`. */
  indexRows(pixels: Uint8Array, width: number, rows: number, out?: Uint8Array): Uint8Array;
}

/** Colors count as flat by their runs from this length on [pixels], and if they cover this share of the image. */
const FLAT_RUN = 12;
const MIN_FLAT_SHARE = 0.001;
/** Entries for flat colors besides the majority of their bucket. */
const MAX_FLAT = 32;
/** Distinct colors of runs that are counted: bounds the memory of an image that is all noise. */
const MAX_RUN_COLORS = 4096;

const BUCKETS = 1 << 15;
const MAX_COLORS = 256;
/** Runs of pixels of one color from this length on are not written pixel by pixel. */
const LONG_RUN = 32;
const MAX_CANDIDATES = 4096;
/** More than any image has [pixels]. */
const MAX_PIXELS = 2 ** 32;
/** More than the distance of any two colors, squared and weighted. */
const FARTHEST = 1 << 20;

const bucketOf = (pixel: number): number => ((pixel & 0xf8) << 7) | ((pixel >> 6) & 0x3e0) | ((pixel >> 19) & 0x1f);

/**
 * Entry of a bucket in the table: its pixels, its majority color (Boyer and Moore's majority vote), and that color's
 * lead.
 */
const ENTRY = 4;
const MAJORITY = 1;
const VOTES = 2;

/** Counts the colors of an image incrementally. */
export class ColorCounts {
  // The counts of a bucket are adjacent: one access to memory, not three.
  readonly #table = new Int32Array(ENTRY * BUCKETS);
  /** Pixels in long runs by color. */
  readonly #runs = new Map<number, number>();
  #pixels = 0;

  add(pixels: Uint8Array): void {
    const words = wordsOf(pixels);
    const table = this.#table;
    let i = 0;
    const n = words.length;
    const runs = this.#runs;
    this.#pixels += n;
    while (i < n) {
      const word = words[i];
      const from = i;
      do i++;
      while (i < n && words[i] === word);
      const run = i - from;
      const pixel = word & 0xffffff;
      if (run >= FLAT_RUN) {
        const before = runs.get(pixel);
        if (before !== undefined || runs.size < MAX_RUN_COLORS) runs.set(pixel, (before ?? 0) + run);
      }
      // bucketOf(), which is called for each run also before it is compiled.
      const entry = ENTRY * (((pixel & 0xf8) << 7) | ((pixel >> 6) & 0x3e0) | ((pixel >> 19) & 0x1f));
      table[entry] += run;
      const votes = table[entry + VOTES];
      if (table[entry + MAJORITY] === pixel) table[entry + VOTES] = votes + run;
      else if (votes >= run) table[entry + VOTES] = votes - run;
      else {
        table[entry + VOTES] = run - votes;
        table[entry + MAJORITY] = pixel;
      }
    }
  }

  palette(): Palette {
    const counts = new Uint32Array(BUCKETS);
    const majority = new Uint32Array(BUCKETS);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      counts[bucket] = this.#table[ENTRY * bucket];
      majority[bucket] = this.#table[ENTRY * bucket + MAJORITY];
    }
    return paletteOf(counts, majority, this.#flat(majority));
  }

  /** Flat colors that are not the majority of their bucket, the most frequent first. */
  #flat(majority: Uint32Array): number[] {
    const least = MIN_FLAT_SHARE * this.#pixels;
    return [...this.#runs]
      .filter(([pixel, count]) => count >= least && majority[bucketOf(pixel)] !== pixel)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, MAX_FLAT)
      .map(([pixel]) => pixel);
  }
}

function paletteOf(counts: Uint32Array, majority: Uint32Array, flat: readonly number[]): Palette {
  const chosen = spread(byFrequency(counts), counts, majority, MAX_COLORS - flat.length);
  const words = Uint32Array.from([...chosen.map((bucket) => majority[bucket]), ...flat]);
  const colors = new Uint8Array(words.length * 3);
  words.forEach((color, k) => {
    colors.set([color & 255, (color >> 8) & 255, (color >> 16) & 255], k * 3);
  });
  /** Index of a bucket's color; -1: not known yet; -2 and below: one of several, shared[-2 − value]. */
  const nearest = new Int16Array(BUCKETS).fill(-1);
  const shared: number[][] = [];
  chosen.forEach((bucket, k) => {
    nearest[bucket] = k;
  });
  flat.forEach((pixel, i) => {
    const bucket = bucketOf(pixel);
    const known = nearest[bucket];
    if (known < -1) shared[-2 - known].push(chosen.length + i);
    else {
      nearest[bucket] = -2 - shared.length;
      shared.push(known < 0 ? [chosen.length + i] : [known, chosen.length + i]);
    }
  });
  return {
    colors,
    indexRows(strip, width, rows, out = new Uint8Array((width + 1) * rows)) {
      const source = wordsOf(strip);
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
          if (index < -1) index = nearestAmong(words, shared[-2 - index], pixel);
          else if (index < 0) {
            index = nearestTo(words, bucket);
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

/** The nearest color to a pixel of those in its bucket. */
function nearestAmong(words: Uint32Array, indices: readonly number[], pixel: number): number {
  let best = indices[0];
  let least = FARTHEST;
  for (const k of indices) {
    const distance = apart(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, words[k]);
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

/** The nearest color to the middle of a bucket. */
function nearestTo(words: Uint32Array, bucket: number): number {
  const red = ((bucket >> 10) << 3) | 4;
  const green = (((bucket >> 5) & 31) << 3) | 4;
  const blue = ((bucket & 31) << 3) | 4;
  let best = 0;
  let least = FARTHEST;
  for (let k = 0; k < words.length; k++) {
    const distance = apart(red, green, blue, words[k]);
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

/** The buckets that are used, the most frequent first; where two are as frequent, the lower one. */
function byFrequency(counts: Uint32Array): number[] {
  const keys = new Float64Array(BUCKETS);
  let used = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++)
    if (counts[bucket] > 0) keys[used++] = (MAX_PIXELS - counts[bucket]) * BUCKETS + bucket;
  return Array.from(keys.subarray(0, used).sort(), (key) => key % BUCKETS);
}

/** The most frequent buckets, and some of the others that are far from all of these: a small red pin must stay red. */
function spread(used: readonly number[], counts: Uint32Array, majority: Uint32Array, most: number): number[] {
  if (used.length <= most) return [...used];
  const common = most - 64;
  const chosen = used.slice(0, common);
  // In a noisy image a few thousand are enough to choose from; all buckets would take a tenth of a second.
  const rest = used.slice(common, MAX_CANDIDATES);
  const channel = (shift: number) => Int32Array.from(rest, (bucket) => (majority[bucket] >> shift) & 255);
  const [reds, greens, blues] = [channel(0), channel(8), channel(16)];
  const shares = Float64Array.from(rest, (bucket) => Math.sqrt(counts[bucket]));
  const distances = new Int32Array(rest.length).fill(FARTHEST);
  const taken = Uint32Array.from(chosen, (bucket) => majority[bucket]);
  for (let i = 0; i < distances.length; i++)
    for (let k = 0; k < taken.length; k++) {
      const distance = apart(reds[i], greens[i], blues[i], taken[k]);
      if (distance < distances[i]) distances[i] = distance;
    }
  for (;;) {
    let best = 0;
    let heaviest = -1;
    for (let i = 0; i < distances.length; i++) {
      // Both the distance and the share of the image count.
      const weight = distances[i] * shares[i];
      if (weight > heaviest) {
        heaviest = weight;
        best = i;
      }
    }
    chosen.push(rest[best]);
    if (chosen.length === most) return chosen;
    const color = majority[rest[best]];
    for (let i = 0; i < distances.length; i++) {
      const distance = apart(reds[i], greens[i], blues[i], color);
      if (distance < distances[i]) distances[i] = distance;
    }
  }
}

/** Squared difference to a color: the eye is most sensitive to green. */
function apart(red: number, green: number, blue: number, color: number): number {
  const dr = red - (color & 255);
  const dg = green - ((color >> 8) & 255);
  const db = blue - ((color >> 16) & 255);
  return 2 * dr * dr + 4 * dg * dg + db * db;
}

/** RGBA as little-endian words: signed, because numbers beyond 31 bits are slower. */
function wordsOf(pixels: Uint8Array): Int32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
