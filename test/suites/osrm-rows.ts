import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import type { Avoid, Mode } from "../../src/core/routing/graph/modes.ts";
import { guide } from "../../src/core/routing/guidance/steps/steps.ts";
import type { Lane, Step } from "../../src/core/routing/guidance/types.ts";
import { NoRoad, type Route, type RouteOptions, type RoutePoint } from "../../src/core/routing/route/router.ts";
import { type GherkinStep, rowsOf } from "./gherkin.ts";
import { NotComparable, OsrmTown } from "./osrm-town.ts";

/** One row of a table of expectations: what was told in each column that is compared. */
export interface RowResult {
  row: string;
  expected: Record<string, string>;
  told: Record<string, string>;
  /** The columns in which they differ. */
  wrong: string[];
  /** Why nothing of it is compared. */
  not?: string;
}

/** Columns that ask, or that are for the reader. */
const QUESTION = /^(from|to|waypoints|bearings|approaches|param:.*|#.*|)$/;

/** Columns of another engine's inner numbers. */
const INNER =
  /^(weight|rate|.*_rate|data_version|status|message|classes|a:.*|geometry|locations|intersections|alternative|summary|pronunciations|distances|intersection_lanes|snapped_locations|code)$/;

/** What the columns compare, by the way's legs. */
type Column = (route: Route, legs: readonly Step[][], expected: string) => string;

const all = (legs: readonly Step[][]) => legs.flat();

const COLUMNS: Record<string, Column> = {
  route: (_, legs) =>
    all(legs)
      .map(({ name }) => name)
      .join(),
  turns: (_, legs) => all(legs).map(turnOf).join(),
  ref: (_, legs) =>
    all(legs)
      .map(({ ref }) => ref)
      .join(),
  lanes: (_, legs) =>
    all(legs)
      .map((step) => lanesOf(step.lanes))
      .join(),
  destinations: (_, legs) => all(legs).map(destinationsOf).join(),
  exits: (_, legs) =>
    all(legs)
      .map(({ exitRef }) => exitRef ?? "")
      .join(),
  modes: (_, legs) =>
    all(legs)
      .map(({ mode }) => MODE_NAMES[mode] ?? mode)
      .join(),
  driving_side: (_, legs) =>
    all(legs)
      .map(({ drivingSide }) => drivingSide)
      .join(),
  time: (route) => `${Math.round(route.duration * 10) / 10}s`,
  distance: (route) => `${Math.round(route.distance * 10) / 10}m`,
  speed: (route) => `${Math.round((route.distance / route.duration) * 3.6)} km/h`,
  times: (_, legs) =>
    all(legs)
      .map(({ duration }) => `${Math.round(duration * 10) / 10}s`)
      .join(),
};

const MODE_NAMES: Record<string, string> = { pushing: "pushing bike" };

function turnOf({ maneuver: { type, modifier, exit }, rotaryName }: Step): string {
  if (type === "depart" || type === "arrive") return type;
  if (type === "roundabout") return `roundabout-exit-${exit}`;
  if (type === "rotary") return `${rotaryName || "rotary"}-exit-${exit}`;
  if (type === "roundabout turn") return `roundabout turn ${modifier} exit-${exit}`;
  return `${type} ${modifier}`;
}

const lanesOf = (lanes: readonly Lane[] | undefined): string =>
  (lanes ?? []).map(({ indications, active }) => `${[...indications].sort().join(";")}:${active}`).join(" ");

const destinationsOf = ({ destination, destinationRef }: Step): string =>
  [destinationRef, destination]
    .filter((part) => part)
    .map((part) => part!.replaceAll(";", ", "))
    .join(": ");

/** Lists of lanes without the junctions that are passed in silence, in one order of markings. */
function announcedLanes(expected: string): string {
  return splitSteps(expected)
    .map((step) => (/^[^:]*$/.test(step) ? "" : step))
    .map((step) => firstIntersection(step))
    .join();
}

/** Intersections of a step are separated by ";", as are the markings of a lane. */
function firstIntersection(step: string): string {
  const lanes: string[] = [];
  let rest = step.trim();
  if (rest.startsWith(";")) return "";
  for (;;) {
    const lane = /^([^:]*):(true|false)( ?)(;?)/.exec(rest);
    if (!lane) break;
    lanes.push(`${lane[1].trim().split(";").sort().join(";")}:${lane[2]}`);
    rest = rest.slice(lane[0].length);
    if (lane[4]) break;
  }
  return lanes.join(" ");
}

const splitSteps = (list: string): string[] => list.split(",").map((part) => part.trim());

/** Steps of leaving a circle, which only one of the two engines tells, and the ends of lists. */
function comparable(name: string, value: string): string {
  const plain = value.replace(/\s*,\s*/g, ",").trim();
  if (name === "exits") return withoutArrival(plain.replaceAll("; ", ";"));
  if (name === "destinations" || name === "ref") return plain.replace(/,+$/, "");
  if (name === "lanes") return plain.replace(/,+$/, "");
  return plain;
}

/** The last element is that of the arrival, which has the number of the road before it in some versions. */
const withoutArrival = (list: string): string => list.slice(0, Math.max(0, list.lastIndexOf(",")));

/** `isAboutWords`: in suites of guidance the lists of roads and turns are what is tested. */
export async function runRoutes(town: OsrmTown, step: GherkinStep, isAboutWords: boolean): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rowsOf(step.table)) results.push(await routeRow(town, row, isAboutWords));
  return results;
}

async function routeRow(town: OsrmTown, row: Record<string, string>, isAboutWords: boolean): Promise<RowResult> {
  const names = row.waypoints !== undefined ? row.waypoints.split(",") : [row.from, row.to];
  const asked = Object.entries(row).filter(([name]) => QUESTION.test(name) && name !== "" && !name.startsWith("#"));
  const text = asked.map(([, value]) => value).join(" ");
  const columns = Object.keys(row).filter((name) => COLUMNS[name] && !(name === "times"));
  const result: RowResult = { row: text, expected: {}, told: {}, wrong: [] };
  const compared = columns.filter((name) => isCompared(town, name, row[name]));
  if (compared.length === 0) return { ...result, not: "only inner numbers of the other engine" };
  const parameter = asked.find(([name, value]) => name.startsWith("param:") && value !== "");
  if (parameter) return { ...result, not: `the parameter ${parameter[0].slice(6)}` };
  if (row.approaches && !/^(unrestricted ?)+( curb)?$/.test(row.approaches.trim()))
    return { ...result, not: "approaches of single waypoints" };
  const places = names.map((name) => placeOf(town, name.trim()));
  const curbside = places.length === 2 && row.approaches?.endsWith("curb");
  const found = await ask(town, places, row.bearings || town.options.get("bearings"), curbside);
  for (const name of compared) {
    const expected = name === "lanes" ? announcedLanes(row.lanes) : row[name];
    const told = found ? COLUMNS[name](found.route, found.legs, expected) : "";
    result.expected[name] = comparable(name, expected);
    result.told[name] = comparable(name, told);
    const isPath = name === "route" && !isAboutWords;
    const same = isPath
      ? isTravelled(result.expected.route, found?.roads ?? []) || (told !== "" && result.told.route === row.route)
      : isSame(result.told[name], result.expected[name]) ||
        (found !== undefined && sameWithoutDrawnNames(name, found, result));
    if (!same) result.wrong.push(name);
  }
  return result;
}

/**
 * Suites that are not about words list roads; those that lead straight on are left out by the rules of their time. The roads
 * of the list have to be traveled in this order, from the first to the last.
 */
function isTravelled(expected: string, roads: readonly string[]): boolean {
  if (expected === "" || roads.length === 0) return expected === "" && roads.length === 0;
  const wanted = withoutRepeats(expected.split(","));
  if (wanted[0] !== roads[0] || wanted[wanted.length - 1] !== roads[roads.length - 1]) return false;
  let next = 0;
  for (const road of roads) if (road === wanted[next]) next++;
  return next === wanted.length;
}

/**
 * The names of most roads are the letters of their nodes. The version of the suites did not announce "be" after "ab": names
 * that share a part, like "Main Street" and "Main Street North".
 */
function sameWithoutDrawnNames(name: string, { route, legs }: Found, { expected }: RowResult): boolean {
  if (name !== "route" && name !== "turns" && name !== "lanes" && name !== "ref" && name !== "modes") return false;
  const drawn = legs.map((steps) => steps.filter((step, at) => !isDrawnName(step, steps[at - 1])));
  const kept = [drawn, drawn.map(withoutExits), legs.map(withoutExits)];
  const told = kept.map((steps) => COLUMNS[name](route, steps, ""));
  // Where a way begins on a circle, leaving it was told as entering it.
  // Older versions told no mode of the arrival.
  if (name === "modes") return isSame(withoutArrival(COLUMNS.modes(route, legs, "")), expected.modes);
  if (name === "turns")
    told.push(
      all(legs)
        .map((step, at, steps) => leftCircle(step, steps[at - 1]) ?? turnOf(step))
        .join(),
    );
  return told.some((list) => isSame(comparable(name, list), expected[name]));
}

/** Leaving a roundabout is a step of its own here; the version of the suites told it with entering. */
const withoutExits = (steps: readonly Step[]): Step[] =>
  steps.filter(({ maneuver }, at) => !maneuver.type.startsWith("exit ") || !isCircle(steps[at - 1]));

function leftCircle({ maneuver, rotaryName }: Step, before: Step | undefined): string | undefined {
  if (!maneuver.type.startsWith("exit ") || isCircle(before)) return undefined;
  return `${rotaryName || maneuver.type.slice(5)}-exit-${maneuver.exit}`;
}

const isCircle = (step: Step | undefined) => step?.maneuver.type === "roundabout" || step?.maneuver.type === "rotary";

function isDrawnName({ maneuver, name }: Step, before: Step | undefined): boolean {
  const { type, modifier } = maneuver;
  if (type !== "new name" || modifier !== "straight" || !before) return false;
  return (
    /^[a-z]{2,4}$/.test(name) &&
    /^[a-z]{2,4}$/.test(before.name) &&
    [...name].some((letter) => before.name.includes(letter))
  );
}

const withoutRepeats = (names: readonly string[]): string[] => names.filter((name, at) => name !== names[at - 1]);

function isCompared({ profile }: OsrmTown, name: string, expected: string): boolean {
  if (INNER.test(name)) return false;
  if (profile !== "testbot") return true;
  return name === "route" || name === "distance" || (name === "turns" && expected !== "");
}

function placeOf(town: OsrmTown, name: string): Coordinate {
  const place = town.places.get(name);
  if (place) return place;
  const pair = /^([-\d.]+)[ ,]([-\d.]+)$/.exec(name);
  if (pair) return { longitude: Number(pair[1]), latitude: Number(pair[2]) };
  throw new NotComparable(`no place ${name}`);
}

/** "90,10": a bearing and how far from it, 10° where it is alone. Any direction is none. */
function headingOf(text: string): number | undefined {
  const [bearing, range = 10] = text.split(",").map(Number);
  return text.trim() !== "" && range < 180 ? bearing : undefined;
}

/** What others exclude is avoided here. */
const AVOIDED: Record<string, Avoid> = { motorway: "highways", toll: "tolls", ferry: "ferries" };

function avoidedBy(exclude: string | undefined): Avoid[] {
  return (exclude?.split(",") ?? []).map((name) => {
    if (!AVOIDED[name]) throw new NotComparable(`to exclude ${name}`);
    return AVOIDED[name];
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof ask>>>;

async function ask(town: OsrmTown, places: Coordinate[], bearings: string | undefined, curbside = false) {
  const router = await town.router();
  const headings = bearings?.split(/[ ;]/).map(headingOf);
  const options: RouteOptions = { mode: town.mode, avoid: avoidedBy(town.options.get("exclude")) };
  const asked = places.map(
    (place, i): RoutePoint => (curbside && i > 0 ? { ...place, approach: { curbside } } : place),
  );
  if (headings) options.headings = headings.length > 1 ? headings : places.map(() => headings[0]);
  if (town.departure) options.departure = town.departure;
  let route: Route | undefined;
  try {
    route = await router.route(asked, options);
  } catch (error) {
    if (!(error instanceof NoRoad)) throw error;
  }
  if (!route) return undefined;
  const roads: string[] = [];
  const legs = route.legs.map((leg, index) => {
    const { path, network } = router.view(leg, places[index + 1]);
    for (const { road, distance } of path.pieces) if (distance > 0.5) roads.push(road.name);
    return guide(path, network);
  });
  return { route, legs, roads: withoutRepeats(roads) };
}

/** "20s +-1", "100m ~5%", or the same text. */
export function isSame(told: string, expected: string): boolean {
  if (told === expected) return true;
  const number = /^(-?[\d.]+)\s*(s|m|km\/h)?(?:\s*(?:\+-\s*([\d.]+)|~\s*([\d.]+)\s*%))?$/.exec(expected);
  if (!number || told === "") return false;
  const wanted = Number(number[1]);
  const slack = number[3] ? Number(number[3]) : number[4] ? (wanted * Number(number[4])) / 100 : 0;
  return Math.abs(Number.parseFloat(told) - wanted) <= Math.max(slack, number[2] === "m" ? 1 : 0.5) + 1e-6;
}

/** How far rows of a table of roads lie apart [m]: none is near another. */
const ROW = 4000;
const SPACING = 100;

/** A table of tags: whether, how fast and how a road with them is traveled, along it and against it. */
export async function runRoutability(given: OsrmTown, step: GherkinStep): Promise<RowResult[]> {
  const rows = rowsOf(step.table);
  const town = new OsrmTown();
  town.profile = given.profile;
  town.departure = given.departure;
  const unit = given.step / 100;
  const at = (row: number, along: number): Coordinate => ({
    latitude: 1 + row * ROW * unit * 1,
    longitude: 1 + along * SPACING * unit,
  });
  rows.forEach((row, index) => {
    const letters = [0, 1, 2, 3, 4].map((n) => String.fromCharCode(0x4e00 + index * 5 + n));
    const tags = Object.entries(row).filter(([name]) => !isVerdict(name));
    const ofNode = tags.filter(([name]) => name.startsWith("node/")).map(([name, value]) => [name.slice(5), value]);
    letters.forEach((letter, n) => {
      town.tag(letter, at(index, n), n === 2 ? Object.fromEntries(ofNode) : {});
    });
    const ofWay = Object.fromEntries(tags.filter(([name]) => !name.startsWith("node/")));
    // An empty cell is the default here.
    town.addWay(letters.join(""), { ...ofWay, highway: ofWay.highway || "primary", name: ofWay.name || `w${index}` });
  });
  const results: RowResult[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    const text = Object.entries(row)
      .filter(([name, value]) => !isVerdict(name) && value)
      .map((pair) => pair.join("="))
      .join(" ");
    const result: RowResult = { row: text, expected: {}, told: {}, wrong: [] };
    const verdicts = Object.keys(row).filter((name) => /^(forw|backw|bothw)$/.test(name));
    if (verdicts.length === 0) result.not = "only inner numbers of the other engine";
    for (const name of verdicts) {
      const forward = name === "backw" ? undefined : await passage(town, at(index, 1), at(index, 3), index);
      const backward = name === "forw" ? undefined : await passage(town, at(index, 3), at(index, 1), index);
      const expected = row[name];
      const sides = name === "bothw" ? [forward, backward] : [name === "forw" ? forward : backward];
      const told = sides.map((side) => verdictOf(side, expected, town.mode));
      result.expected[name] = expected;
      result.told[name] = told.every((one) => one === told[0]) ? told[0] : told.join(" / ");
      if (!told.every((one) => isSame(one, expected))) result.wrong.push(name);
    }
    results.push(result);
  }
  return results;
}

const isVerdict = (name: string) => /^(forw|backw|bothw|.*_rate|rate|#.*|)$/.test(name);

async function passage(town: OsrmTown, from: Coordinate, to: Coordinate, index: number) {
  const found = await ask(town, [from, to], undefined).catch((error) => {
    if (/without roads/.test(String(error))) return undefined;
    throw error;
  });
  if (!found || found.route.distance < SPACING || found.legs[0].some(({ name }) => name !== `w${index}` && name !== ""))
    return undefined;
  return found;
}

const OWN_MODE: Record<Mode, string> = { car: "driving", truck: "driving", bike: "cycling", foot: "walking" };

function verdictOf(found: Awaited<ReturnType<typeof passage>>, expected: string, mode: Mode): string {
  if (!found) return "";
  const { route, legs } = found;
  if (/km\/h/.test(expected)) return `${Math.round((route.distance / route.duration) * 3.6)} km/h`;
  if (/^\d+\s*s/.test(expected)) return `${Math.round(route.duration)}s`;
  if (/^[a-z ]{3,}$/.test(expected)) {
    const own = legs[0][0].mode;
    return MODE_NAMES[own] ?? own ?? OWN_MODE[mode];
  }
  return "x";
}
