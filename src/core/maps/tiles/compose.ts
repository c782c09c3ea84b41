import { clipParts, cutOut, type Rect } from "./clip.ts";
import { POINT, type Properties, type TileFeature, type TileLayer } from "./mvt.ts";
import { type FeatureClass, featureClassOf } from "./overview.ts";
import { EXTENT } from "./plane.ts";
import { snapParts } from "./snap.ts";

/** Changes with every change of how a tile is composed: it is part of a tile's ETag. */
export const COMPOSITION_VERSION = 6;

/** How far lines and areas reach beyond a tile that is put together here [units]. */
const BUFFER = 64;
/** Strips around a hole overlap by half a pixel, so that no hairline shows between them. */
const OVERLAP = 4;
/** Bounds in archives are rounded; a pixel at the edge does not justify opening another archive. */
const ROUNDING = 8;

const FRAME: Rect = { left: -BUFFER, top: -BUFFER, right: EXTENT + BUFFER, bottom: EXTENT + BUFFER };

/** Areas where other archives draw a class of features, in units of the requested tile. */
export type Holes = Readonly<Partial<Record<FeatureClass, readonly Rect[]>>>;

interface TilePart {
  layers: readonly TileLayer[];
  /** Tile of the layers: the requested one, or one that contains it (of a lower zoom), which is then magnified. */
  zoom: number;
  /** Areas where other archives draw a class, and this one shows nothing of it. */
  holes: Holes;
  /** Classes that another part draws in its place, too. */
  omits?: ReadonlySet<FeatureClass>;
  /** Returns whether a named place is shown within a hole, too. Its position in units of the requested tile. */
  keepsPlace?(properties: Properties, x: number, y: number): boolean;
}

/**
 * Composes one tile from parts; features of a layer are in the order of the parts, last first, so that the first is on
 * top. `shown`: the visible parts.
 */
export function composeTile<Part extends TilePart>(
  zoom: number,
  x: number,
  y: number,
  parts: readonly Part[],
): { layers: TileLayer[]; shown: Part[] } {
  const layers = new Map<string, TileLayer>();
  const seen: Part[] = [];
  for (const part of [...parts].reverse()) {
    const scale = 2 ** (zoom - part.zoom);
    const left = (x % scale) * EXTENT;
    const top = (y % scale) * EXTENT;
    let any = false;
    for (const { name, extent, features } of part.layers) {
      const unit = (EXTENT / extent) * scale;
      for (const feature of features) {
        if (scale > 1 && !meets(feature.parts, unit, left, top)) continue;
        const kind = featureClassOf(name, feature.properties);
        if (part.omits?.has(kind)) continue;
        const shown = place(feature, unit, left, top, part, kind);
        if (shown.length === 0) continue;
        any = true;
        let layer = layers.get(name);
        if (!layer) {
          layer = { name, extent: EXTENT, features: [] };
          layers.set(name, layer);
        }
        layer.features.push({ ...feature, parts: shown });
      }
    }
    if (any) seen.unshift(part);
  }
  return { layers: [...layers.values()], shown: seen };
}

/** Of a tile that is magnified only a part is needed, which is not known before its features are looked at. */
function meets(parts: readonly (readonly number[])[], unit: number, left: number, top: number): boolean {
  const [west, east] = [(FRAME.left + left) / unit, (FRAME.right + left) / unit];
  const [north, south] = [(FRAME.top + top) / unit, (FRAME.bottom + top) / unit];
  let [isEast, isWest, isSouth, isNorth] = [false, false, false, false];
  for (const part of parts)
    for (let i = 0; i < part.length; i += 2) {
      if (part[i] >= west) isEast = true;
      if (part[i] <= east) isWest = true;
      if (part[i + 1] >= north) isSouth = true;
      if (part[i + 1] <= south) isNorth = true;
      if (isEast && isWest && isSouth && isNorth) return true;
    }
  return false;
}

function place(
  { type, parts, properties }: TileFeature,
  unit: number,
  left: number,
  top: number,
  part: TilePart,
  kind: FeatureClass,
): number[][] {
  const moved =
    unit === 1 && left === 0 && top === 0
      ? (parts as number[][])
      : parts.map((part) => part.map((value, i) => value * unit - (i % 2 === 0 ? left : top)));
  // A point on the line between two tiles belongs to the latter.
  const frame = type === POINT ? { left: 0, top: 0, right: EXTENT - 1e-6, bottom: EXTENT - 1e-6 } : FRAME;
  let shown = clipParts(type, moved, frame);
  const holes = part.holes[kind] ?? [];
  if (shown.length > 0 && holes.length > 0 && !isKept(type, properties, shown, part, kind)) {
    // Land cover is translucent: an overlap would show.
    const overlap = kind === "landcover" ? 0 : OVERLAP;
    for (const hole of holes) if (shown.length > 0) shown = cutOut(type, shown, hole, FRAME, overlap);
  }
  return shown === parts ? shown : snapParts(type, shown, 0, 0);
}

/**
 * Names that stay although others draw places there: countries, which only the world base names, and towns that no
 * other part names.
 */
function isKept(
  type: TileFeature["type"],
  properties: Properties,
  shown: readonly (readonly number[])[],
  { keepsPlace }: TilePart,
  kind: FeatureClass,
): boolean {
  if (type !== POINT || kind !== "places") return false;
  if (properties.kind === "country") return true;
  // An import has its own suburbs.
  if (properties.kind === "macrohood") return false;
  return properties.name !== undefined && (keepsPlace?.(properties, shown[0][0], shown[0][1]) ?? false);
}

/** A rectangle of the plane (plane.ts) in units of a tile. */
export function inTile({ left, top, right, bottom }: Rect, zoom: number, x: number, y: number, maxZoom: number): Rect {
  const scale = 2 ** (zoom - maxZoom);
  return {
    left: left * scale - x * EXTENT,
    right: right * scale - x * EXTENT,
    top: top * scale - y * EXTENT,
    bottom: bottom * scale - y * EXTENT,
  };
}

/**
 * The part of a tile that a rectangle hides from others: where it reaches the tile's edge, the buffer beyond that, too.
 */
export function holeOf({ left, top, right, bottom }: Rect): Rect {
  return {
    left: left <= ROUNDING ? Math.min(left, FRAME.left) : left,
    top: top <= ROUNDING ? Math.min(top, FRAME.top) : top,
    right: right >= EXTENT - ROUNDING ? Math.max(right, FRAME.right) : right,
    bottom: bottom >= EXTENT - ROUNDING ? Math.max(bottom, FRAME.bottom) : bottom,
  };
}

export function meetsTile({ left, top, right, bottom }: Rect): boolean {
  return left < EXTENT && right > 0 && top < EXTENT && bottom > 0;
}

export function holdsTile({ left, top, right, bottom }: Rect): boolean {
  return left <= ROUNDING && right >= EXTENT - ROUNDING && top <= ROUNDING && bottom >= EXTENT - ROUNDING;
}
