import { OBSTACLE, obstacleMarks } from "../../routing/turn-cost.ts";
import type { Tags } from "../osm/element.ts";
import { CAR_KEYS } from "./profile-car.ts";

/**
 * What stands at a node and costs time. Directions are those of the way that leads over it: a stop sign with
 * `direction=forward` holds up traffic along the way.
 */
export interface Obstacle {
  kind: number;
  forward: boolean;
  backward: boolean;
  /** A stop sign without a direction: where it stands decides which traffic it holds up. */
  undirected: boolean;
  /** A stop sign in the middle of a crossing that binds the lesser roads alone. */
  minor: boolean;
}

const KINDS: Readonly<Record<string, number>> = {
  traffic_signals: OBSTACLE.signal,
  stop: OBSTACLE.stop,
  give_way: OBSTACLE.giveWay,
};

/** Rules of OSRM's profiles (profiles/lib/obstacles.lua of 2026). */
export function obstacleOf(tags: Tags): Obstacle | undefined {
  const kind = KINDS[tags.highway];
  if (kind === undefined) return undefined;
  const own = kind === OBSTACLE.signal ? tags["traffic_signals:direction"] : undefined;
  const direction = own ?? tags.direction;
  return {
    kind,
    forward: direction !== "backward",
    backward: direction !== "forward",
    undirected: kind === OBSTACLE.stop && direction !== "forward" && direction !== "backward" && direction !== "both",
    minor: kind === OBSTACLE.stop && tags.stop === "minor",
  };
}

const GATES = new Set(["gate", "lift_gate"]);

/** A gate that must be opened by hand. A gate with an access tag is taken to stand open for those it names. */
export const isGate = (tags: Tags) => GATES.has(tags.barrier) && !CAR_KEYS.some((key) => tags[key]);

/** Nearer than this to a crossing a stop sign belongs to it [m]. */
const BESIDE_CROSSING = 20;

/** A piece of road that leads to an obstacle at its end. */
export interface Approach {
  /** [m]. */
  length: number;
  /** Of the car, either way [0.1 km/h]. */
  speed: number;
}

/**
 * Does an obstacle hold up traffic that comes on `approach`? `others`: the other pieces that meet at its node.
 *
 *     crossing ──8 m── stop ──────150 m──────       Traffic from the crossing has passed it; the sign is for the other direction.
 */
export function holdsUp(obstacle: Obstacle, approach: Approach, others: readonly Approach[]): boolean {
  if (obstacle.minor) return others.some(({ speed }) => speed > approach.speed);
  if (!obstacle.undirected || others.length !== 1) return true;
  return !(approach.length < BESIDE_CROSSING && others[0].length > BESIDE_CROSSING);
}

/** The marks of all pieces: what is met at their ends. `start`, `end`: the nodes of each piece. */
export function markObstacles(
  obstructed: readonly (readonly [node: number, obstacle: Obstacle])[],
  start: readonly number[],
  end: readonly number[],
  approachOf: (piece: number) => Approach,
): Uint8Array {
  const atEnd = new Uint8Array(start.length);
  const atStart = new Uint8Array(start.length);
  const touching = new Map<number, number[]>(obstructed.map(([node]) => [node, []]));
  for (let piece = 0; piece < start.length; piece++) {
    touching.get(start[piece])?.push(piece);
    if (end[piece] !== start[piece]) touching.get(end[piece])?.push(piece);
  }
  for (const [node, obstacle] of obstructed) {
    const pieces = touching.get(node) ?? [];
    for (const piece of pieces) {
      const others = pieces.filter((other) => other !== piece).map(approachOf);
      if (!holdsUp(obstacle, approachOf(piece), others)) continue;
      if (end[piece] === node && obstacle.forward) atEnd[piece] = obstacle.kind;
      if (start[piece] === node && obstacle.backward) atStart[piece] = obstacle.kind;
    }
  }
  return Uint8Array.from(atEnd, (met, piece) => obstacleMarks(met, atStart[piece]));
}
