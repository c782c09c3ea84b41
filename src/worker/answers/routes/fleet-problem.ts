import { NEVER } from "../../../core/fleet/model.ts";
import type {
  FleetProblem,
  FleetStop,
  FleetTask,
  FleetVehicle,
  Span,
  TravelMatrix,
} from "../../../core/fleet/problem.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Mode } from "../../../core/routing/graph/modes.ts";
import type { Vehicle } from "../../../core/routing/graph/vehicle.ts";
import { invalid, required } from "../../platform/errors.ts";
import {
  type BodyStop,
  type BodyVehicle,
  type FleetBody,
  type FleetBounds,
  REQUEST_BOUNDS,
} from "../../wire/routes/fleet-body.ts";
import { vehicleFor } from "../../wire/routes/vehicle-fields.ts";

/** Profile names of OSRM and openrouteservice in VROOM. */
const PROFILES: Readonly<Record<string, Mode>> = {
  car: "car",
  motorbike: "car",
  driving: "car",
  "driving-car": "car",
  truck: "truck",
  "driving-hgv": "truck",
  bike: "bike",
  bicycle: "bike",
  cycling: "bike",
  "cycling-regular": "bike",
  foot: "foot",
  walking: "foot",
  "foot-walking": "foot",
};

/** Matrices of the roads in one request: each takes up to a second of CPU for 200 locations, and memory. */
const MAX_KINDS = 6;

/** Vehicles with the same roads share a matrix, whatever order their sizes are in. */
const roadsKey = ({ profile, vehicle }: Pick<BodyVehicle, "profile" | "vehicle">): string =>
  JSON.stringify([profile, Object.entries(vehicle ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))]);

/** A location from the caller: coordinates, a matrix index, or both. */
export interface FleetPlace {
  location?: [longitude: number, latitude: number];
  index?: number;
}

/** A stop as identified in the response. */
export interface FleetStopName extends FleetPlace {
  id: number;
  type: "job" | "pickup" | "delivery";
  description?: string;
}

interface AskedRoads {
  profile: string;
  mode: Mode;
  vehicle: Vehicle | undefined;
}

/** The caller's problem, before the matrices are computed. */
export interface FleetQuestion {
  /** By location. */
  places: Coordinate[];
  /** Profiles, with the vehicles' own sizes, that need a matrix from the roads. */
  asked: AskedRoads[];
  /** By node. */
  stops: FleetStopName[];
  ends: { start: FleetPlace; end: FleetPlace }[];
  /** `matrices` are those of the roads, in the order of `asked`. */
  problem(matrices: readonly TravelMatrix[]): FleetProblem;
}

/** @throws ApiError 400 for inconsistent parts */
export function fleetQuestion(body: FleetBody, bounds: FleetBounds = REQUEST_BOUNDS): FleetQuestion {
  const { vehicles, jobs, shipments, matrices } = body;
  if (jobs.length + shipments.length > bounds.tasks)
    throw invalid("shipments", `At most ${bounds.tasks} jobs and shipments together.`);
  once(vehicles, "vehicles");
  once(jobs, "jobs");
  once(
    shipments.map(({ pickup }) => pickup),
    "shipments",
    "[pickup]",
  );
  once(
    shipments.map(({ delivery }) => delivery),
    "shipments",
    "[delivery]",
  );

  const profiles = [...new Set(vehicles.map(({ profile }) => profile))];
  const own = profiles.filter((profile) => matrices && Object.hasOwn(matrices, profile));
  const asked: AskedRoads[] = [];
  const askedAt = new Map<string, number>();
  vehicles.forEach(({ profile, vehicle }, i) => {
    const param = `vehicles[${i}][vehicle]`;
    if (own.includes(profile)) {
      if (vehicle) throw invalid(param, "Not with `matrices`: they replace the roads.");
      return;
    }
    if (!Object.hasOwn(PROFILES, profile)) throw unknownProfile(vehicles, profile);
    const mode = PROFILES[profile];
    const key = roadsKey({ profile, vehicle });
    if (askedAt.has(key)) return;
    askedAt.set(key, asked.length);
    asked.push({ profile, mode, vehicle: vehicleFor(vehicle, [mode], param) });
    if (asked.length > MAX_KINDS) throw invalid(param, `At most ${MAX_KINDS} different vehicles and profiles.`);
  });
  if (own.length > 0 && body.departureTime !== undefined)
    throw invalid("departureTime", "Not with `matrices`: they replace the roads.");
  if (own.length > 0 && asked.length > 0)
    throw invalid("matrices", `Set a matrix for each profile or for none: "${asked[0].profile}" has none.`);
  const size = own.length > 0 && matrices ? matrices[own[0]].durations.length : undefined;
  for (const profile of own) checkMatrix(matrices?.[profile], profile, size ?? 0);

  const places: Coordinate[] = [];
  const known = new Map<string, number>();
  /** The index of a location: the caller's with a matrix, ours without. */
  const locate = ({ location, index }: FleetPlace, param: string): number => {
    if (size !== undefined) {
      if (index === undefined)
        throw required(
          `${param.replace(/(location|start|end)\]$/, "$1_index]")}`,
          "With `matrices`, specify every location by its row.",
        );
      if (index >= size)
        throw invalid(`${param.replace(/(location|start|end)\]$/, "$1_index]")}`, `The matrix has ${size} rows.`);
      return index;
    }
    if (!location) throw required(param);
    const key = location.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, places.length);
    places.push({ longitude: location[0], latitude: location[1] });
    return places.length - 1;
  };

  const stops: FleetStopName[] = [];
  const stopOf = (stop: BodyStop, type: FleetStopName["type"], param: string): FleetStop => {
    const place = placeOf(stop.location, stop.location_index);
    stops.push({ id: stop.id, type, ...place, ...(stop.description ? { description: stop.description } : {}) });
    const location = locate(place, `${param}[location]`);
    return { location, setup: stop.setup, service: stop.service, windows: sorted(stop.time_windows) };
  };
  const tasks: FleetTask[] = [
    ...jobs.map(
      (job, i): FleetTask => ({
        stops: [stopOf(job, "job", `jobs[${i}]`)],
        delivery: job.delivery ?? job.amount ?? [],
        pickup: job.pickup ?? [],
        skills: job.skills ?? [],
        priority: job.priority,
      }),
    ),
    ...shipments.map(
      ({ pickup, delivery, amount, skills, priority }, i): FleetTask => ({
        stops: [
          stopOf(pickup, "pickup", `shipments[${i}][pickup]`),
          stopOf(delivery, "delivery", `shipments[${i}][delivery]`),
        ],
        delivery: [],
        pickup: amount ?? [],
        skills: skills ?? [],
        priority,
      }),
    ),
  ];
  const ends = vehicles.map((vehicle) => ({
    start: placeOf(vehicle.start, vehicle.start_index),
    end: placeOf(vehicle.end, vehicle.end_index),
  }));
  const located = ends.map(({ start, end }, i) => {
    const isNamed = (place: FleetPlace) => place.location !== undefined || place.index !== undefined;
    if (!isNamed(start) && !isNamed(end))
      throw required(`vehicles[${i}][start]`, "A vehicle needs a start, an end, or both.");
    return {
      start: isNamed(start) ? locate(start, `vehicles[${i}][start]`) : undefined,
      end: isNamed(end) ? locate(end, `vehicles[${i}][end]`) : undefined,
    };
  });
  const dimensions = Math.max(
    0,
    ...vehicles.map(({ capacity }) => capacity?.length ?? 0),
    ...tasks.map(({ delivery, pickup }) => Math.max(delivery.length, pickup.length)),
  );
  return {
    places,
    asked,
    stops,
    ends,
    problem: (found) => ({
      matrices: own.length > 0 && matrices ? own.map((profile) => gridMatrix(matrices[profile])) : found,
      vehicles: vehicles.map((vehicle, i) => ({ ...vehicleOf(vehicle), ...located[i], matrix: matrixOf(vehicle) })),
      tasks,
      dimensions,
    }),
  };

  function matrixOf(vehicle: BodyVehicle): number {
    return own.length > 0 ? own.indexOf(vehicle.profile) : (askedAt.get(roadsKey(vehicle)) ?? 0);
  }
}

function vehicleOf(vehicle: BodyVehicle): Omit<FleetVehicle, "matrix"> {
  const { costs, breaks } = vehicle;
  return {
    speedFactor: vehicle.speed_factor,
    capacity: vehicle.capacity ?? undefined,
    skills: new Set(vehicle.skills ?? []),
    window: vehicle.time_window ?? [0, NEVER],
    breaks: (breaks ?? [])
      .map((rest) => ({
        windows: sorted(rest.time_windows),
        service: rest.service,
        maxLoad: rest.max_load ?? undefined,
      }))
      .sort((a, b) => (a.windows[0]?.[0] ?? 0) - (b.windows[0]?.[0] ?? 0)),
    maxTasks: vehicle.max_tasks ?? NEVER,
    maxTravelTime: vehicle.max_travel_time ?? NEVER,
    maxDistance: vehicle.max_distance ?? NEVER,
    costs: { fixed: costs?.fixed ?? 0, perHour: costs?.per_hour ?? 3600, perKm: costs?.per_km ?? 0 },
  };
}

function placeOf(location: [number, number] | null | undefined, index: number | null | undefined): FleetPlace {
  return { ...(location ? { location } : {}), ...(index === null || index === undefined ? {} : { index }) };
}

/** Sorts time windows and merges those that touch or overlap. */
function sorted(windows: readonly Span[] | null | undefined): Span[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...(windows ?? [])].sort((a, b) => a[0] - b[0])) {
    const last = joined[joined.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

type Grids = NonNullable<FleetBody["matrices"]>[string];

function gridMatrix({ durations, distances, costs }: Grids): TravelMatrix {
  const flat = (rows: (number | null)[][]) =>
    Float64Array.from(rows.flat(), (value) => (value === null ? Number.POSITIVE_INFINITY : value));
  const duration = flat(durations);
  return {
    size: durations.length,
    duration,
    distance: distances ? flat(distances) : new Float64Array(duration.length),
    ...(costs ? { cost: flat(costs) } : {}),
  };
}

function checkMatrix(grids: Grids | undefined, profile: string, size: number): void {
  for (const [name, rows] of Object.entries(grids ?? {})) {
    if (rows && rows.length !== size)
      throw invalid(`matrices[${profile}][${name}]`, `Expected ${size} rows, as in the others.`);
  }
}

function unknownProfile(vehicles: readonly BodyVehicle[], profile: string) {
  const at = vehicles.findIndex((vehicle) => vehicle.profile === profile);
  return invalid(
    `vehicles[${at}][profile]`,
    `Valid values: ${Object.keys(PROFILES).join(", ")}, or a key of matrices.`,
  );
}

/** Ids identify items in the response, so they are unique per kind. */
function once(items: readonly { id: number }[], kind: string, part = ""): void {
  const seen = new Set<number>();
  items.forEach(({ id }, i) => {
    if (seen.has(id)) throw invalid(`${kind}[${i}]${part}[id]`, `${id} is duplicated.`);
    seen.add(id);
  });
}
