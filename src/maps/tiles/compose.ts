import { clipParts, cutOut, type Rect } from "./clip.ts";
import { LINE, POINT, type TileFeature, type TileLayer } from "./mvt.ts";
import { EXTENT } from "./plane.ts";
import { snapParts } from "./snap.ts";

/** How far lines and areas reach beyond a tile that is put together here [units]. */
const BUFFER = 64;
/** Strips around a hole overlap by half a pixel, so that no hair shows between them. */
const OVERLAP = 4;
/** Rivers are magnified as much as this, and no more. */
const RIVER_SCALE = 4;

const FRAME: Rect = { left: -BUFFER, top: -BUFFER, right: EXTENT + BUFFER, bottom: EXTENT + BUFFER };

export interface TilePart {
  layers: readonly TileLayer[];
  /** Which tile the layers are: the wanted one, or one that holds it (of a lower zoom), which is then magnified. */
  zoom: number;
  /** In units of the wanted tile: what other parts draw. Nothing of this part is shown there. */
  holes: readonly Rect[];
}

/** One tile from parts; features of a layer stand in the order of the parts, last first, so that the first lies on top. */
export function composeTile(zoom: number, x: number, y: number, parts: readonly TilePart[]): TileLayer[] {
  const layers = new Map<string, TileLayer>();
  for (const part of [...parts].reverse()) {
    const scale = 2 ** (zoom - part.zoom);
    const left = (x % scale) * EXTENT;
    const top = (y % scale) * EXTENT;
    for (const { name, extent, features } of part.layers) {
      const unit = (EXTENT / extent) * scale;
      for (const feature of features) {
        // Coarse rivers, magnified much, are straight lines across the country.
        if (feature.type === LINE && name === "water" && scale > RIVER_SCALE) continue;
        const shown = place(feature, unit, left, top, part.holes);
        if (shown.length === 0) continue;
        let layer = layers.get(name);
        if (!layer) {
          layer = { name, extent: EXTENT, features: [] };
          layers.set(name, layer);
        }
        layer.features.push({ ...feature, parts: shown });
      }
    }
  }
  return [...layers.values()];
}

function place(
  { type, parts, properties }: TileFeature,
  unit: number,
  left: number,
  top: number,
  holes: readonly Rect[],
): number[][] {
  const moved =
    unit === 1 && left === 0 && top === 0
      ? (parts as number[][])
      : parts.map((part) => part.map((value, i) => value * unit - (i % 2 === 0 ? left : top)));
  // A point on the line between two tiles belongs to the latter.
  const frame = type === POINT ? { left: 0, top: 0, right: EXTENT - 1e-6, bottom: EXTENT - 1e-6 } : FRAME;
  let shown = clipParts(type, moved, frame);
  // A country's name is the world's to tell.
  const whole = type === POINT && properties.kind === "country";
  for (const hole of holes) if (shown.length > 0 && !whole) shown = cutOut(type, shown, hole, FRAME, OVERLAP);
  return shown === parts ? shown : snapParts(type, shown, 0, 0);
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

export function meetsTile({ left, top, right, bottom }: Rect): boolean {
  return left < EXTENT && right > 0 && top < EXTENT && bottom > 0;
}

/** Bounds are rounded where they are written down; a pixel at the edge is not worth another archive. */
const ROUNDING = 8;

export function holdsTile({ left, top, right, bottom }: Rect): boolean {
  return left <= ROUNDING && right >= EXTENT - ROUNDING && top <= ROUNDING && bottom >= EXTENT - ROUNDING;
}
