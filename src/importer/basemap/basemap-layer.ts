import { type Bounds, isInBounds } from "../../geo/manifest.ts";
import { BASEMAP_VERSION } from "../../maps/tiles/archive-writer.ts";
import { type Properties, ringArea } from "../../maps/tiles/mvt.ts";
import { MAX_ZOOM, planeRects, WORLD_SIZE } from "../../maps/tiles/plane.ts";
import { OPENSTREETMAP } from "../import.ts";
import type { Layer, LayerInput } from "../layer.ts";
import type { OsmRelation, OsmWay, Tags } from "../osm/element.ts";
import { writeBasemap } from "./archive-of-spool.ts";
import { AREA_TAGS, areaClass, isArea } from "./areas.ts";
import { BorderWays } from "./boundaries.ts";
import { joinCoastlines, seaWithin } from "./coastline.ts";
import {
  type BasemapFeature,
  backwards,
  lineParts,
  POINT,
  POLYGON,
  pointParts,
  polygonParts,
  properties,
} from "./feature.ts";
import { labelPoint } from "./label-point.ts";
import { isNamed, namesOf } from "./names.ts";
import { islandFeature, placeFeature } from "./places.ts";
import { POI_TAGS, poiFeature } from "./pois.ts";
import { roadFeature } from "./roads.ts";
import { addSea, type Sea } from "./sea-tiles.ts";
import { TileSpool } from "./spool.ts";
import { Tiler } from "./tiler.ts";
import { waterwayFeature } from "./waterways.ts";

const LINE_TAGS = [
  "highway",
  "railway",
  "aeroway=runway",
  "aeroway=taxiway",
  "aerialway",
  "route=ferry",
  "man_made=pier",
  "waterway",
];

/** Vector tiles of the extracts in the schema of the Protomaps basemap, one PMTiles archive. */
export const basemapLayer: Layer = {
  name: "basemap",
  formatVersion: BASEMAP_VERSION,
  summary: "vector tiles for maps: land, water, roads, buildings, borders, names",
  files: [],
  reads: {
    nodes: ["place", ...POI_TAGS],
    ways: [...new Set([...LINE_TAGS, ...AREA_TAGS, ...POI_TAGS, "natural=coastline", "place", "maritime=yes"])].sort(),
    relations: [
      ...new Set([...AREA_TAGS, ...POI_TAGS, "boundary=administrative", "boundary=disputed", "place"]),
    ].sort(),
  },

  async build(input, out, progress) {
    // A map of nothing would hide the world's.
    if (input.extracts.length === 0) return;
    const spool = new TileSpool();
    try {
      const minZoom = Math.max(MIN_ZOOM, Math.min(...input.extracts.map(({ bounds }) => lowestZoom(bounds))));
      const within = input.extracts.flatMap(({ bounds }) => planeRects(bounds));
      const tiler = new Tiler(spool, { within, minZoom, maxZoom: MAX_ZOOM });
      const add = (feature: BasemapFeature | undefined) => {
        if (!feature) return;
        tiler.add(feature);
        out.count(feature.layer);
        progress.advance();
      };
      const coastlines = await readFeatures(input, add);
      if (coastlines.length > 0) out.count("coastlines", coastlines.length);
      addLandAndSea(input, coastlines, add, (sea) => addSea(sea, spool, minZoom, MAX_ZOOM));
      const attribution = OPENSTREETMAP.attribution ?? "";
      await writeBasemap(spool, { bounds: boundsOf(input), minZoom, maxZoom: MAX_ZOOM, attribution }, out, progress);
    } finally {
      spool.close();
    }
  },
};

/** The lowest zoom of an extract's tiles: below it the world's own archive draws everything. */
const MIN_ZOOM = 5;

/** From which zoom on the extract is at least 16 pixels wide or high. */
function lowestZoom(bounds: Bounds): number {
  const sides = planeRects(bounds).flatMap(({ left, right, top, bottom }) => [right - left, bottom - top]);
  return Math.min(12, Math.max(0, Math.ceil(Math.log2(WORLD_SIZE / Math.max(...sides)) - 5)));
}

async function readFeatures(
  input: LayerInput,
  add: (feature: BasemapFeature | undefined) => void,
): Promise<(readonly number[])[]> {
  const coast: (readonly number[])[] = [];
  const maritime = new Set<number>();
  const borders = new BorderWays();
  const inside = (latitude: number, longitude: number) =>
    input.extracts.some(({ bounds }) => isInBounds(bounds, latitude, longitude));
  await input.scan({
    node({ tags, latitude, longitude }) {
      if (!inside(latitude, longitude)) return;
      const at = pointParts(longitude, latitude);
      if (isNamed(tags) && tags.place) add(placeFeature(tags, at) ?? islandFeature(tags, at, 13));
      add(poiFeature(tags, at, 0));
    },
    way(way) {
      const { tags } = way;
      if (tags.natural === "coastline") coast.push(way.refs);
      if (tags.maritime === "yes" || tags.natural === "coastline") maritime.add(way.id);
      const closed = way.refs.length >= 4 && way.refs[0] === way.refs[way.refs.length - 1];
      if (closed && isArea(tags)) addArea(tags, closedParts(input, way), add);
      else {
        const parts = lineParts(input.line(way));
        if (parts.length > 0) add(roadFeature(tags, parts) ?? waterwayFeature(tags, parts));
      }
    },
    relation(relation) {
      borders.add(relation);
      if (isMultipolygon(relation)) {
        addArea(relation.tags, polygonParts(input.multipolygon(relation, { partial: true }) ?? []), add);
      }
    },
  });
  const locate = (refs: readonly number[]) => lineParts(input.line({ type: "way", id: 0, refs, tags: {} }));
  for (const border of borders.features((way) => {
    const refs = maritime.has(way) ? undefined : input.memberRefs(way);
    return refs ? locate(refs) : [];
  })) {
    add(border);
  }
  return joinCoastlines(coast).flatMap(locate);
}

function isMultipolygon({ tags }: OsmRelation): boolean {
  return tags.type === "multipolygon" || (tags.type === "boundary" && tags.boundary !== "administrative");
}

function closedParts(input: LayerInput, way: OsmWay): number[][] {
  const [part] = lineParts(input.line(way));
  if (!part || part.length < 8) return [];
  const ring = part.slice(0, -2);
  return [ringArea(ring) > 0 ? ring : backwards(ring)];
}

/** An area as the map fills it, and the points that name it. */
function addArea(tags: Tags, parts: number[][], add: (feature: BasemapFeature | undefined) => void): void {
  if (parts.length === 0) return;
  const found = areaClass(tags);
  const label = found || tags.name ? labelPoint(parts) : undefined;
  if (!label) return;
  const at = [[label.x, label.y]];
  if (found) {
    const { layer, kind, kindDetail, minZoom } = found;
    const base = { kind, kind_detail: kindDetail };
    const height = layer === "buildings" ? heightOf(tags) : undefined;
    const plain = properties(base);
    const detailed = height === undefined ? plain : properties({ ...base, height });
    add({
      layer,
      type: POLYGON,
      parts,
      minZoom,
      properties: (zoom): Properties => (zoom === MAX_ZOOM ? detailed : plain),
      // Small areas lie on large ones.
      order: layer === "buildings" ? 0 : -Math.round(Math.log2(label.area + 1) * 4),
    });
    if (layer === "water" && tags.name && kind !== "swimming_pool" && kind !== "fountain") {
      const named = Math.max(6, Math.min(15, Math.ceil(15 - Math.log2(Math.sqrt(label.area) / 480))));
      add({
        layer: "water",
        type: POINT,
        parts: at,
        minZoom: named,
        properties: properties({ ...base, ...namesOf(tags), min_zoom: named }),
        order: 1_000_000 - named,
      });
    }
  }
  add(poiFeature(tags, at, label.area));
  add(islandFeature(tags, at, Math.max(6, Math.min(14, Math.ceil(15 - Math.log2(Math.sqrt(label.area) / 480))))));
}

/** Metres above the ground, from the height or from storeys of 3 m. */
function heightOf(tags: Tags): number | undefined {
  const height = Number.parseFloat(tags.height ?? "");
  if (Number.isFinite(height)) return Math.round(height * 10) / 10;
  const levels = Number.parseFloat(tags["building:levels"] ?? "");
  return Number.isFinite(levels) ? Math.round(levels * 30) / 10 : undefined;
}

/** Land is the extract's box; the sea, where there are coastlines, lies over it. */
function addLandAndSea(
  input: LayerInput,
  coastlines: readonly (readonly number[])[],
  add: (feature: BasemapFeature) => void,
  addSeaOf: (sea: Sea) => void,
): void {
  for (const { bounds } of input.extracts) {
    for (const box of planeRects(bounds)) {
      const { left, top, right, bottom } = box;
      const land = [[left, top, right, top, right, bottom, left, bottom]];
      add({ layer: "earth", type: POLYGON, parts: land, minZoom: 0, properties: { kind: "earth" }, order: -1e6 });
      const rings = seaWithin(box, coastlines);
      if (rings.length > 0) addSeaOf({ box, coastlines, rings });
    }
  }
}

function boundsOf({ extracts }: LayerInput): Bounds {
  const boxes = extracts.map(({ bounds }) => bounds);
  const crosses = boxes.some(([west, , east]) => west > east);
  return [
    crosses ? -180 : Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    crosses ? 180 : Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}
