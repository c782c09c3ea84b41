/**
 * Leaves out corners whose distance from the line without them is at most the tolerance (Douglas and Peucker 1973),
 * without recursion. `closed` parts do not repeat their first corner; their first corner and the one farthest from it
 * stay.
 */
export function simplify(part: readonly number[], tolerance: number, closed: boolean): number[] {
  const count = part.length / 2;
  if (count < 3) return part as number[];
  const keep = scratch(count + 1);
  const limit = tolerance * tolerance;
  keep[0] = 1;
  // A closed part is walked once round, back to corner 0, which then has the number `count`.
  const last = closed ? count : count - 1;
  keep[last] = 1;
  const stack = STACK;
  stack.length = 0;
  if (closed) {
    const far = farthest(part, count);
    keep[far] = 1;
    stack.push(0, far, far, last);
  } else stack.push(0, last);
  while (stack.length > 0) {
    const to = stack.pop()!;
    const from = stack.pop()!;
    let worst = limit;
    let at = -1;
    const end = to === count ? 0 : to;
    const ax = part[2 * from];
    const ay = part[2 * from + 1];
    const dx = part[2 * end] - ax;
    const dy = part[2 * end + 1] - ay;
    const length = dx * dx + dy * dy;
    for (let i = from + 1; i < to; i++) {
      const px = part[2 * i] - ax;
      const py = part[2 * i + 1] - ay;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
      const ex = px - share * dx;
      const ey = py - share * dy;
      const distance = ex * ex + ey * ey;
      if (distance > worst) {
        worst = distance;
        at = i;
      }
    }
    if (at < 0) continue;
    keep[at] = 1;
    stack.push(from, at, at, to);
  }
  const result: number[] = [];
  for (let i = 0; i < count; i++) if (keep[i]) result.push(part[2 * i], part[2 * i + 1]);
  return result;
}

function farthest(part: readonly number[], count: number): number {
  let best = -1;
  let at = 1;
  for (let i = 1; i < count; i++) {
    const dx = part[2 * i] - part[0];
    const dy = part[2 * i + 1] - part[1];
    if (dx * dx + dy * dy > best) {
      best = dx * dx + dy * dy;
      at = i;
    }
  }
  return at;
}

const STACK: number[] = [];
let kept = new Uint8Array(1024);

/** So many zeros, in the same array each time: most parts have a handful of corners. */
function scratch(count: number): Uint8Array {
  if (kept.length < count) kept = new Uint8Array(2 * count);
  else kept.fill(0, 0, count);
  return kept;
}
