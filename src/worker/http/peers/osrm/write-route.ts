import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { RADIANS } from "../../../../core/geo/distance.ts";
import { encodeLine } from "../../../../core/geo/shapes/polyline.ts";
import { simplifyLine } from "../../../../core/maps/terrain/simplify-line.ts";
import type { GuidedStep } from "../../../../core/routing/guidance/steps/build-steps.ts";
import { partsOfSign } from "../../../../core/routing/guidance/text/instruction.ts";
import type { Intersection } from "../../../../core/routing/guidance/types.ts";
import type { GuidedLeg } from "../../../../core/routing/route/guided-leg.ts";
import type { Stop } from "../../../../core/routing/route/router.ts";
import type { Annotation } from "./fields.ts";

/** How routes are written. */
export interface RouteForm {
  steps: boolean;
  geometries: "polyline" | "polyline6" | "geojson";
  overview: "simplified" | "full" | "false";
  annotations: ReadonlySet<Annotation>;
  /** Members of a step and of its maneuver that another API has in addition. */
  extend?: (steps: readonly GuidedStep[], index: number) => { step: object; maneuver: object };
}

/** A tenth of a meter or second, as in OSRM. */
export const tenths = (value: number) => Math.round(value * 10) / 10;
const micro = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
const pairOf = ({ latitude, longitude }: Coordinate): [number, number] => [micro(longitude), micro(latitude)];

/** A coordinate on its road. */
export const waypoint = ({ location, distance, name }: Stop) => ({
  hint: "",
  distance: tenths(distance),
  name,
  location: pairOf(location),
});

function geometryOf(line: readonly Coordinate[], format: RouteForm["geometries"]) {
  if (format === "geojson") return { type: "LineString", coordinates: line.map(pairOf) };
  return encodeLine(line, format === "polyline" ? 5 : 6);
}

/** Points of a map that shows a line as a whole: details smaller than one are left out. */
const SHOWN_POINTS = 1000;

function simplified(line: readonly Coordinate[]): Coordinate[] {
  const shrink = Math.cos(line[0].latitude * RADIANS);
  const flat = line.flatMap(({ latitude, longitude }) => [longitude * shrink, latitude]);
  const span = (axis: 0 | 1) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < flat.length; i += 2) [low, high] = [Math.min(low, flat[i]), Math.max(high, flat[i])];
    return high - low;
  };
  const kept = simplifyLine(flat, Math.max(span(0), span(1)) / SHOWN_POINTS);
  const points: Coordinate[] = [];
  for (let i = 0; i < kept.length; i += 2) points.push({ latitude: kept[i + 1], longitude: kept[i] / shrink });
  return points;
}

/** Writes a route leg by leg; only the line of finished legs is kept. */
export class OsrmRouteWriter {
  readonly waypoints: ReturnType<typeof waypoint>[] = [];
  /** By leg: its number of segments. */
  readonly segments: number[] = [];
  readonly #form: RouteForm;
  readonly #legs: ReturnType<typeof writeLeg>[] = [];
  readonly #line: Coordinate[] = [];
  #duration = 0;
  #distance = 0;

  constructor(form: RouteForm) {
    this.#form = form;
  }

  add(leg: GuidedLeg): void {
    this.#legs.push(writeLeg(leg, this.#form));
    this.segments.push(leg.line.length - 1);
    const [start, end] = leg.names();
    if (this.waypoints.length === 0) this.waypoints.push(waypoint({ ...leg.start, name: start }));
    this.waypoints.push(waypoint({ ...leg.end, name: end }));
    const isFirst = this.#line.length === 0;
    if (this.#form.overview !== "false")
      for (let i = isFirst ? 0 : 1; i < leg.line.length; i++) this.#line.push(leg.line[i]);
    this.#duration += leg.duration;
    this.#distance += leg.distance;
  }

  finish() {
    const { overview, geometries } = this.#form;
    const line = overview === "simplified" ? simplified(this.#line) : this.#line;
    return {
      ...(overview !== "false" && { geometry: geometryOf(line, geometries) }),
      legs: this.#legs,
      weight_name: "duration",
      weight: tenths(this.#duration),
      duration: tenths(this.#duration),
      distance: tenths(this.#distance),
    };
  }
}

export type OsrmRoute = ReturnType<OsrmRouteWriter["finish"]>;

function writeLeg(leg: GuidedLeg, form: RouteForm) {
  const { steps, duration, distance } = leg;
  return {
    steps: form.steps ? steps.map((_, i) => writeStep(steps, i, form)) : [],
    summary: form.steps ? summaryOf(steps) : "",
    weight: tenths(duration),
    duration: tenths(duration),
    distance: tenths(distance),
    ...(form.annotations.size > 0 && { annotation: annotationOf(leg, form.annotations) }),
  };
}

/** The two roads with the longest parts, in their order. */
function summaryOf(steps: readonly GuidedStep[]): string {
  const lengths = new Map<string, number>();
  for (const { streetName, distance } of steps)
    if (streetName !== "") lengths.set(streetName, (lengths.get(streetName) ?? 0) + distance);
  const longest = new Set(
    [...lengths]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 2)
      .map(([name]) => name),
  );
  return [...lengths.keys()].filter((name) => longest.has(name)).join(", ");
}

/** Speeds [m/s], and limits as in Mapbox. */
function annotationOf(leg: GuidedLeg, wanted: ReadonlySet<Annotation>) {
  const segments = leg.segments();
  return {
    ...(wanted.has("distance") && { distance: segments.map(({ distance }) => tenths(distance)) }),
    ...(wanted.has("duration") && { duration: segments.map(({ duration }) => tenths(duration)) }),
    ...(wanted.has("weight") && { weight: segments.map(({ duration }) => tenths(duration)) }),
    ...(wanted.has("speed") && {
      speed: segments.map(({ distance, duration }) => (duration > 0 ? tenths(distance / duration) : 0)),
    }),
    ...(wanted.has("datasources") && {
      datasources: segments.map(() => 0),
      metadata: { datasource_names: ["graticule"] },
    }),
    ...(wanted.has("maxspeed") && {
      maxspeed: segments.map(({ speedLimit }) =>
        speedLimit === undefined ? { unknown: true } : { speed: speedLimit, unit: "km/h" },
      ),
    }),
  };
}

const MODES: Readonly<Record<GuidedStep["mode"], string>> = {
  driving: "driving",
  cycling: "cycling",
  walking: "walking",
  pushing: "pushing bike",
  ferry: "ferry",
  train: "train",
};

function writeStep(steps: readonly GuidedStep[], index: number, form: RouteForm) {
  const guided = steps[index];
  const { step, distance, duration, geometry } = guided;
  const { type, modifier, location, bearingBefore, bearingAfter, exit } = step.maneuver;
  const more = form.extend?.(steps, index);
  const destinations = [step.destinationRef, step.destination].map((sign) => partsOfSign(sign ?? "").join(", "));
  return {
    intersections: guided.intersections().map(writeIntersection),
    driving_side: step.drivingSide,
    geometry: geometryOf(geometry, form.geometries),
    mode: MODES[step.mode],
    maneuver: {
      bearing_after: Math.round(bearingAfter) % 360,
      bearing_before: Math.round(bearingBefore) % 360,
      location: pairOf(location),
      ...(modifier && { modifier }),
      type,
      ...(exit !== undefined && { exit }),
      ...more?.maneuver,
    },
    ...(step.ref && { ref: partsOfSign(step.ref).join("; ") }),
    name: step.name,
    ...(step.exitRef && { exits: partsOfSign(step.exitRef).join("; ") }),
    ...((destinations[0] || destinations[1]) && { destinations: destinations.filter((part) => part).join(": ") }),
    ...(step.rotaryName && { rotary_name: step.rotaryName }),
    weight: tenths(duration),
    duration: tenths(duration),
    distance: tenths(distance),
    ...more?.step,
  };
}

function writeIntersection({ location, bearings, entry, in: from, out, lanes, road }: Intersection) {
  const classes = [
    ...(road.class === "motorway" ? ["motorway"] : []),
    ...(road.tunnel ? ["tunnel"] : []),
    ...(road.mode === "ferry" ? ["ferry"] : []),
  ];
  return {
    ...(from !== undefined && { in: from }),
    ...(out !== undefined && { out }),
    entry,
    bearings,
    location: pairOf(location),
    ...(lanes && { lanes }),
    ...(classes.length > 0 && { classes }),
  };
}
