import { OBSTACLE, obstacleMarks } from "../../../../core/routing/graph/turn-cost.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { CAR_KEYS, RESTRICTING } from "../profiles/profile-car.ts";
import { sharedNumbers } from "./column.ts";
import { MeetingPieces } from "./meeting-pieces.ts";

/**
 * Obstacles at a node that cost time. Directions are those of the way that leads over it: a stop sign with
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

/** A Hampshire gate is a piece of fence that is unhooked. */
const GATES = new Set(["gate", "lift_gate", "swing_gate", "sliding_gate", "hampshire_gate"]);

/**
 * A gate that must be opened by hand. A gate with an access tag is assumed to be open for those it names; but a barrier of
 * any kind that lets in only some has to be opened for them, and leads no one else through.
 */
export function isGate(tags: Tags): boolean {
  const key = CAR_KEYS.find((one) => tags[one]);
  return key ? tags.barrier !== undefined && RESTRICTING.has(tags[key]) : GATES.has(tags.barrier);
}

/** Nearer than this to a crossing a stop sign belongs to it [m]. */
const BESIDE_CROSSING = 20;

/** A piece of road that leads to an obstacle at its end. */
interface Approach {
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
function holdsUp(obstacle: Obstacle, approach: Approach, others: readonly Approach[]): boolean {
  if (obstacle.minor) return others.some(({ speed }) => speed > approach.speed);
  if (!obstacle.undirected || others.length !== 1) return true;
  return !(approach.length < BESIDE_CROSSING && others[0].length > BESIDE_CROSSING);
}

/** Junctions at which something costs time, ascending; `numbers` into the different obstacles. */
export interface ObstructedNodes {
  nodes: Int32Array;
  numbers: Int32Array;
  obstacles: readonly Obstacle[];
}

/** The marks of all pieces: what is met at their ends. `start`, `end`: the junctions of each piece, of `nodeCount`. */
export function markObstacles(
  { nodes, numbers, obstacles }: ObstructedNodes,
  nodeCount: number,
  start: Int32Array,
  end: Int32Array,
  approachOf: (piece: number) => Approach,
): Uint8Array {
  const marks = sharedNumbers(Uint8Array, start.length);
  const meeting = new MeetingPieces(nodes, nodeCount, start, end);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const obstacle = obstacles[numbers[i]];
    const pieces = Array.from(meeting.at(node));
    for (const piece of pieces) {
      const others = pieces.filter((other) => other !== piece).map(approachOf);
      if (!holdsUp(obstacle, approachOf(piece), others)) continue;
      if (end[piece] === node && obstacle.forward) marks[piece] |= obstacleMarks(obstacle.kind, 0);
      if (start[piece] === node && obstacle.backward) marks[piece] |= obstacleMarks(0, obstacle.kind);
    }
  }
  return marks;
}
