/**
 * A fleet and its tasks, as the solver sees them: locations are rows of a matrix, times are seconds on one clock of the
 * caller's choice, amounts are vectors. Fields that are optional in the API have their defaults here.
 */
export interface FleetProblem {
  /** One per profile that a vehicle names. */
  matrices: readonly TravelMatrix[];
  vehicles: readonly FleetVehicle[];
  tasks: readonly FleetTask[];
  /** How many numbers an amount has. */
  dimensions: number;
}

/** From each location to each, row by row; Infinity where there is no way. */
export interface TravelMatrix {
  size: number;
  /** [s] */
  duration: Float64Array;
  /** [m] */
  distance: Float64Array;
  /** Cost to minimize, instead of the cost of time and distance. */
  cost?: Float64Array;
  /** If the ways depend on the time of departure: instead of `duration` and `distance`, those from a time on, ascending. */
  hours?: readonly { begins: number; grid: TravelGrid }[];
}

/** Durations and distances of one span of time; several spans may share them. */
export interface TravelGrid {
  duration: Float64Array;
  distance: Float64Array;
}

/** From, to, both included [s]. */
export type Span = readonly [from: number, to: number];

export interface FleetVehicle {
  /** Index in `matrices`. */
  matrix: number;
  /** Durations are divided by it. */
  speedFactor: number;
  /** Locations; undefined: the route begins with its first stop, or ends with its last. */
  start?: number;
  end?: number;
  /** Undefined: unlimited. */
  capacity?: readonly number[];
  skills: ReadonlySet<number>;
  window: Span;
  breaks: readonly FleetBreak[];
  /** A shipment counts twice: it is fetched and brought. */
  maxTasks: number;
  /** Of driving alone [s]. */
  maxTravelTime: number;
  /** [m] */
  maxDistance: number;
  costs: { fixed: number; perHour: number; perKm: number };
}

export interface FleetBreak {
  /** Begins within one of them; sorted. */
  windows: readonly Span[];
  /** [s] */
  service: number;
  /** Maximum load on board; undefined: any load. */
  maxLoad?: readonly number[];
}

export interface FleetStop {
  location: number;
  /** Spent if the vehicle comes from another location [s]. */
  setup: number;
  /** [s] */
  service: number;
  /** Work at the stop begins within one of them; sorted, not overlapping; empty: at any time. */
  windows: readonly Span[];
}

/** A job has one stop; a shipment two, first where it is fetched, then where it is brought. */
export interface FleetTask {
  stops: readonly [FleetStop] | readonly [FleetStop, FleetStop];
  /** Of a job: on board from the start on. */
  delivery: readonly number[];
  /** For a job: on board until the end. For a shipment: its load. */
  pickup: readonly number[];
  skills: readonly number[];
  /** 0 to 100: if not all tasks can be done, the sum over the assigned tasks is maximized. */
  priority: number;
}
