import type { Span, TravelGrid, TravelMatrix } from "../../../core/fleet/problem.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { MODES } from "../../../core/routing/graph/modes.ts";
import { bucketAt, type LocalTime, later, TRAFFIC_MODES } from "../../../core/routing/graph/traffic.ts";
import type { RouteOptions, Router } from "../../../core/routing/route/router.ts";
import { departureFrom } from "../../geodata/roads.ts";

/** Rows and columns of a matrix block: the maximum of the engine per call. */
const BLOCK = 80;
/** Numbers in the matrices of one kind of vehicle: 16 MB per million. */
const MAX_CELLS = 1_500_000;
/** Speeds repeat after a week [s]. */
const WEEK = 7 * 86_400;
const MINUTE = 60;
/** Conditional restrictions may begin and end at any minute: the roads are looked up this often, as far as that is not too much. */
const HOURLY_STEPS = [30, 60];
const MAX_HOURLY_CELLS = 300_000;

/** Local time at a second of the fleet's clock; undefined if the roads do not depend on it. */
export type FleetClock = (second: number) => LocalTime | undefined;

/** `time`: when the clock is at 0 [ms since 1970]. */
export function fleetClock(router: Router, place: Coordinate, time: number): FleetClock {
  const start = departureFrom(router, place, time);
  const past = (time / 1000) % MINUTE;
  return (second) => start && later(start, second + past);
}

/**
 * The ways between all places. With a clock, those of each span of time with its own speeds within the fleet's hours: the traffic of
 * the window in which a vehicle leaves; if roads have conditional restrictions, also those of each hour.
 */
export async function fleetMatrix(
  router: Router | undefined,
  places: readonly Coordinate[],
  options: RouteOptions,
  clock: FleetClock | undefined,
  hours: Span,
): Promise<TravelMatrix> {
  const size = places.length;
  const start = clock?.(0);
  if (!router || !clock || !start) return { size, ...(await gridAt(router, places, options)) };
  const isHourly = router.store.manifest.isHourly(MODES.indexOf(options.mode));
  const step = isHourly
    ? HOURLY_STEPS.find((minutes) => ((hours[1] - hours[0]) / 60 / minutes) * size ** 2 <= MAX_HOURLY_CELLS)
    : undefined;
  const spans = spansOf(router, options, clock, hours, step);
  const most = Math.max(1, Math.floor(MAX_CELLS / size ** 2));
  const keys = [...new Set(spans.map(({ key }) => key))];
  const grids = new Map<string, TravelGrid>();
  for (const [i, key] of keys.entries()) {
    const { begins } = spans.find((span) => span.key === key) as { begins: number };
    const grid = await gridAt(router, places, { ...options, departure: clock(begins) });
    // For many places, several spans share the longest durations.
    const first = grids.get(keys[i % most]);
    grids.set(key, first ? longest(first, grid) : grid);
  }
  const matrix = grids.get(keys[0]) as TravelGrid;
  if (keys.length === 1) return { size, ...matrix };
  return { size, ...matrix, hours: spans.map(({ begins, key }) => ({ begins, grid: grids.get(key) as TravelGrid })) };
}

/** The matrix of some of the places. */
interface MatrixPart {
  /** Of the rows and columns. */
  places: readonly number[];
  has(from: number, to: number): boolean;
  matrix: TravelMatrix;
}

/** The matrix of all places, of parts of separate imports: there is no way between them. */
export function joinedMatrix(size: number, parts: readonly MatrixPart[]): TravelMatrix {
  if (parts.length === 1 && parts[0].places.length === size) return parts[0].matrix;
  const times = new Set(parts.flatMap(({ matrix }) => (matrix.hours ?? []).map(({ begins }) => begins)));
  const grids = parts.flatMap(({ matrix: { hours } }) => hours ?? []).map(({ grid }) => grid);
  /** By the grids of the parts. */
  const known = new Map<string, TravelGrid>();
  const gridFrom = (begins: number): TravelGrid => {
    const own = parts.map(({ matrix }) => matrix.hours?.findLast((span) => span.begins <= begins)?.grid ?? matrix);
    const key = own.map((grid) => grids.indexOf(grid)).join();
    const grid = known.get(key) ?? emptyGrid(size);
    if (known.has(key)) return grid;
    known.set(key, grid);
    for (const [part, { places, has }] of parts.entries()) {
      for (const [row, from] of places.entries()) {
        for (const [column, to] of places.entries()) {
          if (!has(from, to)) continue;
          grid.duration[from * size + to] = own[part].duration[row * places.length + column];
          grid.distance[from * size + to] = own[part].distance[row * places.length + column];
        }
      }
    }
    return grid;
  };
  const hours = [...times].sort((a, b) => a - b).map((begins) => ({ begins, grid: gridFrom(begins) }));
  return { size, ...(hours[0]?.grid ?? gridFrom(0)), ...(hours.length > 0 && { hours }) };
}

function emptyGrid(size: number): TravelGrid {
  const none = () => new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const grid = { duration: none(), distance: none() };
  for (let place = 0; place < size; place++) grid.duration[place * (size + 1)] = grid.distance[place * (size + 1)] = 0;
  return grid;
}

/** Spans of time from the beginning of the fleet's hours on; those with the same key have the same roads. */
function spansOf(
  { store: { manifest } }: Router,
  { mode }: RouteOptions,
  clock: FleetClock,
  [from, until]: Span,
  step: number | undefined,
): { begins: number; key: string }[] {
  const number = MODES.indexOf(mode);
  const windows = TRAFFIC_MODES.includes(number) ? manifest.windows : [];
  const spans: { begins: number; key: string }[] = [];
  const end = Math.min(until, from + WEEK);
  // Local times have whole minutes: the spans begin with one.
  const offset = firstMinute(clock, from);
  for (let begins = from; begins < end; begins = begins === from ? offset : begins + MINUTE) {
    const time = clock(begins);
    const bucket = bucketAt(windows, time);
    const key = step && time ? `${bucket} ${time.week} ${time.day} ${Math.floor(time.minute / step)}` : `${bucket}`;
    if (spans[spans.length - 1]?.key !== key) spans.push({ begins, key });
  }
  return spans.length > 0 ? spans : [{ begins: from, key: "" }];
}

/** The first second from which the local minute changes. */
function firstMinute(clock: FleetClock, from: number): number {
  const minute = clock(from)?.minute;
  let second = Math.floor(from) + 1;
  while (clock(second)?.minute === minute) second++;
  return second;
}

/** Joins two grids: durations of both are at most those of the result. */
function longest(one: TravelGrid, other: TravelGrid): TravelGrid {
  for (let at = 0; at < one.duration.length; at++) {
    if (!(other.duration[at] > one.duration[at])) continue;
    one.duration[at] = other.duration[at];
    one.distance[at] = other.distance[at];
  }
  return one;
}

/**
 * Integer seconds and meters, so that sums match the displayed values. Seconds are rounded up with a departure, so that no arrival is
 * later than planned. Block by block, because there are many large cells.
 */
async function gridAt(
  router: Router | undefined,
  places: readonly Coordinate[],
  options: RouteOptions,
): Promise<TravelGrid> {
  const size = places.length;
  const { duration, distance } = emptyGrid(size);
  const inSeconds = options.departure ? Math.ceil : Math.round;
  for (let top = 0; router && top < size; top += BLOCK) {
    for (let left = 0; left < size; left += BLOCK) {
      const origins = places.slice(top, top + BLOCK);
      const rows = await router.matrix(origins, top === left ? origins : places.slice(left, left + BLOCK), options);
      for (const [i, row] of rows.entries()) {
        for (const [j, cell] of row.entries()) {
          if (!cell) continue;
          const at = (top + i) * size + left + j;
          duration[at] = inSeconds(cell.duration);
          distance[at] = Math.round(cell.distance);
        }
      }
    }
  }
  for (let place = 0; place < size; place++) duration[place * (size + 1)] = distance[place * (size + 1)] = 0;
  return { duration, distance };
}
