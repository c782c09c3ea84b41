import { z } from "zod";
import type { Coordinate } from "../geo/coordinate.ts";
import type { GeometryFormat } from "../geo/polyline.ts";
import { distanceQuantity, durationQuantity, type Units } from "../geo/units.ts";
import { buildSteps, type GuidedStep } from "../routing/guidance/build-steps.ts";
import type { Language } from "../routing/guidance/text/translation.ts";
import { pathGeometry } from "../routing/path.ts";
import type { Leg, Route, Router } from "../routing/router.ts";
import { coordinateShape, geometryShape, quantityShape, wireCoordinate, wireLine } from "./quantities.ts";

/** Routes with their legs and steps as the API writes them. */
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
});

const legShape = z.object({
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  steps: z.array(stepShape),
});

export const routeShape = z.object({
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  legs: z.array(legShape),
});

export interface DirectionsWire {
  units: Units;
  geometry: GeometryFormat;
  lang: Language;
  /** As the caller asked. */
  mode: string;
}

/** A route as the API writes it. */
export function wireRoute(
  router: Router,
  route: Route,
  locations: readonly Coordinate[],
  wire: DirectionsWire,
): z.input<typeof routeShape> {
  const writer = new RouteWriter(router, locations, wire);
  for (const leg of route.legs) writer.add(leg);
  return writer.finish();
}

/** Writes a route leg by leg: of those written it keeps only the line. */
export class RouteWriter {
  readonly #router: Router;
  readonly #locations: readonly Coordinate[];
  readonly #wire: DirectionsWire;
  readonly #legs: z.input<typeof legShape>[] = [];
  readonly #lines: Coordinate[][] = [];
  #duration = 0;
  #distance = 0;

  constructor(router: Router, locations: readonly Coordinate[], wire: DirectionsWire) {
    this.#router = router;
    this.#locations = locations;
    this.#wire = wire;
  }

  add(leg: Leg): void {
    const index = this.#legs.length;
    const count = this.#locations.length - 1;
    const line = pathGeometry(leg);
    const ends = this.#locations.slice(index, index + 2);
    this.#legs.push(wireLeg(this.#router, leg, line, ends, { index, count }, this.#wire));
    this.#lines.push(line);
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
      legs: this.#legs,
    };
  }
}

function wireLeg(
  router: Router,
  leg: Leg,
  line: readonly Coordinate[],
  [origin, destination]: readonly Coordinate[],
  position: { index: number; count: number },
  { units, geometry, lang, mode }: DirectionsWire,
): z.input<typeof legShape> {
  const { path, network } = router.view(leg, destination);
  const steps = buildSteps({ ...path, origin }, { lang, units, leg: position }, network);
  return {
    startLocation: wireCoordinate(line[0]),
    endLocation: wireCoordinate(line[line.length - 1]),
    duration: durationQuantity(leg.duration),
    distance: distanceQuantity(leg.distance, units),
    geometry: wireLine(line, geometry),
    steps: steps.map((step) => wireStep(step, units, geometry, mode)),
  };
}

/** Step modes as the API names modes: what is not the caller's own is a ferry, a train, or a bike that is pushed. */
function stepMode(mode: GuidedStep["mode"], asked: string): string {
  if (mode === "ferry" || mode === "train") return mode;
  return mode === "pushing" ? "foot" : asked;
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
  };
}
