import type { Coordinate } from "../../geo/coordinate.ts";
import { buildSteps, type GuidanceOptions, type GuidedStep } from "../guidance/steps/build-steps.ts";
import type { PathPiece } from "../guidance/types.ts";
import { type Path, pathGeometry } from "../search/path.ts";
import { type Segment, segmentsOf } from "../search/segments.ts";
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
  /** The line between each two of its points. */
  segments: () => Segment[];
  /** Where the roads begin and end, and how far from the requested locations. */
  start: Snapped;
  end: Snapped;
  /** The names of these roads; "" without one. */
  names: () => [start: string, end: string];
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
  /** On the mainland, although a road of an island is nearer: the distance to that one [m]. */
  nearer?: number;
}

/** In which words and units a route is described. */
export type Telling = Omit<GuidanceOptions, "leg">;

/** Leg `index` of the route through `locations`, with its steps; without `telling`, it has none. */
export function guidedLeg(
  store: RoadStore,
  leg: Path & { start: Snapped; end: Snapped },
  locations: readonly Coordinate[],
  index: number,
  telling: Telling | undefined,
): GuidedLeg {
  const { path, network } = legView(store, leg, locations[index + 1]);
  const position = { index, count: locations.length - 1 };
  const steps = telling
    ? buildSteps({ ...path, origin: locations[index] }, { ...telling, leg: position }, network)
    : [];
  return {
    duration: leg.duration,
    distance: leg.distance,
    line: pathGeometry(leg),
    passages: () => path.pieces.map(passageOf),
    steps,
    segments: () => segmentsOf(leg),
    start: leg.start,
    end: leg.end,
    names: () => {
      const [first, last] = [path.pieces[0], path.pieces[path.pieces.length - 1]];
      return [first.road.name, last.road.name];
    },
  };
}

/** The leg with all times multiplied, so that those of its steps still add up. */
export function atFactor(leg: GuidedLeg, factor: number): GuidedLeg {
  if (factor === 1) return leg;
  const steps = leg.steps.map((step) => ({ ...step, duration: step.duration * factor }));
  const segments = () => leg.segments().map((one) => ({ ...one, duration: one.duration * factor }));
  return { ...leg, duration: leg.duration * factor, steps, segments };
}

const passageOf = ({ distance, road }: PathPiece): RoadPassage => ({
  distance,
  isStructure: road.bridge === true || road.tunnel === true,
});
