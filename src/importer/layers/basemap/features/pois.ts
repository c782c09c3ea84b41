import { tableOf, tablesOf } from "../../../common/own-table.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, POINT, properties } from "./feature.ts";
import { namesOf } from "./names.ts";
import TABLE from "./pois.json" with { type: "json" };

/**
 * Kind = the tag's value; the zoom from which a map without crowding names it. Tiles end at 15: readers obey
 * `min_zoom`.
 */
const KINDS = tablesOf<number>(TABLE);

/**
 * Large areas are named from farther away: a park of a tenth of the screen, say. Area in units of the plane squared.
 */
function zoomOfArea(area: number): number {
  // The zoom at which the area covers 60 × 60 pixels of 512-pixel tiles (8 units a pixel).
  return area > 0 ? Math.ceil(15 - Math.log2(Math.sqrt(area) / (60 * 8))) : 99;
}

/** Not before this zoom, however large. */
const EARLIEST = 9;

/** Shown without a name too: people look for one of many. Car parks are shown if they are large enough for a sign. */
const WITHOUT_NAME = tableOf({ parking: 17, toilets: 18, drinking_water: 18 });

/** The sign of a car park needs an area of 18 × 18 pixels of 512-pixel tiles at zoom 17. */
const MIN_PARKING = (18 * 2) ** 2;

function isShownWithoutName({ amenity, access, parking }: Tags, area: number): boolean {
  if (amenity === undefined || WITHOUT_NAME[amenity] === undefined) return false;
  if (access === "private" || access === "no") return false;
  if (amenity !== "parking") return true;
  return parking !== "street_side" && parking !== "lane" && (area === 0 || area >= MIN_PARKING);
}

/** Kind and usual zoom of a point of interest; a square has no tag that is its kind. */
function kindOf(tags: Tags, area: number): [kind: string, minZoom: number] | undefined {
  if (!tags.name) return isShownWithoutName(tags, area) ? [tags.amenity, WITHOUT_NAME[tags.amenity]] : undefined;
  for (const key in KINDS) {
    const kind = tags[key];
    const usual = kind !== undefined ? KINDS[key][kind] : undefined;
    if (usual !== undefined && kind !== undefined) return [kind, usual];
  }
  const isSquare = tags.place === "square" || (area > 0 && tags.highway === "pedestrian");
  return isSquare ? ["square", 17] : undefined;
}

/** A point of interest; `area` of what it stands for, 0 for a point. */
export function poiFeature(tags: Tags, parts: number[][], area: number): BasemapFeature | undefined {
  const found = kindOf(tags, area);
  if (!found) return undefined;
  const [kind, usual] = found;
  const minZoom = Math.max(EARLIEST, Math.min(usual, zoomOfArea(area)));
  return {
    layer: "pois",
    type: POINT,
    parts,
    minZoom: Math.min(15, minZoom),
    properties: properties({
      kind,
      ...namesOf(tags),
      min_zoom: minZoom,
      iata: tags.iata,
      elevation: kind === "peak" || kind === "volcano" ? metres(tags.ele) : undefined,
    }),
    order: -minZoom,
  };
}

function metres(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? "");
  return Number.isFinite(value) ? Math.round(value) : undefined;
}

export const POI_TAGS: readonly string[] = [
  "place=square",
  ...Object.entries(KINDS).flatMap(([key, kinds]) => Object.keys(kinds).map((kind) => `${key}=${kind}`)),
];
