import type { Coordinate } from "../../geo/coordinate.ts";
import { buildSteps, type GuidanceOptions, type GuidedStep } from "../guidance/steps/build-steps.ts";
import type { PathPiece } from "../guidance/types.ts";
import { type Path, pathGeometry } from "../search/path.ts";
import type { RoadStore } from "../store/road-store.ts";
import { legView } from "./leg-view.ts";

/** A leg of a route with everything a traveler is shown. */
export interface GuidedLeg {
  /** [s] */
  duration: number;
  /** [m] */
  distance: number;
  line: Coordinate[];
  /** The roads along the line, as far as elevations need them. */
  passages: () => RoadPassage[];
  steps: GuidedStep[];
  /** Where the roads begin and end, and how far from the requested locations. */
  start: Snapped;
  end: Snapped;
}

/** A part of a way along a road [m]; structures are bridges and tunnels. */
interface RoadPassage {
  distance: number;
  isStructure: boolean;
}

/** A position on a road, and its distance from the requested location [m]. */
export interface Snapped {
  location: Coordinate;
  distance: number;
}

/** In which words and units a route is described. */
export type Telling = Omit<GuidanceOptions, "leg">;

/** Leg `index` of the route through `locations`, with its steps. */
export function guidedLeg(
  store: RoadStore,
  leg: Path & { start: Snapped; end: Snapped },
  locations: readonly Coordinate[],
  index: number,
  telling: Telling,
): GuidedLeg {
  const { path, network } = legView(store, leg, locations[index + 1]);
  const position = { index, count: locations.length - 1 };
  const steps = buildSteps({ ...path, origin: locations[index] }, { ...telling, leg: position }, network);
  return {
    duration: leg.duration,
    distance: leg.distance,
    line: pathGeometry(leg),
    passages: () => path.pieces.map(passageOf),
    steps,
    start: leg.start,
    end: leg.end,
  };
}

/** The leg with all times multiplied, so that those of its steps still add up. */
export function atFactor(leg: GuidedLeg, factor: number): GuidedLeg {
  if (factor === 1) return leg;
  const steps = leg.steps.map((step) => ({ ...step, duration: step.duration * factor }));
  return { ...leg, duration: leg.duration * factor, steps };
}

const passageOf = ({ distance, road }: PathPiece): RoadPassage => ({
  distance,
  isStructure: road.bridge === true || road.tunnel === true,
});
