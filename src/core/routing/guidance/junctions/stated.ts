import { type JunctionManeuver, NO_MANEUVER } from "../junction-maneuver.ts";
import type { StatedTurn } from "../maneuver.ts";
import type { LegPath } from "../types.ts";
import { modifierOf } from "./angles.ts";
import { type View, viewOf } from "./view.ts";

interface Seen {
  view: View;
  maneuver: JunctionManeuver;
}

/**
 * The maneuver at a junction as mappers state it, if the path makes all turns that they describe.
 *
 *     ──from──▶ ○ ──via──▶ ○ ──to──▶      stated at the second junction for those only who come from the first road
 *
 * Roundabouts stay as they are: exits are counted from where they are entered.
 */
export function asStated(path: LegPath, index: number, seen: Seen | undefined): Seen | undefined {
  const { junctions, pieces } = path;
  const turn = junctions[index].stated?.().find((one) => (one.type || one.modifier) && isTraveled(path, index, one));
  if (!turn || seen?.maneuver.circle) return seen;
  const view = seen?.view ?? viewOf(junctions[index], pieces[index].road);
  const found = seen?.maneuver ?? NO_MANEUVER;
  // A side without a type makes a turn of a road that goes on in silence.
  const type = turn.type ?? (found.type === "none" || found.type === "suppressed" ? "turn" : found.type);
  const silent = found.type === "none";
  const modifier = turn.modifier ?? (silent ? modifierOf(view.branches[view.out].angle) : found.modifier);
  return { view, maneuver: { ...found, type, modifier } };
}

function isTraveled({ junctions }: LegPath, index: number, { id, at, of }: StatedTurn): boolean {
  for (let i = 0; i < of; i++) {
    if (i === at) continue;
    const turns = junctions[index - at + i]?.stated?.() ?? [];
    if (!turns.some((one) => one.id === id && one.at === i)) return false;
  }
  return true;
}
