import { basename } from "node:path";
import { MAX_WINDOWS, type TimeWindow } from "../../../../core/routing/graph/traffic.ts";
import { readCsvFile } from "../../../common/csv-file.ts";
import { ImportError } from "../../../common/import-error.ts";
import { overlap, parseDays, parseHours } from "./time-window.ts";

/** Speeds [km/h] by bucket (first those outside all windows, then the windows); 0 where the file says nothing. */
type BucketSpeeds = Float64Array;

/** An operator's speeds on roads. */
export interface SpeedTable {
  windows: readonly TimeWindow[];
  /** By way: along it, against it. */
  ways: ReadonlyMap<number, Sides>;
  /** By "from to", two nodes that follow one another on a way, in the direction of travel. */
  segments: ReadonlyMap<string, SpeedEntry>;
  /** By class of road: shares of the map's speeds by bucket, 0 where the file has none. */
  classes: ReadonlyMap<string, Float64Array>;
}

export interface Sides {
  forward?: SpeedEntry;
  backward?: SpeedEntry;
}

/** Speeds, and the line of the file that holds the first of them. */
export interface SpeedEntry {
  speeds: BucketSpeeds;
  line: number;
}

/** Called for every line that is passed over. `line` is 0 where the whole file is meant. */
type Complain = (line: number, reason: string) => void;

const COLUMNS = ["way_id", "direction", "from_node", "to_node", "road_class", "days", "hours", "speed", "factor"];
const FASTEST = 250;
const MIN_FACTOR = 0.05;
const MAX_FACTOR = 2;
/** Roads that a file may name: they are held in memory as long as the graph is created, some 400 bytes each. */
const MAX_ROADS = 8_000_000;

/**
 * Historical speeds, a CSV file of an operator (comma separated, the columns named in its first line, in any order):
 *
 *     way_id              OpenStreetMap id of a way; with
 *     direction           forward, backward or both (as when empty), as the way is drawn;
 *     from_node, to_node  or two nodes that follow one another on a way, in the direction of travel. They win over the way
 *     road_class          or the class of a road (primary, primary_link …), for all of them that no other row names; with
 *     factor              their speed as a share of the map's, 0.05 … 2
 *     days                Mo-Fr or Sa,Su; every day when empty
 *     hours               07:00-09:30, local time, also past midnight; the whole day when empty
 *     speed               [km/h], 1 … 250
 *
 * Distinct days and hours make the windows of time: at most MAX_WINDOWS, and no two may overlap. Rows with neither
 * hold at all times for which the road has no other row. Lines that cannot be read are passed over and reported to
 * `complain`; of two that say the same place and time the later one counts.
 *
 * @throws ImportError when the file is not of this kind, or has no line that can be used
 */
export async function readSpeedFile(path: string, complain: Complain, most = MAX_ROADS): Promise<SpeedTable> {
  const file = basename(path);
  const windows: NumberedWindow[] = [];
  const ways = new Map<number, Sides>();
  const segments = new Map<string, SpeedEntry>();
  const classes = new Map<string, Float64Array>();
  let columns: Record<string, number> | undefined;
  let used = 0;
  for await (const rows of readCsvFile(path)) {
    for (const { line, cells: raw } of rows) {
      const cells = raw.map((cell) => cell.trim());
      if (cells[0].startsWith("#") || cells.every((cell) => cell === "")) continue;
      if (!columns) {
        columns = columnsOf(cells, file);
        continue;
      }
      const at = columns;
      const row = readRow((name) => (at[name] === undefined ? "" : (cells[at[name]] ?? "")));
      if (typeof row === "string") {
        complain(line, row);
        continue;
      }
      if (ways.size + segments.size > most) {
        throw new ImportError(
          `${file}, line ${line}: more than ${most.toLocaleString("en")} roads. Cut the file to the roads of the extract.`,
        );
      }
      const bucket = bucketOf(windows, { days: row.days, ...row.hours, line }, file);
      used++;
      if (row.roadClass !== undefined) {
        const factors = classes.get(row.roadClass) ?? new Float64Array(MAX_WINDOWS + 1);
        factors[bucket] = row.speed;
        classes.set(row.roadClass, factors);
        continue;
      }
      if (row.from !== undefined) {
        const key = `${row.from} ${row.to}`;
        segments.set(key, merged(segments.get(key), bucket, row.speed, line));
        continue;
      }
      const sides = ways.get(row.way) ?? {};
      ways.set(row.way, sides);
      if (row.direction !== "backward") sides.forward = merged(sides.forward, bucket, row.speed, line);
      if (row.direction !== "forward") sides.backward = merged(sides.backward, bucket, row.speed, line);
    }
  }
  if (!columns) throw new ImportError(`${file} is empty: its first line must name the columns ${COLUMNS.join(", ")}.`);
  if (used === 0) throw new ImportError(`${file} has no line of use.`);
  return { windows: windows.map(({ days, from, until }) => ({ days, from, until })), ways, segments, classes };
}

/** A window of time, with the line that has it first. */
type NumberedWindow = TimeWindow & { line: number };

/** The bucket of a window, which is added if it is new. */
function bucketOf(windows: NumberedWindow[], window: NumberedWindow, file: string): number {
  const { days, from, until, line } = window;
  if (days === 127 && from === 0 && until === 1440) return 0;
  const known = windows.findIndex((one) => one.days === days && one.from === from && one.until === until);
  if (known >= 0) return known + 1;
  for (const other of windows) {
    if (!overlap(window, other)) continue;
    throw new ImportError(`${file}, line ${line}: its days and hours overlap those of line ${other.line}.`);
  }
  if (windows.length === MAX_WINDOWS) {
    throw new ImportError(`${file}, line ${line}: more than ${MAX_WINDOWS} different days and hours.`);
  }
  return windows.push(window);
}

function merged(existing: SpeedEntry | undefined, bucket: number, speed: number, line: number): SpeedEntry {
  const entry = existing ?? { speeds: new Float64Array(MAX_WINDOWS + 1), line };
  entry.speeds[bucket] = speed;
  return entry;
}

function columnsOf(cells: readonly string[], file: string): Record<string, number> {
  const columns: Record<string, number> = {};
  cells.forEach((cell, i) => {
    const name = cell.toLowerCase();
    if (cell === "") return;
    if (!COLUMNS.includes(name))
      throw new ImportError(`${file}: no column is called "${cell}"; there are ${COLUMNS.join(", ")}.`);
    columns[name] = i;
  });
  if (columns.speed === undefined)
    throw new ImportError(`${file} has no column speed. The first line must name the columns.`);
  const hasNodes = columns.from_node !== undefined && columns.to_node !== undefined;
  if (columns.way_id === undefined && columns.road_class === undefined && !hasNodes) {
    throw new ImportError(`${file} names no roads: it needs a column way_id, or from_node and to_node.`);
  }
  if (columns.road_class !== undefined && columns.factor === undefined) {
    throw new ImportError(`${file} has a column road_class, but no column factor.`);
  }
  return columns;
}

interface Row {
  way: number;
  direction: string;
  from?: number;
  to?: number;
  days: number;
  hours: { from: number; until: number };
  /** [km/h]; for a class of roads, its factor. */
  speed: number;
  roadClass?: string;
}

/** A row, or the reason why it cannot be used. */
function readRow(cell: (name: string) => string): Row | string {
  const roadClass = cell("road_class").toLowerCase();
  const speed = Number(cell(roadClass === "" ? "speed" : "factor"));
  if (roadClass !== "") {
    if (!/^[a-z_]+$/.test(roadClass)) return `road_class "${roadClass}" is not such as primary or primary_link`;
    if (!(speed >= MIN_FACTOR && speed <= MAX_FACTOR)) {
      return `factor "${cell("factor")}" is not ${MIN_FACTOR} to ${MAX_FACTOR}`;
    }
  } else if (cell("speed") === "" || !(speed >= 1 && speed <= FASTEST))
    return `speed "${cell("speed")}" is not 1 to ${FASTEST} km/h`;
  const days = parseDays(cell("days"));
  if (days === undefined) return `days "${cell("days")}" are not such as Mo-Fr or Sa,Su`;
  const hours = parseHours(cell("hours"));
  if (!hours) return `hours "${cell("hours")}" are not such as 07:00-09:30`;
  const direction = cell("direction").toLowerCase() || "both";
  if (!["forward", "backward", "both"].includes(direction)) {
    return `direction "${cell("direction")}" is not forward, backward or both`;
  }
  const [way, from, to] = ["way_id", "from_node", "to_node"].map((name) => idOf(cell(name)));
  const common = { direction, days, hours, speed };
  if (roadClass !== "") return { ...common, way: 0, roadClass };
  if (cell("from_node") !== "" || cell("to_node") !== "") {
    if (from === undefined || to === undefined) return `from_node and to_node are not two ids of nodes`;
    return { ...common, way: 0, from, to };
  }
  if (way === undefined) return `way_id "${cell("way_id")}" is not the id of a way`;
  return { ...common, way };
}

function idOf(text: string): number | undefined {
  const id = Number(text);
  return /^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id) ? id : undefined;
}
