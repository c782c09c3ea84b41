import { BIKE, CAR, FOOT, TRUCK } from "./modes.ts";

/**
 * Obstacle at the end of an edge. Gates and lifts are stored with the node, as they hold up traffic in every direction.
 */
export const OBSTACLE = { none: 0, signal: 1, stop: 2, giveWay: 3, gate: 4, lift: 5 } as const;

/**
 * Costs of the obstacles by their number [0.1 s], of OSRM's profiles of 2026 (lib/obstacles.lua and car.lua). A lift,
 * which OSRM does not support, takes a minute of waiting and riding.
 */
const MOTOR_OBSTACLES = [0, 20, 20, 10, 600, 600];
const OTHER_OBSTACLES = [0, 20, 0, 0, 0, 600];

/** In the byte of modes that a barrier blocks at a node: a gate that opens, after a while. */
export const GATE_BIT = 16;
/** In the same byte: a lift, in which ways of different levels meet. */
export const LIFT_BIT = 32;

/** Returns the obstacle at the end of an edge: `blocked` is the byte of its node, `sign` the sign for this edge. */
export function obstacleAt(blocked: number, sign: number): number {
  if ((blocked & LIFT_BIT) !== 0) return OBSTACLE.lift;
  return (blocked & GATE_BIT) !== 0 ? OBSTACLE.gate : sign;
}

/**
 * Two bits for each end of a piece: bits 0 and 2 for traffic that arrives at its end, bits 1 and 3 at its start. Lights
 * alone are 1 and 2.
 */
export function obstacleMarks(atEnd: number, atStart: number): number {
  return (atEnd & 1) | ((atStart & 1) << 1) | ((atEnd & 2) << 1) | ((atStart & 2) << 2);
}

/** The obstacle at the end of an edge along (`there`) or against a piece with these marks. */
export function obstacleMet(marks: number, there: boolean): number {
  const bits = there ? marks : marks >> 1;
  return (bits & 1) | ((bits >> 1) & 2);
}

/**
 * Cost of a turn [0.1 s]. The curves are those of OSRM's published profiles (profiles/car.lua, bicycle.lua, foot.lua):
 * a sigmoid of the angle for motor vehicles, its square for bikes, nothing for walkers. Turns across the oncoming
 * traffic cost more than turns along the curb.
 */
const U_TURN = [200, 200, 20, 200];
const MOTOR_PENALTY = 7.5;
const MOTOR_BIAS = 1.075;
const BIKE_PENALTY = 6;
const BIKE_BIAS = 1.4;

/** Entering a road that is open to its residents only is a way in, not a way through [0.1 s of weight, no time]. */
export const RESTRICTED_ENTRY = 32767;

/** Bearings in routing objects are 1/256 of a turn. */
export const BEARING_STEPS = 256;

/** `angle` [degrees]: 0 straight on, 90 right, −90 left, ±180 back. */
function curve(mode: number, angle: number, leftHand: boolean): number {
  if (mode === CAR || mode === TRUCK) {
    const bias = leftHand ? 1 / MOTOR_BIAS : MOTOR_BIAS;
    const exponent = angle >= 0 ? ((13 / bias) * angle) / 180 - 6.5 * bias : (13 * bias * -angle) / 180 - 6.5 / bias;
    return MOTOR_PENALTY / (1 + Math.exp(-exponent));
  }
  if (mode === BIKE) {
    const quarter = angle / 90;
    const bias = leftHand ? 1 / BIKE_BIAS : BIKE_BIAS;
    return quarter * quarter * BIKE_PENALTY * (quarter >= 0 ? 1 / bias : bias);
  }
  return 0;
}

/** Costs by mode, side of the road and angle in 1/256 turns. */
const CURVES: Uint16Array[] = [CAR, TRUCK, FOOT, BIKE].flatMap((mode) =>
  [false, true].map((leftHand) =>
    Uint16Array.from({ length: BEARING_STEPS }, (_, step) => {
      const turned = (step * 360) / BEARING_STEPS;
      return Math.round(curve(mode, turned > 180 ? turned - 360 : turned, leftHand) * 10);
    }),
  ),
);

/** Cost of a turn by its angle to the right, in 1/256 of a turn [0.1 s]. Obstacles and U-turns are added to it. */
export const turnCurve = (mode: number, leftHand: boolean): Uint16Array => CURVES[mode * 2 + (leftHand ? 1 : 0)];

/** `obstacle`: one of OBSTACLE [0.1 s]. */
export const obstacleCost = (mode: number, obstacle: number): number =>
  (mode === CAR || mode === TRUCK ? MOTOR_OBSTACLES : OTHER_OBSTACLES)[obstacle];

/** [0.1 s] */
export const uTurnCost = (mode: number): number => U_TURN[mode];
