import { z } from "zod";
import { type Climb, sumOfClimbs } from "../../core/elevation/profile.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { type GeometryFormat, joinEncoded } from "../../core/geo/shapes/polyline.ts";
import { climbQuantity, distanceQuantity, durationQuantity, type Units } from "../../core/geo/units.ts";
import type { GuidedStep } from "../../core/routing/guidance/steps/build-steps.ts";
import { partsOfSign } from "../../core/routing/guidance/text/instruction.ts";
import type { GuidedLeg } from "../../core/routing/route/guided-leg.ts";
import { isElsewhere } from "../../core/routing/store/snap.ts";
import {
  coordinateShape,
  geometryShape,
  quantityShape,
  snappedShape,
  warningsShape,
  wireCoordinate,
  wireLine,
  wireSnapped,
  wireWarnings,
} from "./quantities.ts";

const texts = (description: string) => z.array(z.string()).optional().meta({ description });

/** Routes with their legs and steps as serialized by the API. */
const stepShape = z.object({
  distance: quantityShape,
  duration: quantityShape,
  start_location: coordinateShape,
  end_location: coordinateShape,
  bearing_before: z.number(),
  bearing_after: z.number(),
  instructions: z.string(),
  banner_instructions: z.string(),
  voice_instructions: z.string(),
  geometry: geometryShape,
  mode: z.string(),
  manuever: z.string(),
  street_name: z.string(),
  exit_name: z.string().optional(),
  refs: texts("numbers of the road that is followed, such as `A 3`"),
  exits: texts("numbers of the exit, as on its sign"),
  destinations: texts("places on the sign of the road or the ramp"),
  destination_refs: texts("road numbers on that sign"),
  junction_name: z.string().optional().meta({ description: "name of the junction where the step begins" }),
  lanes: z
    .array(
      z.object({
        indications: z.array(z.string()).meta({
          description:
            "arrows on the lane: straight, left, right, slight left, slight right, sharp left, sharp right, uturn; none: no arrow",
        }),
        valid: z.boolean().meta({ description: "whether the lane leads along the route" }),
        active: z.boolean().meta({
          description:
            "whether to take the lane: of the valid lanes, those that also suit a maneuver that follows soon",
        }),
      }),
    )
    .optional()
    .meta({ description: "lanes before the maneuver, leftmost first, if their arrows are known" }),
});

const climb = (of: string) =>
  quantityShape.optional().meta({ description: `${of}, on foot and by bike where elevations are imported` });
export const climbShape = { ascent: climb("meters or feet up"), descent: climb("meters or feet down") };

const legShape = z.object({
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  ...climbShape,
  steps: z.array(stepShape),
});

export const routeShape = z.object({
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  ...climbShape,
  legs: z.array(legShape),
  snapped: z.array(snappedShape),
  warnings: warningsShape.optional(),
});

export interface DirectionsWire {
  units: Units;
  geometry: GeometryFormat;
  /** As requested by the caller. */
  mode: string;
}

/** Writes a route leg by leg; only the line of finished legs is kept. */
export class RouteWriter {
  readonly #wire: DirectionsWire;
  readonly #legs: z.input<typeof legShape>[] = [];
  readonly #lines: Coordinate[][] = [];
  readonly #climbs: (Climb | undefined)[] = [];
  readonly #snapped: z.input<typeof snappedShape>[] = [];
  #isElsewhere = false;
  #duration = 0;
  #distance = 0;

  constructor(wire: DirectionsWire) {
    this.#wire = wire;
  }

  /** @param climb of the leg, where it is known */
  add(leg: GuidedLeg, climb?: Climb): void {
    this.#legs.push({ ...wireLeg(leg, this.#wire), ...wireClimb(climb, this.#wire.units) });
    this.#climbs.push(climb);
    this.#lines.push(leg.line);
    if (this.#snapped.length === 0) this.#snapped.push(wireSnapped(leg.start, this.#wire.units));
    this.#snapped.push(wireSnapped(leg.end, this.#wire.units));
    this.#isElsewhere ||= isElsewhere(leg.start) || isElsewhere(leg.end);
    this.#duration += leg.duration;
    this.#distance += leg.distance;
  }

  finish(): z.input<typeof routeShape> {
    const { units, geometry } = this.#wire;
    const whole = () => this.#lines.flatMap((line, i) => (i === 0 ? line : line.slice(1)));
    return {
      duration: durationQuantity(this.#duration),
      distance: distanceQuantity(this.#distance, units),
      geometry: this.#legs.length === 1 ? this.#legs[0].geometry : wireLine(whole(), geometry),
      ...wireClimb(sumOfClimbs(this.#climbs), units),
      legs: this.#legs,
      snapped: this.#snapped,
      ...wireWarnings(this.#isElsewhere),
    };
  }
}

export function wireClimb(climb: Climb | undefined, units: Units) {
  if (!climb) return undefined;
  return { ascent: climbQuantity(climb.ascent, units), descent: climbQuantity(climb.descent, units) };
}

function wireLeg(leg: GuidedLeg, { units, geometry, mode }: DirectionsWire): z.input<typeof legShape> {
  const { duration, distance, line } = leg;
  const steps = leg.steps.map((step) => wireStep(step, units, geometry, mode));
  return {
    startLocation: wireCoordinate(line[0]),
    endLocation: wireCoordinate(line[line.length - 1]),
    duration: durationQuantity(duration),
    distance: distanceQuantity(distance, units),
    geometry: joinedLine(leg, steps) ?? wireLine(line, geometry),
    steps,
  };
}

/** The line of a leg from the encoded ones of its steps: only half as many points are encoded. Undefined if these have other points. */
function joinedLine(
  { line, steps }: GuidedLeg,
  written: readonly Pick<z.input<typeof stepShape>, "geometry">[],
): { polyline: string } | undefined {
  const parts: string[] = [];
  let points = 1;
  // The last step, the arrival, has no length.
  for (let i = 0; i + 1 < steps.length; i++) {
    const { geometry } = written[i];
    if (!("polyline" in geometry)) return undefined;
    parts.push(geometry.polyline);
    points += steps[i].geometry.length - 1;
  }
  // A leg shows no point twice in a row.
  return points === line.length && parts.length > 0 ? { polyline: joinEncoded(parts) } : undefined;
}

/**
 * The API's name of a step's mode. A step with another mode than the requested one is a ferry, a train, or a pushed
 * bike.
 */
function stepMode(mode: GuidedStep["mode"], asked: string): string {
  if (mode === "ferry" || mode === "train") return mode;
  return mode === "pushing" ? "foot" : asked;
}

/** The parts of a sign as a list; absent if there are none. */
function signTexts(sign: string | undefined): string[] | undefined {
  if (!sign) return undefined;
  const parts = partsOfSign(sign);
  return parts.length > 0 ? parts : undefined;
}

function wireStep(step: GuidedStep, units: Units, geometry: GeometryFormat, mode: string): z.input<typeof stepShape> {
  return {
    distance: distanceQuantity(step.distance, units),
    duration: durationQuantity(step.duration),
    start_location: wireCoordinate(step.startLocation),
    end_location: wireCoordinate(step.endLocation),
    bearing_before: Math.round(step.bearingBefore) % 360,
    bearing_after: Math.round(step.bearingAfter) % 360,
    instructions: step.instructions,
    banner_instructions: step.bannerInstructions,
    voice_instructions: step.voiceInstructions,
    geometry: wireLine(step.geometry, geometry),
    mode: stepMode(step.mode, mode),
    manuever: step.maneuver,
    street_name: step.streetName,
    exit_name: step.exitName,
    refs: signTexts(step.step.ref),
    exits: signTexts(step.step.exitRef),
    destinations: signTexts(step.step.destination),
    destination_refs: signTexts(step.step.destinationRef),
    junction_name: step.step.junctionName,
    lanes: step.step.lanes,
  };
}
