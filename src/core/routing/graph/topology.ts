import type { EdgeProfile } from "./modes.ts";
import { entryAt, type Timetable } from "./schedule.ts";
import type { Traffic } from "./traffic.ts";

/** Whole numbers: 16 bits wide in a tile, 32 in the graph of an extract. */
export type Numbers = Int32Array | Uint16Array;

/**
 * Junctions and directed edges, of a tile or of the whole graph.
 *
 *     tail ──edge──▶ head        A piece of road is one or two edges (there, back); `piece` joins them.
 *
 * A restriction that spans several roads creates copies of the edges on its path: same piece, same ends, other turns.
 */
export interface Topology {
  nodeCount: number;
  /** Nodes from here on are outside: edges touch them, but turns at them belong to another tile. */
  insideCount: number;
  /** Modes (bits) that a barrier on the node blocks, and GATE_BIT or LIFT_BIT if a gate or a lift costs time. */
  nodeBlocked: Uint8Array;
  edgeCount: number;
  tail: Numbers;
  head: Numbers;
  piece: Numbers;
  /** 1 = along the piece, 0 = against it. */
  along: Uint8Array;
  /** The edge this is a copy of, or itself. */
  original: Numbers;
  /** Into `profiles`. */
  profile: Uint32Array | Uint16Array;
  profiles: readonly EdgeProfile[];
  /** Bearing at which the edge leaves its tail and arrives at its head [1/256 turn]. */
  bearingOut: Uint8Array;
  bearingIn: Uint8Array;
  /** Obstacle at the head for traffic on this edge: a traffic light, a stop sign, a give-way sign (OBSTACLE). */
  obstacle: Uint8Array;
  /** [0.1 m]. */
  length: Int32Array;
  exceptions: readonly TurnException[];
  /** Where an operator's file gives speeds for some times. */
  traffic?: Traffic;
}

/** A pair of edges whose turn is open to `modes` (bits), whatever the general rule says. */
export interface TurnException {
  from: number;
  to: number;
  /** Where this depends on the hour, all modes that it is open to at some time. */
  modes: number;
  /** By the hour; absent if it is always the same. */
  hours?: Timetable<{ modes: number }>;
}

/** The modes that a turn is open to at all of these local minutes; at some time if there are none. */
export function modesAt({ modes, hours }: TurnException, minutes: readonly number[]): number {
  if (!hours) return modes;
  return minutes.reduce((bits, minute) => bits & entryAt(hours, minute).modes, modes);
}
