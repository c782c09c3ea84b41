import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Mode } from "../graph/modes.ts";

/** Speeds of a guess [m/s] where no road connects two points, and how much longer a road is than the straight line. */
const GUESS_SPEED: Record<Mode, number> = { car: 13.9, truck: 11.1, foot: 1.4, bike: 4.2 };
const DETOUR = 1.3;

/** Estimates a journey [s, m] if no road connects its ends: for responses that must contain numbers. */
export function estimate(from: Coordinate, to: Coordinate, mode: Mode): { distance: number; duration: number } {
  const metres = distance(from, to) * DETOUR;
  return { distance: metres, duration: metres / GUESS_SPEED[mode] };
}
