import type { TravelMatrix } from "../../../core/fleet/problem.ts";
import type { Mode } from "../../../core/routing/graph/modes.ts";
import type { Vehicle } from "../../../core/routing/graph/vehicle.ts";
import { invalid } from "../../platform/errors.ts";
import type { BodyVehicle, FleetBody } from "../../wire/routes/fleet-body.ts";
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

/** A profile, with the vehicle's own sizes, that needs a matrix from the roads. */
export interface AskedRoads {
  profile: string;
  mode: Mode;
  vehicle: Vehicle | undefined;
}

/** The matrices of the vehicles: all from the caller, or all from the roads. */
interface FleetRoads {
  asked: AskedRoads[];
  /** Rows of the caller's matrices. */
  size: number | undefined;
  /** The caller's matrices, or else those of `asked`. */
  matrices(ofAsked: readonly TravelMatrix[]): readonly TravelMatrix[];
  /** The index of a vehicle's matrix. */
  matrixOf(vehicle: BodyVehicle): number;
}

/** @throws ApiError 400 */
export function roadsOf({ vehicles, matrices = {}, departureTime }: FleetBody): FleetRoads {
  const profiles = [...new Set(vehicles.map(({ profile }) => profile))];
  const own = profiles.filter((profile) => Object.hasOwn(matrices, profile));
  const { asked, askedAt } = askedRoads(vehicles, own);
  if (own.length === 0)
    return {
      asked,
      size: undefined,
      matrices: (ofAsked) => ofAsked,
      matrixOf: (vehicle) => askedAt.get(roadsKey(vehicle)) ?? 0,
    };
  if (departureTime !== undefined) throw invalid("departureTime", "Not with `matrices`: they replace the roads.");
  if (asked.length > 0)
    throw invalid("matrices", `Set a matrix for each profile or for none: "${asked[0].profile}" has none.`);
  const size = matrices[own[0]].durations.length;
  for (const profile of own) checkMatrix(matrices[profile], profile, size);
  return {
    asked,
    size,
    matrices: () => own.map((profile) => gridMatrix(matrices[profile])),
    matrixOf: ({ profile }) => own.indexOf(profile),
  };
}

/** The roads of the vehicles without a matrix of the caller, with the index of each by its key. */
function askedRoads(vehicles: readonly BodyVehicle[], own: readonly string[]) {
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
  return { asked, askedAt };
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
