import type { MutableTags } from "./sheet.ts";

/**
 * How the world is divided. A township is a square of 5.6 km; (0, 0) is the twin town on the border, the others are
 * around it in rings. Each township has lines of arterial roads; neighbours in one column share their north–south
 * lines, neighbours in one row their east–west lines, so that roads meet at the edges.
 *
 *      │  │  │   ▲ v
 *     ─┼──┼──┼─  │       cells between the lines are filled one by one: grid, suburb, park …
 *     ─┼──┼──┼─  └──▶ u
 */
export const TOWNSHIP = 5600;
const HALF = TOWNSHIP / 2;

export type LineClass = "trunk" | "primary" | "secondary" | "tertiary";
type StripKind = "block" | "motorway" | "rail" | "river" | "border";

/** One arterial line; `at` is relative to the township's centre. */
export interface LinePlan {
  at: number;
  class: LineClass;
  /** Crosses the river on a bridge; the other lines end at its banks. */
  bridge?: "free" | "toll";
  /** Crosses the border at a checkpoint; the other lines end before it. */
  checkpoint?: boolean;
  /** The motorway has ramps to this line. */
  interchange?: boolean;
  /** Passes over the motorway without ramps; other lines end at the frontage roads. */
  overpass?: boolean;
}

/**
 * Lines of a column or a row, with what is between them: strips[i] is before lines[i], the last one after the last
 * line.
 */
export interface Strips {
  lines: LinePlan[];
  strips: StripKind[];
}

/** Where the motorway's middle runs in the columns that have one, and the railway. */
export const MOTORWAY_AT = 450;
export const RAIL_AT = 1235;
/** Middle of the river in the row on the border. */
export const RIVER_AT = -1430;

const line = (at: number, kind: LineClass, more: Partial<LinePlan> = {}): LinePlan => ({ at, class: kind, ...more });

const CENTRE_COLUMN: Strips = {
  lines: [
    line(-2050, "secondary", { bridge: "free" }),
    line(-1300, "tertiary"),
    line(-500, "primary", { bridge: "free", checkpoint: true }),
    line(300, "secondary"),
    line(600, "tertiary"),
    line(1195, "tertiary"),
    line(1275, "secondary", { bridge: "toll" }),
    line(2000, "tertiary"),
  ],
  strips: ["block", "block", "block", "block", "motorway", "block", "rail", "block", "block"],
};

const BORDER_ROW: Strips = {
  lines: [
    line(-2100, "trunk", { interchange: true }),
    line(-1560, "secondary"),
    line(-1300, "primary", { overpass: true }),
    line(-620, "secondary", { interchange: true }),
    line(-60, "tertiary"),
    line(60, "tertiary"),
    line(700, "primary", { interchange: true }),
    line(1400, "trunk", { interchange: true }),
    line(2100, "tertiary", { overpass: true }),
  ],
  strips: ["block", "block", "river", "block", "block", "border", "block", "block", "block", "block"],
};

const PLAIN: Strips = {
  lines: [
    line(-2000, "tertiary", { overpass: true }),
    line(-1200, "secondary", { overpass: true }),
    line(-400, "primary", { bridge: "free", checkpoint: true, interchange: true }),
    line(400, "tertiary"),
    line(1200, "trunk", { bridge: "free", overpass: true }),
    line(2000, "secondary", { overpass: true }),
  ],
  strips: ["block", "block", "block", "block", "block", "block", "block"],
};

export const columnPlan = (cx: number): Strips => (cx === 0 ? CENTRE_COLUMN : PLAIN);
export const rowPlan = (cy: number): Strips => (cy === 0 ? BORDER_ROW : PLAIN);

/** Edges of a township's strips, −2800 … 2800: strip i is between edges i and i + 1. */
export function edgesOf(plan: Strips): number[] {
  return [-HALF, ...plan.lines.map(({ at }) => at), HALF];
}

export interface Township {
  /** Position in the order of building: 0 is the twin town. */
  index: number;
  cx: number;
  cy: number;
}

/** The first `size` townships in rings around the centre, so that a smaller world is a part of a larger one. */
export function townships(size: number): Township[] {
  const out: Township[] = [];
  for (let ring = 0; out.length < size; ring++) {
    for (let cy = -ring; cy <= ring; cy++) {
      for (let cx = -ring; cx <= ring; cx++) {
        if (Math.max(Math.abs(cx), Math.abs(cy)) === ring && out.length < size) out.push({ index: out.length, cx, cy });
      }
    }
  }
  return out;
}

/** Which country a point of the plan belongs to. */
export type Side = "US" | "CA";
export const sideOf = (v: number): Side => (v < 0 ? "US" : "CA");

/** A legal speed in the country's own unit: miles in the south, kilometres in the north. */
export function speedTag(side: Side, speedKmh: number): string {
  return side === "CA" ? `${speedKmh}` : `${Math.round(speedKmh / 1.609344 / 5) * 5} mph`;
}

/** Tags of an arterial, by class. */
export function lineTags(kind: LineClass, side: Side): MutableTags {
  const speeds = { trunk: 80, primary: 60, secondary: 50, tertiary: 40 };
  const lanes = { trunk: "4", primary: "4", secondary: "2", tertiary: "2" };
  const tags: MutableTags = {
    highway: kind,
    lanes: lanes[kind],
    maxspeed: speedTag(side, speeds[kind]),
    surface: "asphalt",
  };
  if (kind === "primary") {
    tags["turn:lanes:forward"] = "left;through|through;right";
    tags["turn:lanes:backward"] = "left;through|through;right";
    tags["lanes:forward"] = "2";
    tags["lanes:backward"] = "2";
  }
  if (kind === "secondary") tags["cycleway:both"] = "lane";
  if (kind !== "trunk") tags.sidewalk = "both";
  return tags;
}
