/** A line along which a text may run: joined from pieces, with the distance from its start to each point. */
export interface Chain {
  /** x, y, x, y … [pixels at scale 1] */
  points: number[];
  /** Distance along the line from the start to each point [pixels at scale 1]. */
  way: number[];
  length: number;
}

/** Ends nearer than this belong together: tiles round to 1/8 pixel and more. */
const TOUCH = 2;
/** Pieces are joined when the line turns by at most 66 degrees. */
const STRAIGHT = 0.4;

/**
 * Joins pieces that continue each other.
 * @param directed pieces keep their direction, as required for the arrows of one-way streets
 */
export function joinChains(pieces: readonly number[][], directed = false): Chain[] {
  const used = new Uint8Array(pieces.length);
  const near = new Map<number, number[]>();
  const cell = (x: number, y: number) => Math.round(x / TOUCH) * 131071 + Math.round(y / TOUCH);
  const put = (x: number, y: number, i: number) => {
    const key = cell(x, y);
    const there = near.get(key);
    if (there) there.push(i);
    else near.set(key, [i]);
  };
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    put(piece[0], piece[1], i);
    if (!directed) put(piece[piece.length - 2], piece[piece.length - 1], i);
  }
  const chains: Chain[] = [];
  for (let i = 0; i < pieces.length; i++) {
    if (used[i]) continue;
    used[i] = 1;
    let line = pieces[i].slice();
    for (let turn = 0; turn < (directed ? 1 : 2); turn++) {
      for (;;) {
        const next = findNext(line, pieces, used, near, cell, directed);
        if (!next) break;
        used[next.index] = 1;
        const piece = next.reversed ? reversed(pieces[next.index]) : pieces[next.index];
        for (let k = 2; k < piece.length; k++) line.push(piece[k]);
      }
      if (!directed) line = reversed(line);
    }
    chains.push(measured(line));
  }
  return chains.sort((a, b) => b.length - a.length);
}

function findNext(
  line: readonly number[],
  pieces: readonly number[][],
  used: Uint8Array,
  near: ReadonlyMap<number, number[]>,
  cell: (x: number, y: number) => number,
  directed: boolean,
): { index: number; reversed: boolean } | undefined {
  const n = line.length;
  const [x, y] = [line[n - 2], line[n - 1]];
  const [dx, dy] = unit(x - line[n - 4], y - line[n - 3]);
  let best: { index: number; reversed: boolean } | undefined;
  let straightest = STRAIGHT;
  for (let oy = -1; oy <= 1; oy++) {
    for (let ox = -1; ox <= 1; ox++) {
      for (const index of near.get(cell(x + ox * TOUCH, y + oy * TOUCH)) ?? []) {
        if (used[index]) continue;
        const piece = pieces[index];
        const m = piece.length;
        const forward = Math.hypot(piece[0] - x, piece[1] - y) <= TOUCH;
        const backward = !directed && Math.hypot(piece[m - 2] - x, piece[m - 1] - y) <= TOUCH;
        if (!forward && !backward) continue;
        const [px, py] = forward
          ? unit(piece[2] - piece[0], piece[3] - piece[1])
          : unit(piece[m - 4] - piece[m - 2], piece[m - 3] - piece[m - 1]);
        const cosine = px * dx + py * dy;
        if (cosine > straightest) {
          straightest = cosine;
          best = { index, reversed: !forward };
        }
      }
    }
  }
  return best;
}

function unit(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

function reversed(line: readonly number[]): number[] {
  const back: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) back.push(line[i], line[i + 1]);
  return back;
}

/** Drops points closer than 1.5 pixels, which would make letters jitter. */
function measured(line: readonly number[]): Chain {
  const points = [line[0], line[1]];
  const way = [0];
  for (let i = 2; i < line.length; i += 2) {
    const step = Math.hypot(line[i] - points[points.length - 2], line[i + 1] - points[points.length - 1]);
    if (step < 1.5 && i < line.length - 2) continue;
    if (step === 0) continue;
    points.push(line[i], line[i + 1]);
    way.push(way[way.length - 1] + step);
  }
  return { points, way, length: way[way.length - 1] };
}

/** The point at a distance along a chain, and the direction there as a unit vector. */
export function pointAlong(chain: Chain, distance: number): [x: number, y: number, dx: number, dy: number] {
  const { points, way } = chain;
  const piece = pieceAt(way, distance);
  const length = way[piece] - way[piece - 1] || 1;
  const dx = points[2 * piece] - points[2 * piece - 2];
  const dy = points[2 * piece + 1] - points[2 * piece - 1];
  const t = (distance - way[piece - 1]) / length;
  return [points[2 * piece - 2] + t * dx, points[2 * piece - 1] + t * dy, dx / length, dy / length];
}

/**
 * Writes only the point: letters along lines request it so often that a list for each would cost as much as the rest.
 */
export function putPoint(out: Float64Array, at: number, { points, way }: Chain, distance: number): void {
  const piece = pieceAt(way, distance);
  const t = (distance - way[piece - 1]) / (way[piece] - way[piece - 1] || 1);
  const x = points[2 * piece - 2];
  const y = points[2 * piece - 1];
  out[at] = x + t * (points[2 * piece] - x);
  out[at + 1] = y + t * (points[2 * piece + 1] - y);
}

/** The number of the point that ends the piece at a distance. */
function pieceAt(way: readonly number[], distance: number): number {
  let low = 1;
  let high = way.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (way[middle] < distance) low = middle + 1;
    else high = middle;
  }
  return low;
}
