/**
 * Drops points of a line that are nearer than a tolerance to the line without them (D. H. Douglas and T. K. Peucker 1973).
 *
 * @param line x, y, x, y …; a ring repeats its first point
 */
export function simplifyLine(line: readonly number[], tolerance: number): number[] {
  const count = line.length / 2;
  if (count < 3) return [...line];
  const keeps = new Uint8Array(count);
  keeps[0] = 1;
  keeps[count - 1] = 1;
  // Each part leaves at most two, one of which is next.
  const waiting = new Int32Array(2 * count);
  waiting[1] = count - 1;
  for (let depth = 2; depth > 0; ) {
    const last = waiting[--depth];
    const first = waiting[--depth];
    const x = line[2 * first];
    const y = line[2 * first + 1];
    const dx = line[2 * last] - x;
    const dy = line[2 * last + 1] - y;
    const length2 = dx * dx + dy * dy;
    let farthest = -1;
    let most = tolerance * tolerance;
    for (let i = first + 1; i < last; i++) {
      const px = line[2 * i] - x;
      const py = line[2 * i + 1] - y;
      const share = length2 > 0 ? Math.max(0, Math.min(1, (px * dx + py * dy) / length2)) : 0;
      const ex = px - share * dx;
      const ey = py - share * dy;
      const distance2 = ex * ex + ey * ey;
      if (distance2 <= most) continue;
      farthest = i;
      most = distance2;
    }
    if (farthest < 0) continue;
    keeps[farthest] = 1;
    waiting[depth++] = first;
    waiting[depth++] = farthest;
    waiting[depth++] = farthest;
    waiting[depth++] = last;
  }
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (keeps[i] === 1) kept.push(line[2 * i], line[2 * i + 1]);
  return kept;
}
