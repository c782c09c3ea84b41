/**
 * Joins ways end to end into rings, by node id.
 *
 *     way 1: a b c     way 2: e d c     way 3: e a      →  ring a b c d e a
 *
 * Where more than two ends meet (rings that touch in a node) any of them is used, and a ring that comes back to a node
 * where ways met before is cut off there, so touching rings come out apart. A way that is listed twice counts once.
 */
export function joinWays(ways: readonly (readonly number[])[]): { rings: number[][]; open: number } {
  const rings: number[][] = [];
  const pieces: (readonly number[])[] = [];
  const seen = new Set<string>();
  for (const refs of ways) {
    if (refs.length < 2 || seen.has(fingerprint(refs))) continue;
    seen.add(fingerprint(refs));
    if (refs[0] !== refs[refs.length - 1]) pieces.push(refs);
    else if (refs.length >= 4) rings.push([...refs]);
  }

  const ends = new Map<number, number[]>();
  const addEnd = (node: number, piece: number) => {
    const list = ends.get(node);
    if (list) list.push(piece);
    else ends.set(node, [piece]);
  };
  pieces.forEach((refs, piece) => {
    addEnd(refs[0], piece);
    addEnd(refs[refs.length - 1], piece);
  });

  const used = new Uint8Array(pieces.length);
  const nextAt = (node: number) => ends.get(node)?.find((piece) => !used[piece]);
  let open = 0;
  for (let first = 0; first < pieces.length; first++) {
    if (used[first]) continue;
    used[first] = 1;
    const path = [...pieces[first]];
    /** Positions in the path where one way ends and the next begins. */
    const joints = new Map<number, number>([
      [path[0], 0],
      [path[path.length - 1], path.length - 1],
    ]);
    while (path.length > 1) {
      const end = path[path.length - 1];
      const next = nextAt(end);
      if (next === undefined) break;
      used[next] = 1;
      const refs = pieces[next];
      if (refs[0] === end) for (let i = 1; i < refs.length; i++) path.push(refs[i]);
      else for (let i = refs.length - 2; i >= 0; i--) path.push(refs[i]);
      const node = path[path.length - 1];
      const before = joints.get(node);
      if (before === undefined) {
        joints.set(node, path.length - 1);
        continue;
      }
      const ring = path.slice(before);
      path.length = before + 1;
      for (const [joint, position] of joints) if (position > before) joints.delete(joint);
      if (ring.length >= 4) rings.push(ring);
    }
    if (path.length > 1) open++;
  }
  return { rings, open };
}

/** The same for the same nodes in the same order or backwards. */
function fingerprint(refs: readonly number[]): string {
  const last = refs.length - 1;
  const sum = refs.reduce((a, b) => a + b, 0);
  return `${refs.length} ${sum} ${Math.min(refs[0], refs[last])} ${Math.min(refs[1], refs[last - 1])}`;
}
