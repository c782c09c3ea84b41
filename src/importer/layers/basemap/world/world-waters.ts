import type { Line } from "../../../frame/layer.ts";
import { islandsForMaps, natureShapes, watersForMaps } from "../../../world/lists.ts";
import { withLocalName } from "../../../world/local-names.ts";
import type { MapNames } from "../../../world/map-names.ts";
import type { Corner } from "../../../world/topojson.ts";
import { type BasemapFeature, LINE, lineParts, POINT, POLYGON, pointParts, walk } from "../features/feature.ts";
import { labelPoint } from "../features/label-point.ts";
import { turned } from "./world-shapes.ts";

/** The finest tiles are magnified, so they also hold what appears only there. */
const FINEST = 6;
/** Rivers are named from so much later on than they are drawn [zooms]. */
const NAMED_LATER = 1;
/** Thinner glaciers and urban areas of far maps would be dots. */
const MIN_URBAN_ZOOM = 5;

/** Rivers, lakes, glaciers and the ground of cities. */
export function* natureOnMaps(): Generator<BasemapFeature> {
  const waters = new Map(watersForMaps().map((water) => [water.names.name, water]));
  for (const { kind, minZoom: from, known, names: own, parts } of natureShapes()) {
    const listed = known === undefined ? undefined : waters.get(known);
    const minZoom = Math.max(0, Math.min(FINEST, Math.round(from)));
    if (kind === "river") {
      const label = Math.max(3, Math.min(listed?.minZoom ?? 99, Math.round(10 * (from + NAMED_LATER)) / 10));
      for (const line of parts)
        for (const { corners, names } of listed
          ? namedStretches(listed.names, own.name, line)
          : [{ corners: line, names: own }]) {
          const properties = { kind, ...names, min_zoom: label };
          const lines = lineParts(corners as Line);
          yield { layer: "water", type: LINE, parts: lines, minZoom: Math.max(3, minZoom), properties };
        }
      continue;
    }
    const rings = parts.map((ring, i) => turned(walk(ring, ring.length), i === 0 ? 1 : -1));
    if (kind === "lake") yield* lake(rings, minZoom, listed ? withLocalName(listed.names, listed.at) : own);
    else {
      const isUrban = kind === "urban";
      const properties = { kind: isUrban ? "urban_area" : kind };
      const first = isUrban ? Math.max(MIN_URBAN_ZOOM, minZoom) : minZoom;
      yield { layer: "landuse", type: POLYGON, parts: rings, minZoom: first, properties, order: isUrban ? 1 : 0 };
    }
  }
}

/** A river's language is looked up once for so many corners: some 100 km. */
const STRETCH = 16;

interface Stretch {
  corners: readonly Corner[];
  names: MapNames;
}

/** A river's line by the countries it flows through, each with the local name; along a border, that of the side it came from. */
function namedStretches(names: MapNames, own: string | undefined, line: readonly Corner[]): Stretch[] {
  const count = Math.max(1, Math.floor((line.length - 1) / STRETCH));
  const at = (i: number) => Math.round((i * (line.length - 1)) / count);
  const local = Array.from({ length: count }, (_, i) => riverNames(names, own, line[(at(i) + at(i + 1)) >> 1]));
  const found: { from: number; names: MapNames }[] = [{ from: 0, names: local[0] }];
  for (let i = 1; i < count; i++) {
    const isLasting = i + 1 >= count || local[i + 1].name === local[i].name;
    if (isLasting && local[i].name !== found[found.length - 1].names.name) found.push({ from: at(i), names: local[i] });
  }
  return found.map(({ from, names }, k) => ({
    corners: line.slice(from, (found[k + 1]?.from ?? line.length - 1) + 1),
    names,
  }));
}

/** The names of a river at a place: the local one is that of the country, or else that of the atlas. */
function riverNames(names: MapNames, own: string | undefined, place: Corner): MapNames {
  const local = withLocalName(names, [place]);
  return local.name === names.name && own ? withName(names, own) : local;
}

/** The names of a river, with that of one of its parts as the local one. */
function withName({ name: english, ...others }: MapNames, local: string): MapNames {
  const rest = Object.entries(others).filter(([, name]) => name !== local);
  return { name: local, ...(english !== local && { "name:en": english }), ...Object.fromEntries(rest) };
}

function* lake(parts: number[][], minZoom: number, names: MapNames): Generator<BasemapFeature> {
  yield { layer: "water", type: POLYGON, parts, minZoom, properties: { kind: "lake" } };
  const label = names.name ? labelPoint(parts) : undefined;
  if (!label) return;
  // Named once it is some 50 pixels wide.
  const named = Math.max(3, Math.ceil(14.7 - Math.log2(Math.sqrt(label.area) / 480)));
  const properties = { kind: "lake", ...names, min_zoom: named };
  yield { layer: "water", type: POINT, parts: [[label.x, label.y]], minZoom: Math.min(FINEST, named), properties };
}

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
