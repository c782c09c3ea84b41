import { decodeTile, layerNames, openFeature, openLayers, POINT, type Properties, type TileLayer } from "./mvt.ts";
import { EXTENT } from "./plane.ts";

/**
 * Which classes of features an archive has around a tile, according to its overview tile of the same place (of zoom 10,
 * or of the tile's own zoom where that is less). An extract of roads draws no sea and names no town, and must not hide
 * those of the world; one with a coast has a better coast than the world's.
 */
export type FeatureClass = "earth" | "ocean" | "water" | "boundaries" | "places" | "landcover" | "details";

export interface Overview {
  knows: ReadonlySet<FeatureClass>;
  /** Its cities and towns, in shares of the world's width and height. */
  towns: readonly { name: string; x: number; y: number }[];
}

/** About 40 km at the equator: it includes town labels, the sea, and the surrounding area. */
export const OVERVIEW_ZOOM = 10;
/**
 * Coasts and borders are compared over a wider area, of 160 km at the equator: an archive that draws a coast nearby has
 * all of it, and the world's coast, which may be a few kilometers off, would appear inland.
 */
export const LINES_ZOOM = 8;
const FAR_CLASSES: readonly FeatureClass[] = ["ocean", "boundaries"];

/** Content of an archive around a tile, with the coasts and borders of a wider area. */
export function withLines(near: Overview, wide: Overview): Overview {
  const lines = FAR_CLASSES.filter((kind) => wide.knows.has(kind) && !near.knows.has(kind));
  return lines.length === 0 ? near : { ...near, knows: new Set([...near.knows, ...lines]) };
}

/**
 * At lower zooms the world base names all places, also within imports: its names are ranked against each other, and those of an
 * import would come and go at its edge.
 */
export const PLACES_ZOOM = 8;
/** The land cover of the world base has faded at this zoom (style/ground-layers.ts), and need not be read. */
export const LAND_COVER_END = 9;

/** From here on a map without streets looks empty: the urban areas of the world base have faded (style/ground-layers.ts). */
export const STREETS_ZOOM = 12;

/** A town this near is the same one, however its name is spelled [shares of the world: 4 km at the equator]. */
const NEAR = 1e-4;

const CLASSES: readonly FeatureClass[] = ["earth", "ocean", "water", "boundaries", "places", "landcover", "details"];

export const COMPLETE: Overview = { knows: new Set(CLASSES), towns: [] };
export const KNOWS_NOTHING: Overview = { knows: new Set(), towns: [] };

/** The class of a feature; roads, buildings and everything else that only extracts have are one class. */
export function featureClassOf(layer: string, properties: Properties): FeatureClass {
  if (layer === "water") return properties.kind === "ocean" ? "ocean" : "water";
  const isOwnClass = layer === "earth" || layer === "boundaries" || layer === "places" || layer === "landcover";
  return isOwnClass ? layer : "details";
}

/** The overview that an archive's tile z/x/y gives. */
export function overviewOf(bytes: Uint8Array, z: number, x: number, y: number): Overview {
  const knows = new Set(
    layerNames(bytes).flatMap((name) => (name === "water" ? watersOf(bytes) : featureClassOf(name, {}))),
  );
  const places = knows.has("places") ? decodeTile(bytes, (name) => name === "places") : [];
  return { knows, towns: townsOf(places, z, x, y) };
}

/** Of the sea and other waters, those in a tile. Its lines and areas are not decoded: an overview has the roads of a region. */
function watersOf(bytes: Uint8Array): FeatureClass[] {
  const kinds = new Set<FeatureClass>();
  for (const layer of openLayers(bytes, (name) => name === "water")) {
    for (const feature of layer.features) {
      kinds.add(featureClassOf("water", openFeature(feature, layer).properties));
      if (kinds.size === 2) return [...kinds];
    }
  }
  return [...kinds];
}

function townsOf(layers: readonly TileLayer[], z: number, x: number, y: number): Overview["towns"] {
  const side = 2 ** z;
  const places = layers.find(({ name }) => name === "places");
  return (places?.features ?? []).flatMap(({ type, properties, parts }) =>
    type === POINT && isTown(properties)
      ? [{ name: nameOf(properties), x: (x + parts[0][0] / EXTENT) / side, y: (y + parts[0][1] / EXTENT) / side }]
      : [],
  );
}

const isTown = ({ kind, kind_detail: detail }: Properties) =>
  kind === "locality" && (detail === undefined || detail === "city" || detail === "town");

const nameOf = ({ name }: Properties): string => (typeof name === "string" ? name.toLocaleLowerCase("en") : "");

/** Returns whether an archive with this overview has the place itself. `x`, `y` in shares of the world. */
export function namesToo({ towns }: Overview, properties: Properties, x: number, y: number): boolean {
  const name = nameOf(properties);
  return towns.some((town) => town.name === name || Math.hypot(town.x - x, town.y - y) < NEAR);
}
