import { type Bounds, isInBounds } from "../../../../core/geo/builds/manifest.ts";
import { type Properties, ringArea } from "../../../../core/maps/tiles/mvt.ts";
import { MAX_ZOOM } from "../../../../core/maps/tiles/plane.ts";
import { NameUnits } from "../../../glyphs/name-units.ts";
import type { OsmNode, OsmWay, Tags } from "../../../osm/pbf/element.ts";
import { areaClass, isArea } from "../features/areas.ts";
import { crossingPoint } from "../features/crossing.ts";
import { type BasemapFeature, backwards, POINT, POLYGON, pointParts, properties } from "../features/feature.ts";
import { houseNumber } from "../features/house-number.ts";
import { labelPoint } from "../features/label-point.ts";
import { isNamed, namesOf } from "../features/names.ts";
import { islandFeature, placeFeature } from "../features/places.ts";
import { planeLine } from "../features/plane-lines.ts";
import { poiFeature } from "../features/pois.ts";
import { roadFeature } from "../features/roads.ts";
import { waterwayFeature } from "../features/waterways.ts";
import type { WayRoute } from "../features/way-routes.ts";
import type { PieceSpool } from "../tiles/spool.ts";
import { Tiler, type TilerOptions } from "../tiles/tiler.ts";

export interface DrawOptions extends TilerOptions {
  /** Of the extracts: what is outside is not named. */
  bounds: readonly Bounds[];
}

/** A coastline as it is in the extract. */
export interface CoastWay {
  /** Its first node and its last. */
  first: number;
  last: number;
  /** As OsmWay.line. */
  places: Int32Array;
}

/** Makes features of elements, and pieces of tiles of them. */
export class Drawer {
  /** Features by layer, and what was missing. */
  readonly counts: Record<string, number> = {};
  readonly coast: CoastWay[] = [];
  /** Ways that are in or at the sea: borders along them are not drawn. */
  readonly maritime: number[] = [];
  /** Units of the names. */
  readonly names = new NameUnits();
  readonly #bounds: readonly Bounds[];
  readonly #spool: PieceSpool;
  readonly #tiler: Tiler;

  constructor(spool: PieceSpool, { bounds, ...options }: DrawOptions) {
    this.#spool = spool;
    this.#bounds = bounds;
    this.#tiler = new Tiler(spool, options);
  }

  count(what: string, by = 1): void {
    if (by > 0) this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  feature = (feature: BasemapFeature | undefined): void => {
    if (!feature) return;
    if (feature.parts.length > 0) {
      const { properties, parts } = feature;
      // The largest zoom has all names.
      const named = typeof properties === "function" ? properties(MAX_ZOOM) : properties;
      this.names.add(named, parts[0][0], parts[0][1]);
    }
    this.#tiler.add(feature);
    this.#spool.rest();
    this.count(feature.layer);
  };

  node({ tags, latitude, longitude }: OsmNode): void {
    if (!this.#bounds.some((bounds) => isInBounds(bounds, latitude, longitude))) return;
    const at = pointParts(longitude, latitude);
    if (isNamed(tags) && tags.place) this.feature(placeFeature(tags, at) ?? islandFeature(tags, at, 13));
    this.feature(poiFeature(tags, at, 0));
    this.feature(houseNumber(tags, at));
    this.feature(crossingPoint(tags, at));
  }

  /** @param places as OsmWay.line; @param routes that it is a member of */
  way({ id, refs, tags }: OsmWay, places: Int32Array, routes?: readonly WayRoute[]): void {
    if (tags.natural === "coastline") this.coast.push({ first: refs[0], last: refs[refs.length - 1], places });
    if (tags.maritime === "yes" || tags.natural === "coastline") this.maritime.push(id);
    const { part, missing } = planeLine(places);
    this.count("nodes missing from lines", missing);
    const closed = refs.length >= 4 && refs[0] === refs[refs.length - 1];
    if (closed && isArea(tags)) this.area(tags, closedParts(part));
    else if (part.length > 2) this.feature(roadFeature(tags, [part], routes) ?? waterwayFeature(tags, [part]));
  }

  /** An area as the map fills it, and the points that name it. */
  area(tags: Tags, parts: number[][]): void {
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
      this.feature({
        layer,
        type: POLYGON,
        parts,
        minZoom,
        properties: detailed === plain ? plain : (zoom): Properties => (zoom === MAX_ZOOM ? detailed : plain),
        // Small areas are on large ones.
        order: layer === "buildings" ? buildingOrder(kind, height) : -Math.round(Math.log2(label.area + 1) * 4),
      });
      if (layer === "buildings") this.feature(houseNumber(tags, at));
      if (layer === "water" && tags.name && !isUnnamedWater(kind, kindDetail)) {
        const named = Math.max(6, Math.min(15, Math.ceil(15 - Math.log2(Math.sqrt(label.area) / 480))));
        this.feature({
          layer: "water",
          type: POINT,
          parts: at,
          minZoom: named,
          properties: properties({ ...base, ...namesOf(tags), min_zoom: named }),
          order: 1_000_000 - named,
        });
      }
    }
    this.feature(poiFeature(tags, at, label.area));
    const named = Math.max(6, Math.min(14, Math.ceil(15 - Math.log2(Math.sqrt(label.area) / 480))));
    this.feature(islandFeature(tags, at, named));
  }
}

/** Parts are on their building, higher ones on lower ones. */
function buildingOrder(kind: string, height = 0): number {
  return kind === "building" ? 0 : 1 + Math.round(Math.max(0, Math.min(1000, height)));
}

/** Pools and fountains have no name of a water; a fountain is named as a point of interest. */
const isUnnamedWater = (kind: string, detail?: string) =>
  kind === "swimming_pool" || kind === "fountain" || detail === "fountain";

function closedParts(part: number[]): number[][] {
  if (part.length < 8) return [];
  const ring = part.slice(0, -2);
  return [ringArea(ring) > 0 ? ring : backwards(ring)];
}

/** Metres above the ground, from the height or from storeys of 3 m. */
function heightOf(tags: Tags): number | undefined {
  const height = Number.parseFloat(tags.height ?? "");
  if (Number.isFinite(height)) return Math.round(height * 10) / 10;
  const levels = Number.parseFloat(tags["building:levels"] ?? "");
  return Number.isFinite(levels) ? Math.round(levels * 30) / 10 : undefined;
}
