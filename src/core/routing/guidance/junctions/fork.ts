import { bend, deviation, FUZZY, GROUP, NARROW } from "./angles.ts";
import { nameChanges } from "./names.ts";
import { obviousByClass } from "./road.ts";
import type { Branch, View } from "./view.ts";
import { straightmost } from "./view.ts";

/** The branches of a fork: right … left, two or three adjacent ones in `View.branches`. */
export interface Fork {
  right: number;
  left: number;
}

/**
 * Two or three roads that part at a narrow angle ahead, none of them the obvious one (criteria: OSRM, BSD-2-Clause,
 * guidance/turn_handler.cpp).
 *
 *      \   /        \ | /            /___
 *       \ /          \|/            /
 *        │            │            │
 *       fork         fork       not a fork: one of the two is not ahead
 */
export function findFork(view: View): Fork | undefined {
  const fork = candidates(view);
  if (!fork) return undefined;
  const { branches, via } = view;
  const { right, left } = fork;
  const beyond = branches[left + 1] ?? branches[0];
  if (deviation(branches[left].angle, beyond.angle) < GROUP) return undefined;
  if (deviation(branches[right].angle, branches[right - 1].angle) < GROUP) return undefined;

  const members = branches.slice(right, left + 1);
  const link = members[0].road.link;
  for (const a of members) {
    if (!a.entry || a.road.mode !== via.mode || a.road.link !== link) return undefined;
    for (const b of members) if (a !== b && obviousByClass(via, a.road, b.road)) return undefined;
  }
  for (let i = 1; i < members.length; i++) {
    if (obviousOfTwo(view, members[i - 1], members[i]) || obviousOfTwo(view, members[i], members[i - 1]))
      return undefined;
  }
  return fork;
}

/** By angles alone: the outermost roads on either side that still belong to the bundle ahead. */
function candidates(view: View): Fork | undefined {
  if (view.branches.length < 3) return undefined;
  const ahead = straightmost(view);
  if (bend(view.branches[ahead].angle) > NARROW) return undefined;
  const right = outermost(view.branches, ahead, -1);
  const left = outermost(view.branches, ahead, 1);
  return right < left && left - right < 3 ? { right, left } : undefined;
}

function outermost(branches: Branch[], from: number, step: 1 | -1): number {
  let index = from;
  for (;;) {
    const next = index + step;
    // The arrival road ends the search to the right.
    if (next < 0 || next >= branches.length) return index;
    const apart = deviation(branches[index].angle, branches[next].angle);
    const away = bend(branches[next].angle) > NARROW;
    if (away && (apart > NARROW || bend(branches[index].angle) > GROUP)) return index;
    index = next;
  }
}

/** Returns whether `road` is the obvious one of two branches of a potential fork. */
function obviousOfTwo(view: View, road: Branch, other: Branch): boolean {
  const { via } = view;
  if (obviousByClass(via, road.road, other.road)) return true;
  if (obviousByClass(via, other.road, road.road)) return false;
  const own = bend(road.angle);
  const its = bend(other.angle);
  if (own < 1e-9 && via.name !== "" && !nameChanges(via, road.road)) return true;
  const MUCH_NARROWER = 1.4;
  return its > MUCH_NARROWER * own && Math.abs(its - own) > FUZZY;
}
