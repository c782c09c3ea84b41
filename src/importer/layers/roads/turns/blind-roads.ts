/** The roads around a junction. */
export interface RoadsAround {
  /** The edges that leave the head of an edge. */
  leaving: (edge: number) => readonly number[];
  /** Those of them that a mode may take, the way back included; undefined where nothing is known of the head. */
  onward: (edge: number, mode: number) => readonly number[] | undefined;
}

/** How far and how much of a side road is looked at [edges]. A larger side road is a district with other exits. */
export const DEEPEST = 10;
const MAX_EDGES = 80;

/**
 * The modes (bits, of `modes`) for which a side road leads nowhere but back: a vehicle that turns from `via` into `side` can only come
 * out at the same junction, from where `next` leads on.
 *
 *     via ──▶ ● ──▶ next          however many branches and turning circles there are behind `side`, and whatever a mode
 *             │▲                  that may pass a bollard there can do
 *        side ▼│
 *           ┬──┴──┐
 */
export function blindModes(roads: RoadsAround, via: number, side: number, next: number, modes: number): number {
  let blind = 0;
  for (let mode = 0; modes >> mode > 0; mode++) {
    if ((modes & (1 << mode)) !== 0 && isBlind(roads, via, side, next, mode)) blind |= 1 << mode;
  }
  return blind;
}

/** Those of the modes (bits) that may go from an edge on to the next. */
export function modesOnward({ onward }: RoadsAround, edge: number, next: number, modes: number): number {
  let open = 0;
  for (let mode = 0; modes >> mode > 0; mode++) {
    if ((modes & (1 << mode)) !== 0 && onward(edge, mode)?.includes(next)) open |= 1 << mode;
  }
  return open;
}

function isBlind({ onward }: RoadsAround, via: number, side: number, next: number, mode: number): boolean {
  const seen = new Set([side]);
  let front = [side];
  for (let depth = 0; front.length > 0; depth++) {
    if (depth === DEEPEST) return false;
    const further: number[] = [];
    for (const edge of front) {
      const ways = onward(edge, mode);
      if (!ways) return false;
      // Back at the junction: what leads on from there is no part of the side road.
      if (ways.includes(next)) continue;
      for (const way of ways) {
        // On the road one came by: this is the way round, not a dead end.
        if (way === via) return false;
        if (!seen.has(way)) further.push(way);
        seen.add(way);
      }
      if (seen.size > MAX_EDGES) return false;
    }
    front = further;
  }
  return true;
}
