import { BIKE, CAR, FOOT, TRUCK } from "./modes.ts";

/**
 * What it costs to turn [0.1 s]. The curves are those of OSRM's published profiles (profiles/car.lua, bicycle.lua,
 * foot.lua): a sigmoid of the angle for motor vehicles, its square for bikes, nothing for walkers. Turns across the
 * oncoming traffic cost more than turns along the kerb.
 */
const SIGNAL = 20;
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

/** Duration of a turn [0.1 s]. `steps`: how far one turns to the right, in 1/256 of a turn. */
export function turnDuration(
  mode: number,
  steps: number,
  leftHand: boolean,
  counts: boolean,
  uTurn: boolean,
  signal: boolean,
): number {
  let cost = signal ? SIGNAL : 0;
  if (counts || uTurn || mode === BIKE) cost += CURVES[mode * 2 + (leftHand ? 1 : 0)][steps & (BEARING_STEPS - 1)];
  return uTurn ? cost + U_TURN[mode] : cost;
}
