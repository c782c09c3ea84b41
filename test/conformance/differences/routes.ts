import polyline from "@mapbox/polyline";
import { expect } from "vitest";
import { type Difference, metresBetween, type Point, pointOf } from "./difference.ts";

type Json = Record<string, unknown>;

/** Effects of the parameters of routes, in the demo world and in the town with traffic. */

/** In the demo world: west of the river, in the town, and across the border. */
const [WEST, NEAR, EAST] = ["48.985,-111.23", "48.99,-111.2", "49.015,-111.17"];
/** On both banks, before and after a toll bridge. */
const [TOLL_SOUTH, TOLL_NORTH] = ["48.98521,-111.18145", "48.98915,-111.18126"];
/** On Main Street, south and north of a stretch that trucks may not use. */
const [MAIN_SOUTH, MAIN_NORTH] = ["48.98457,-111.20639", "48.99529,-111.20614"];
/** At the landings of a ferry. */
const [FERRY_SOUTH, FERRY_NORTH] = ["48.99459,-111.2284", "49.01283,-111.23022"];
/** Next to the motorway, on both sides of the border. */
const [MOTORWAY_SOUTH, MOTORWAY_NORTH] = ["48.98194,-111.19368", "49.00531,-111.1946"];
/** In the town with traffic, where on working days from eight to nine everything is slow. */
const [HERE, BETWEEN, THERE] = ["41.002,-7.997", "41.004,-7.99", "41.017,-7.978"];
export const TRAFFIC_ROUTE = { origin: HERE, destination: THERE };
const [JAM, SAME_JAM, LATER] = ["2026-01-14T08:30:00Z", "2026-01-14T03:30:00-05:00", "2026-01-14T09:30:00Z"];

const FEET_PER_METRE = 1 / 0.3048;
const metric = { units: "metric" };

interface Quantity {
  value: number;
  text: string;
}
interface Connection {
  distance: Quantity;
  duration: Quantity;
}
type Line = { type?: string; coordinates?: [number, number][]; polyline?: string };
interface Distances {
  routes: Record<string, Connection & { geometry: Line }>;
}
interface Matrix {
  matrix: (Connection & { originIndex: number; destinationIndex: number })[][];
}
interface Leg extends Connection {
  startLocation: Point;
  endLocation: Point;
  startIndex: number;
  endIndex: number;
  geometry: Line;
  steps: Step[];
}
type Step = Connection & { mode: string; instructions: string; voice_instructions: string; geometry: Line };
interface Directions {
  routes: (Connection & { legs: Leg[]; geometry: Line })[];
}
interface Optimized {
  route: Connection & { legs: Leg[] };
}
interface Match {
  matchedPath: (Point & { originalIndex: number })[];
  roadAttributes: (Json & { names: string[]; speedLimit?: Quantity })[];
  geometry: Line;
  distance: Quantity;
}

/** Feet and miles without the parameter, metres and kilometres with it, of the same length. */
function expectUnits(imperial: Quantity, inMetric: Quantity): void {
  expect(Math.abs(imperial.value - inMetric.value * FEET_PER_METRE)).toBeLessThan(0.3);
  expect([imperial.text, inMetric.text]).toEqual([
    expect.stringMatching(/^\d+\.\d (mi|ft)$/),
    expect.stringMatching(/^\d+\.\d k?m$/),
  ]);
}

/** [latitude, longitude] of a line in any format. */
function pairsOf(line: Line, decimals: number): [number, number][] {
  if (line.polyline !== undefined) return polyline.decode(line.polyline, decimals);
  expect(line.type).toBe("LineString");
  return (line.coordinates ?? []).map(([longitude, latitude]) => [latitude, longitude]);
}

function expectSameLine(a: [number, number][], b: [number, number][]): void {
  expect(b.length).toBe(a.length);
  expect(a.length).toBeGreaterThan(3);
  const apart = a.map((pair, i) => Math.max(Math.abs(pair[0] - b[i][0]), Math.abs(pair[1] - b[i][1])));
  expect(Math.max(...apart)).toBeLessThanOrEqual(1.1e-5);
}

/** A line as GeoJSON, and as a polyline of 5 or 6 decimals. */
const inFormats = (
  id: Difference["id"],
  both: Json,
  formats: readonly (readonly [name: string | undefined, decimals: number])[],
  lineOf: (body: never) => Line,
  of = "",
): Difference[] =>
  formats.map(([geometry, decimals]) => ({
    id,
    effect: `${geometry ?? "absent"} is the same line${of}${geometry ? "" : ` in ${decimals} decimals`}`,
    changes: "the format of the line",
    both,
    a: { geometry: "linestring" },
    b: { geometry },
    expects(a: never, b: never) {
      expect(lineOf(b)).toHaveProperty("polyline");
      expectSameLine(pairsOf(lineOf(a), 6), pairsOf(lineOf(b), decimals));
    },
  }));
const POLYLINES = [
  ["polyline5", 5],
  ["polyline6", 6],
] as const;

/** A departure in the rush hour, and an hour later; the same moment with another offset is the same. */
const withTraffic = (id: Difference["id"], both: Json, minutes: (body: never) => number): Difference[] => [
  {
    id,
    changes: "the traffic of that time",
    effect: "the route takes longer in rush hour",
    both,
    a: { departureTime: JAM },
    b: { departureTime: LATER },
    expects(a: never, b: never) {
      expect(minutes(b)).toBeGreaterThan(1);
      expect(minutes(a)).toBeGreaterThan(2 * minutes(b));
    },
  },
  {
    id,
    changes: "the traffic of that time",
    effect: "the time offset is respected",
    both,
    a: { departureTime: JAM },
    b: { departureTime: SAME_JAM },
    expects: (a: never, b: never) => expect(minutes(b)).toBe(minutes(a)),
  },
];

const car = ({ routes }: Distances) => routes.car;
const DISTANCE: readonly Difference[] = [
  ...(["origin", "destination"] as const).map(
    (name): Difference => ({
      id: `parameter.distance.${name}`,
      effect: "is the end of the straight line and of the route",
      both: { ...metric, geometry: "linestring" },
      a: { origin: WEST, destination: EAST },
      b: { origin: WEST, destination: EAST, [name]: NEAR },
      expects(a: Distances, b: Distances) {
        const ends = { origin: WEST, destination: EAST };
        for (const [{ routes }, asked] of [
          [a, ends],
          [b, { ...ends, [name]: NEAR }],
        ] as const) {
          const straight = metresBetween(pointOf(asked.origin), pointOf(asked.destination));
          expect(Math.abs(routes.geodesic.distance.value / straight - 1)).toBeLessThan(0.006);
          const line = pairsOf(routes.car.geometry, 6);
          const toEnds = [metresTo(line[0], asked.origin), metresTo(line[line.length - 1], asked.destination)];
          expect(Math.max(...toEnds)).toBeLessThan(250);
          expect(routes.car.distance.value).toBeGreaterThan(straight - 300);
        }
      },
    }),
  ),
  {
    id: "parameter.distance.modes",
    effect: "returns a route for each mode, at its speed",
    both: metric,
    a: { modes: "car" },
    b: { modes: "foot, bike" },
    expects(a: Distances, b: Distances) {
      expect(Object.keys(a.routes)).toEqual(["geodesic", "car"]);
      expect(Object.keys(b.routes)).toEqual(["geodesic", "foot", "bike"]);
      const speeds = [a.routes.car, b.routes.bike, b.routes.foot].map(
        ({ distance, duration }) => (distance.value / duration.value) * 0.06,
      );
      expect(speeds[2]).toBeCloseTo(5, 0);
      expect(speeds[1]).toBeGreaterThan(2 * speeds[2]);
      expect(speeds[0]).toBeGreaterThan(2 * speeds[1]);
    },
  },
  {
    id: "parameter.distance.modes",
    effect: "a truck avoids a street that is closed to trucks",
    both: { ...metric, origin: MAIN_SOUTH, destination: MAIN_NORTH },
    a: { modes: "car" },
    b: { modes: "truck" },
    expects(a: Distances, b: Distances) {
      expect(b.routes.truck.distance.value).toBeGreaterThan(2 * a.routes.car.distance.value);
    },
  },
  {
    id: "parameter.distance.units",
    effect: "feet and miles, or meters and kilometers",
    b: metric,
    expects(a: Distances, b: Distances) {
      expectUnits(a.routes.geodesic.distance, b.routes.geodesic.distance);
      expectUnits(car(a).distance, car(b).distance);
      expect(car(b).duration).toEqual(car(a).duration);
    },
  },
  ...inFormats("parameter.distance.geometry", {}, POLYLINES, (body: Distances) => car(body).geometry),
  {
    id: "parameter.distance.geometry",
    effect: "without it, there is no line, and the values are the same",
    b: { geometry: "polyline5" },
    expects(a: Distances, b: Distances) {
      const { geometry, ...figures } = car(b);
      expect(geometry.polyline?.length).toBeGreaterThan(50);
      expect(car(a)).toEqual(figures);
    },
  },
  ...withTraffic("parameter.distance.departureTime", TRAFFIC_ROUTE, (body: Distances) => car(body).duration.value),
];

const metresTo = ([latitude, longitude]: [number, number], place: string) =>
  metresBetween({ latitude, longitude }, pointOf(place));
const cells = ({ matrix }: Matrix) => matrix.map((row) => row.map(({ distance }) => distance.value));
const only = ({ matrix }: Matrix) => matrix[0][0];

const matrixAvoids = (avoid: string, both: Json): Difference => ({
  id: "parameter.matrix.avoid",
  effect: `${avoid} changes the route`,
  changes: "the route, which avoids the specified features",
  both: { ...metric, ...both },
  b: { avoid: both.avoid ? `${both.avoid},${avoid}` : avoid },
  expects(a: Matrix, b: Matrix) {
    const [free, around] = [only(a), only(b)];
    expect(around.distance.value).toBeGreaterThan(1.3 * free.distance.value);
    expect(around.duration.value).toBeGreaterThan(1.3 * free.duration.value);
  },
});

const MATRIX: readonly Difference[] = [
  {
    id: "parameter.matrix.origins",
    effect: "returns a row for each origin, in order",
    both: { destinations: EAST },
    a: { origins: `${WEST}|${NEAR}` },
    b: { origins: `${NEAR}|${WEST}|${EAST}` },
    expects(a: Matrix & Json, b: Matrix & Json) {
      const [[west], [near]] = cells(a);
      expect(west).toBeGreaterThan(near);
      expect(cells(b)).toEqual([[near], [west], [0]]);
      expect(b.matrix.flat().map(({ originIndex }) => originIndex)).toEqual([0, 1, 2]);
      expect(b.origins).toEqual([NEAR, WEST, EAST].map(pointOf));
    },
  },
  {
    id: "parameter.matrix.destinations",
    effect: "returns a column for each destination, in order",
    both: { origins: WEST },
    a: { destinations: `${NEAR}|${EAST}` },
    b: { destinations: `${EAST}|${WEST}|${NEAR}` },
    expects(a: Matrix & Json, b: Matrix & Json) {
      const [[near, east]] = cells(a);
      expect(east).toBeGreaterThan(near);
      expect(cells(b)).toEqual([[east, 0, near]]);
      expect(b.matrix.flat().map(({ destinationIndex }) => destinationIndex)).toEqual([0, 1, 2]);
      expect(b.destinations).toEqual([EAST, WEST, NEAR].map(pointOf));
    },
  },
  ...(
    [
      ["truck", MAIN_SOUTH, MAIN_NORTH, 2],
      ["bike", WEST, EAST, 2],
      ["foot", WEST, EAST, 5],
    ] as const
  ).map(
    ([mode, origins, destinations, times]): Difference => ({
      id: "parameter.matrix.mode",
      effect: `a ${mode} takes longer than a car`,
      both: { origins, destinations },
      a: { mode: "car" },
      b: { mode },
      expects: (a: Matrix, b: Matrix) => expect(only(b).duration.value).toBeGreaterThan(times * only(a).duration.value),
    }),
  ),
  {
    id: "parameter.matrix.units",
    effect: "feet and miles, or meters and kilometers",
    b: metric,
    expects(a: Matrix, b: Matrix) {
      for (const i of [0, 1]) expectUnits(a.matrix[i][0].distance, b.matrix[i][0].distance);
    },
  },
  matrixAvoids("tolls", { origins: TOLL_SOUTH, destinations: TOLL_NORTH }),
  matrixAvoids("highways", { origins: MOTORWAY_SOUTH, destinations: MOTORWAY_NORTH }),
  matrixAvoids("ferries", { origins: FERRY_SOUTH, destinations: FERRY_NORTH, mode: "foot" }),
  ...withTraffic(
    "parameter.matrix.departureTime",
    { origins: HERE, destinations: THERE },
    (body: Matrix) => only(body).duration.value,
  ),
];

/** A drive along Main Street: 21 points, 60 m apart. */
const trace = Array.from({ length: 21 }, (_, i) => {
  const [from, to] = [pointOf(MAIN_SOUTH), pointOf(MAIN_NORTH)];
  return {
    latitude: from.latitude + ((to.latitude - from.latitude) * i) / 20,
    longitude: from.longitude + ((to.longitude - from.longitude) * i) / 20,
  };
});
const written = ({ latitude, longitude }: Point) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
const PATH = trace.map((point) => ({ coordinates: written(point) }));
/** The same with the point in the middle so far to the east. */
const withOutlier = (degrees: number) =>
  trace.map((point, i) => ({
    coordinates: written(i === 10 ? { ...point, longitude: point.longitude + degrees } : point),
  }));
const everySeconds = (seconds: number) =>
  withOutlier(0.006).map((point, i) => ({ ...point, createdAt: new Date(1.7e12 + i * seconds * 1000).toISOString() }));
const withAccuracy = (accuracy: number) =>
  withOutlier(0.001).map((point, i) => (i === 10 ? { ...point, accuracy } : point));
/** Through a block of houses, where there are footways only. */
const ACROSS = [0, 1, 2, 3, 4, 5].map((i) => ({ coordinates: `48.99,${-111.2 + i * 0.0005}`, accuracy: 5 }));
const indices = ({ matchedPath }: Match) => matchedPath.map(({ originalIndex }) => originalIndex);
const drive = { path: PATH };

const MATCH: readonly Difference[] = [
  {
    id: "parameter.match.path",
    effect: "snaps each of its points",
    both: metric,
    a: drive,
    b: { path: PATH.slice(0, 11) },
    expects(a: Match, b: Match) {
      expect(a.distance.value).toBeCloseTo(metresBetween(trace[0], trace[20]), -1);
      expect(b.distance.value).toBeCloseTo(a.distance.value / 2, -1);
      expect(indices(b)).toEqual(PATH.slice(0, 11).map((_, i) => i));
      for (const { originalIndex, ...at } of a.matchedPath)
        expect(metresBetween(at, trace[originalIndex])).toBeLessThan(10);
    },
  },
  {
    id: "parameter.match.path",
    effect: "createdAt: omits a point that cannot be reached in time",
    both: metric,
    a: { path: everySeconds(60) },
    b: { path: everySeconds(2) },
    expects(a: Match, b: Match) {
      expect(indices(a)).toContain(10);
      expect(indices(b)).toEqual(PATH.map((_, i) => i).filter((i) => i !== 10));
      expect(a.distance.value).toBeGreaterThan(b.distance.value + 500);
    },
  },
  {
    id: "parameter.match.path",
    effect: "accuracy: an inaccurate point does not lead to another street",
    both: metric,
    a: { path: withAccuracy(3) },
    b: { path: withAccuracy(100) },
    expects(a: Match, b: Match) {
      expect(a.distance.value).toBeGreaterThan(b.distance.value + 200);
      expect(b.distance.value).toBeCloseTo(metresBetween(trace[0], trace[20]), -1);
    },
  },
  {
    id: "parameter.match.mode",
    effect: "a truck is not matched to a street that is closed to trucks",
    both: { ...drive, ...metric, roadAttributes: "names" },
    b: { mode: "truck" },
    expects(a: Match, b: Match) {
      expect(new Set(a.roadAttributes.flatMap(({ names }) => names))).toEqual(new Set(["Main Street"]));
      expect(new Set(b.roadAttributes.flatMap(({ names }) => names)).size).toBeGreaterThan(3);
    },
  },
  ...["foot", "bike"].map(
    (mode): Difference => ({
      id: "parameter.match.mode",
      effect: `${mode} goes straight where a car has to go around`,
      both: metric,
      a: { mode: "car", path: ACROSS },
      b: { mode, path: ACROSS },
      expects: (a: Match, b: Match) => expect(b.distance.value).toBeLessThan(a.distance.value / 2),
    }),
  ),
  ...(["speedLimit", "names", "roadClass"] as const).map(
    (name): Difference => ({
      id: "parameter.match.roadAttributes",
      effect: `${name} alone is shown`,
      changes: "the attributes of each road",
      both: { ...drive, ...metric },
      a: { roadAttributes: "speedLimit, names, roadClass" },
      b: { roadAttributes: name },
      expects(a: Match, b: Match) {
        expect(a.roadAttributes[0]).toMatchObject({
          roadClass: "primary",
          names: ["Main Street"],
          speedLimit: { value: 56, text: "56 km/h" },
        });
        const { startLocation, endLocation, originalIndex } = a.roadAttributes[0];
        expect(b.roadAttributes[0]).toEqual({
          startLocation,
          endLocation,
          originalIndex,
          [name]: a.roadAttributes[0][name],
        });
      },
    }),
  ),
  {
    id: "parameter.match.roadAttributes",
    effect: "without it, road attributes are omitted",
    both: drive,
    b: { roadAttributes: "names" },
    expects(a: Match, b: Match) {
      expect(a).not.toHaveProperty("roadAttributes");
      expect(b.roadAttributes.length).toBeGreaterThan(20);
    },
  },
  {
    id: "parameter.match.units",
    effect: "feet and miles per hour, or meters and kilometers per hour",
    both: { ...drive, roadAttributes: "speedLimit" },
    b: metric,
    expects(a: Match, b: Match) {
      expectUnits(a.distance, b.distance);
      expect(a.roadAttributes[0].speedLimit).toEqual({ value: 35, text: "35 mph" });
      expect(b.roadAttributes[0].speedLimit).toEqual({ value: 56, text: "56 km/h" });
    },
  },
  ...inFormats("parameter.match.geometry", drive, [...POLYLINES, [undefined, 6]], ({ geometry }: Match) => geometry),
];

const first = ({ routes }: Directions) => routes[0];
const directionsAvoid = (avoid: string, locations: string, more: Json = {}): Difference => ({
  id: "parameter.directions.avoid",
  effect: `${avoid} changes the route`,
  changes: "the route, which avoids the specified features",
  both: { ...metric, locations, ...more },
  b: { avoid },
  expects(a: Directions, b: Directions) {
    expect(first(b).duration.value).toBeGreaterThan(1.3 * first(a).duration.value);
    expect(first(b).geometry).not.toEqual(first(a).geometry);
  },
});

/** The second maneuver of the way from west to east. */
const TURN_LEFT: Readonly<Record<string, string>> = {
  de: "Links abbiegen auf Bunting Way",
  en: "Turn left onto Bunting Way",
  es: "Gira a la izquierda en Bunting Way",
  fr: "Tourner à gauche sur Bunting Way",
  ja: "左折してBunting Wayを進む",
  ko: "좌회전 하시고 Bunting Way로 가세요.",
  pt: "Vire à esquerda em Bunting Way",
  ru: "Поверните налево на Bunting Way",
};

const DIRECTIONS: readonly Difference[] = [
  {
    id: "parameter.directions.locations",
    effect: "are visited in the given order",
    both: metric,
    a: { locations: `${WEST}|${NEAR}|${EAST}` },
    b: { locations: `${NEAR}|${WEST}|${EAST}` },
    expects(a: Directions, b: Directions) {
      for (const [{ routes }, order] of [
        [a, [WEST, NEAR, EAST]],
        [b, [NEAR, WEST, EAST]],
      ] as const) {
        const [{ legs }] = routes;
        expect(legs).toHaveLength(2);
        legs.forEach(({ startLocation, endLocation }, i) => {
          expect(metresBetween(startLocation, pointOf(order[i]))).toBeLessThan(250);
          expect(metresBetween(endLocation, pointOf(order[i + 1]))).toBeLessThan(250);
        });
      }
      expect(first(b).distance.value).toBeGreaterThan(first(a).distance.value);
    },
  },
  ...(
    [
      ["truck", MAIN_SOUTH, MAIN_NORTH, 2],
      ["bike", WEST, EAST, 2],
      ["foot", WEST, EAST, 5],
    ] as const
  ).map(
    ([mode, origin, destination, times]): Difference => ({
      id: "parameter.directions.mode",
      effect: `a ${mode} takes longer than a car, step by step`,
      both: { locations: `${origin}|${destination}` },
      b: { mode },
      expects(a: Directions, b: Directions) {
        expect(first(b).duration.value).toBeGreaterThan(times * first(a).duration.value);
        // A bike is pushed where it may not be ridden.
        const modes = ({ routes }: Directions) => new Set(routes[0].legs[0].steps.map((step) => step.mode));
        expect([modes(a), modes(b).has(mode), modes(b).has("car")]).toEqual([new Set(["car"]), true, false]);
      },
    }),
  ),
  {
    id: "parameter.directions.units",
    effect: "feet and miles, or meters and kilometers, in values and in voice instructions",
    b: metric,
    expects(a: Directions, b: Directions) {
      expectUnits(first(a).distance, first(b).distance);
      const [imperial, inMetric] = [first(a).legs[0], first(b).legs[0]];
      expectUnits(imperial.distance, inMetric.distance);
      expectUnits(imperial.steps[1].distance, inMetric.steps[1].distance);
      expect(imperial.steps[1].voice_instructions).toBe("In 500 feet, turn left onto Bunting Way");
      expect(inMetric.steps[1].voice_instructions).toBe("In 150 meters, turn left onto Bunting Way");
    },
  },
  directionsAvoid("tolls", `${TOLL_SOUTH}|${TOLL_NORTH}`),
  directionsAvoid("highways", `${MOTORWAY_SOUTH}|${MOTORWAY_NORTH}`),
  directionsAvoid("ferries", `${FERRY_SOUTH}|${FERRY_NORTH}`, { mode: "foot" }),
  directionsAvoid("borderCrossings", `${MOTORWAY_SOUTH}|${MOTORWAY_NORTH}`),
  ...inFormats(
    "parameter.directions.geometry",
    {},
    [...POLYLINES, [undefined, 6]],
    (body: Directions) => first(body).geometry,
  ),
  ...inFormats(
    "parameter.directions.geometry",
    {},
    POLYLINES,
    (body: Directions) => first(body).legs[0].geometry,
    " of a leg",
  ),
  ...inFormats(
    "parameter.directions.geometry",
    {},
    POLYLINES,
    (body: Directions) => first(body).legs[0].steps[2].geometry,
    " of a step",
  ),
  ...withTraffic(
    "parameter.directions.departureTime",
    { locations: `${HERE}|${THERE}` },
    (body: Directions) => first(body).duration.value,
  ),
  ...Object.entries(TURN_LEFT).map(
    ([lang, text]): Difference => ({
      id: "parameter.directions.lang",
      effect: `${lang}: ${text}`,
      changes: "the language of the instructions",
      b: { lang },
      expects(a: Directions, b: Directions) {
        expect(first(a).legs[0].steps[1].instructions).toBe(TURN_LEFT.en);
        expect(first(b).legs[0].steps[1].instructions).toBe(text);
        expect(first(b).geometry).toEqual(first(a).geometry);
      },
    }),
  ),
];

const order = ({ route }: Optimized) => route.legs.map(({ startIndex, endIndex }) => [startIndex, endIndex]);
const OPTIMIZE: readonly Difference[] = [
  {
    id: "parameter.optimize.locations",
    effect: "are visited in the best order, regardless of their order",
    a: { locations: `${WEST}|${TOLL_NORTH}|${NEAR}|${EAST}` },
    b: { locations: `${WEST}|${NEAR}|${TOLL_NORTH}|${EAST}` },
    expects(a: Optimized, b: Optimized) {
      expect(new Set(order(a).flat())).toEqual(new Set([0, 1, 2, 3]));
      const swapped = [0, 2, 1, 3];
      expect(order(b)).toEqual(order(a).map((ends) => ends.map((index) => swapped[index])));
      expect(b.route.distance).toEqual(a.route.distance);
    },
  },
  ...(
    [
      ["truck", `${MAIN_SOUTH}|${MAIN_NORTH}`, 2],
      ["bike", `${WEST}|${NEAR}|${EAST}`, 2],
      ["foot", `${WEST}|${NEAR}|${EAST}`, 5],
    ] as const
  ).map(
    ([mode, locations, times]): Difference => ({
      id: "parameter.optimize.mode",
      effect: `a ${mode} takes longer than a car`,
      both: { locations },
      b: { mode },
      expects: (a: Optimized, b: Optimized) =>
        expect(b.route.duration.value).toBeGreaterThan(times * a.route.duration.value),
    }),
  ),
  {
    id: "parameter.optimize.units",
    effect: "feet and miles, or meters and kilometers",
    b: metric,
    expects(a: Optimized, b: Optimized) {
      expectUnits(a.route.distance, b.route.distance);
      a.route.legs.forEach((leg, i) => {
        expectUnits(leg.distance, b.route.legs[i].distance);
      });
    },
  },
  ...inFormats("parameter.optimize.geometry", {}, POLYLINES, ({ route }: Optimized) => route.legs[0].geometry),
  {
    id: "parameter.optimize.geometry",
    effect: "without it, there is no line, and the values are the same",
    b: { geometry: "polyline6" },
    expects(a: Optimized, b: Optimized) {
      for (const leg of b.route.legs) expect(leg.geometry.polyline?.length).toBeGreaterThan(10);
      expect(a.route.legs).toEqual(b.route.legs.map(({ geometry: _, ...leg }) => leg));
    },
  },
  ...withTraffic(
    "parameter.optimize.departureTime",
    { locations: `${HERE}|${BETWEEN}|${THERE}` },
    ({ route }: Optimized) => route.duration.value,
  ),
];

export const ROUTES_DIFFERENCES: readonly Difference[] = [...DISTANCE, ...MATRIX, ...MATCH, ...DIRECTIONS, ...OPTIMIZE];
