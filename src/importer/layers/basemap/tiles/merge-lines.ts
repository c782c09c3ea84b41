/**
 * Joins lines that continue each other into as few as can be, so that a name fits along them. Where more than two
 * ends meet, the first fits. The direction of a line counts: ends join only beginnings.
 */
export function mergeLines(lines: readonly number[][]): number[][] {
  if (lines.length < 2) return [...lines];
  const key = (line: readonly number[], at: number) => line[at] * 65_536 + line[at + 1];
  const byStart = new Map<number, number[]>();
  lines.forEach((line, i) => {
    const start = key(line, 0);
    const list = byStart.get(start);
    if (list) list.push(i);
    else byStart.set(start, [i]);
  });
  const next = new Int32Array(lines.length).fill(-1);
  const hasBefore = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    const list = byStart.get(key(line, line.length - 2));
    const follower = list?.find((candidate) => !hasBefore[candidate] && candidate !== i);
    if (follower === undefined) return;
    next[i] = follower;
    hasBefore[follower] = 1;
  });
  const merged: number[][] = [];
  const used = new Uint8Array(lines.length);
  const follow = (first: number) => {
    const line = [...lines[first]];
    used[first] = 1;
    for (let i = next[first]; i >= 0 && !used[i]; i = next[i]) {
      used[i] = 1;
      for (let k = 2; k < lines[i].length; k++) line.push(lines[i][k]);
    }
    merged.push(line);
  };
  for (let i = 0; i < lines.length; i++) if (!hasBefore[i]) follow(i);
  // The lines that are left are closed.
  for (let i = 0; i < lines.length; i++) if (!used[i]) follow(i);
  return merged;
}
