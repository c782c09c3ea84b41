import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { distance } from "../../src/core/geo/distance.ts";
import { match } from "../../src/core/routing/match/match.ts";
import { tidied } from "../../src/core/routing/match/trace.ts";
import { NoRoad } from "../../src/core/routing/route/router.ts";
import { type GherkinStep, rowsOf } from "./gherkin.ts";
import { isSame, type RowResult } from "./osrm-rows.ts";
import type { OsrmTown } from "./osrm-town.ts";

/** Columns of the answer's form, of another engine's numbers, and of traces that are refused. */
const INNER = /^(a:.*|alternatives|code|confidence|duration|geometry|OSM IDs|turns|waypoints|route)$/;
/** A silence after which the other engine splits a trace [s]. */
const GAP = 60;

/** Traces: the nodes that its points are matched to, split where the course breaks off. */
export async function runMatches(town: OsrmTown, step: GherkinStep): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rowsOf(step.table)) results.push(await matchRow(town, row));
  return results;
}

async function matchRow(town: OsrmTown, row: Record<string, string>): Promise<RowResult> {
  const result: RowResult = { row: row.trace, expected: {}, told: {}, wrong: [] };
  if (row.matchings === undefined) return { ...result, not: "only inner numbers of the other engine" };
  const others = Object.keys(row).filter(
    (name) => !INNER.test(name) && !/^(trace|timestamps|matchings|#.*)$/.test(name),
  );
  if (others.length > 0) return { ...result, not: `the column ${others[0]}` };
  const times = row.timestamps?.split(" ").map(Number);
  const drawn = [...row.trace].map((name, at) => ({ ...placeOf(town, name), ...(times && { time: times[at] }) }));
  const trace = town.options.get("tidy") === "true" ? tidied(drawn).map((at) => drawn[at]) : drawn;
  const gap = town.options.get("gaps") === "ignore" ? undefined : GAP;
  const router = await town.router();
  const found = await match(router, trace, { mode: town.mode, ...(gap && { gap }) });
  const parts = found.courses.map(({ stretches }) => {
    const indices = new Set(stretches.flatMap(({ points }) => points.map(({ index }) => index)));
    const own = found.points.filter(({ index }) => indices.has(index));
    return own.map(({ location }) => nearest(town, location)).join("");
  });
  result.expected.matchings = row.matchings;
  result.told.matchings = parts.join();
  if (result.told.matchings !== row.matchings) result.wrong.push("matchings");
  return result;
}

function placeOf(town: OsrmTown, name: string): Coordinate {
  const place = town.places.get(name);
  if (!place) throw new Error(`no place ${name}`);
  return place;
}

/** The node at a place on a road. */
function nearest(town: OsrmTown, location: Coordinate): string {
  let best = { name: "?", far: Number.POSITIVE_INFINITY };
  for (const [name, place] of town.places) {
    const far = distance(location, place);
    if (far < best.far) best = { name, far };
  }
  return best.name;
}

/** A table of connections: which there are, and where lengths are asked, how long. */
export async function runMatrix(town: OsrmTown, { table }: GherkinStep, unit: string): Promise<RowResult[]> {
  const [[, ...columns], ...rows] = table;
  const from = rows.map(([name]) => placeOf(town, name));
  const to = columns.map((name) => placeOf(town, name));
  const router = await town.router();
  const cells = await router.matrix(from, to, { mode: town.mode }).catch((error) => {
    if (error instanceof NoRoad) return [];
    throw error;
  });
  return rows.map(([name, ...wanted], at) => {
    const result: RowResult = { row: name, expected: {}, told: {}, wrong: [] };
    wanted.forEach((cell, column) => {
      const there = cells[at]?.[column];
      const key = `${name}${columns[column]}`;
      // Times are those of a profile for tests.
      const told = !there ? "" : unit === "distance" ? String(Math.round(there.distance * 10) / 10) : "way";
      result.expected[key] = unit === "distance" || cell === "" ? cell : "way";
      result.told[key] = told;
      if (!isSame(told, result.expected[key])) result.wrong.push(key);
    });
    return result;
  });
}
