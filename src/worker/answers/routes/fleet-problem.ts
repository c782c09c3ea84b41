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
import { invalid, required } from "../../platform/errors.ts";
import {
  type BodyStop,
  type BodyVehicle,
  type FleetBody,
  type FleetBounds,
  REQUEST_BOUNDS,
} from "../../wire/routes/fleet-body.ts";
import { type AskedRoads, roadsOf } from "./fleet-roads.ts";

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
  checkNames(body, bounds);
  const { vehicles } = body;
  const roads = roadsOf(body);
  const places = new Places(roads.size);
  const { tasks, stops } = tasksOf(body, places);
  const ends = vehicles.map((vehicle) => ({
    start: placeOf(vehicle.start, vehicle.start_index),
    end: placeOf(vehicle.end, vehicle.end_index),
  }));
  const located = ends.map((end, i) => locateEnds(end, `vehicles[${i}]`, places));
  const dimensions = Math.max(
    0,
    ...vehicles.map(({ capacity }) => capacity?.length ?? 0),
    ...tasks.map(({ delivery, pickup }) => Math.max(delivery.length, pickup.length)),
  );
  return {
    places: places.found,
    asked: roads.asked,
    stops,
    ends,
    problem: (found) => ({
      matrices: roads.matrices(found),
      vehicles: vehicles.map((one, i) => ({ ...vehicleOf(one), ...located[i], matrix: roads.matrixOf(one) })),
      tasks,
      dimensions,
    }),
  };
}

function checkNames({ vehicles, jobs, shipments }: FleetBody, bounds: FleetBounds): void {
  if (jobs.length + shipments.length > bounds.tasks)
    throw invalid("shipments", `At most ${bounds.tasks} jobs and shipments together.`);
  once(vehicles, "vehicles");
  once(jobs, "jobs");
  const [pickups, deliveries] = [shipments.map(({ pickup }) => pickup), shipments.map(({ delivery }) => delivery)];
  once(pickups, "shipments", "[pickup]");
  once(deliveries, "shipments", "[delivery]");
}

/** The locations of a problem: rows of the caller's matrix, or coordinates in the order in which they come. */
class Places {
  readonly found: Coordinate[] = [];
  readonly #known = new Map<string, number>();
  readonly #size: number | undefined;

  /** @param size rows of the caller's matrix */
  constructor(size: number | undefined) {
    this.#size = size;
  }

  /** The index of a location: the caller's with a matrix, ours without. */
  locate({ location, index }: FleetPlace, param: string): number {
    if (this.#size !== undefined) {
      const name = param.replace(/(location|start|end)\]$/, "$1_index]");
      if (index === undefined) throw required(name, "With `matrices`, specify every location by its row.");
      if (index >= this.#size) throw invalid(name, `The matrix has ${this.#size} rows.`);
      return index;
    }
    if (!location) throw required(param);
    const key = location.join();
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    this.#known.set(key, this.found.length);
    this.found.push({ longitude: location[0], latitude: location[1] });
    return this.found.length - 1;
  }
}

function tasksOf({ jobs, shipments }: FleetBody, places: Places): { tasks: FleetTask[]; stops: FleetStopName[] } {
  const stops: FleetStopName[] = [];
  const stopOf = (stop: BodyStop, type: FleetStopName["type"], param: string): FleetStop => {
    const place = placeOf(stop.location, stop.location_index);
    stops.push({ id: stop.id, type, ...place, ...(stop.description ? { description: stop.description } : {}) });
    const location = places.locate(place, `${param}[location]`);
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
  return { tasks, stops };
}

function locateEnds({ start, end }: FleetQuestion["ends"][number], param: string, places: Places) {
  const isNamed = (place: FleetPlace) => place.location !== undefined || place.index !== undefined;
  if (!isNamed(start) && !isNamed(end)) throw required(`${param}[start]`, "A vehicle needs a start, an end, or both.");
  return {
    start: isNamed(start) ? places.locate(start, `${param}[start]`) : undefined,
    end: isNamed(end) ? places.locate(end, `${param}[end]`) : undefined,
  };
}

function vehicleOf(vehicle: BodyVehicle): Omit<FleetVehicle, "matrix"> {
  const { costs, breaks } = vehicle;
  return {
    speedFactor: vehicle.speed_factor,
    capacity: vehicle.capacity ?? undefined,
    skills: new Set(vehicle.skills ?? []),
    window: vehicle.time_window ?? vehicle.time_windows?.[0] ?? [0, NEVER],
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

/** Ids identify items in the response, so they are unique per kind. */
function once(items: readonly { id: number }[], kind: string, part = ""): void {
  const seen = new Set<number>();
  items.forEach(({ id }, i) => {
    if (seen.has(id)) throw invalid(`${kind}[${i}]${part}[id]`, `${id} is duplicated.`);
    seen.add(id);
  });
}
