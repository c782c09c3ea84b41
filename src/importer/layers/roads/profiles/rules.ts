import type { Passage } from "../../../../core/routing/graph/modes.ts";

/** A mode's properties of one direction of a way; undefined where the mode may not go. */
export interface Rule {
  /** [km/h]. */
  speed: number;
  travel: Passage["travel"];
  /** 1 neutral, 0.5 half as attractive as its time says. */
  preference: number;
  restricted: boolean;
  private: boolean;
}

/**
 * Both directions of a way for one mode. `duration` [s] of the whole way, where the map has it (ferries), wins over
 * speed.
 */
export interface Rules {
  forward: Rule | undefined;
  backward: Rule | undefined;
  duration?: number;
}

/** No way in either direction. */
export const CLOSED: Rules = { forward: undefined, backward: undefined };
