import { z } from "zod";
import { type Coordinate, isCoordinate, parseCoordinate } from "../../../core/geo/coordinate.ts";
import { parseDecimals } from "../../../core/geo/decimal.ts";
import { evenPadding, type Padding } from "../../../core/maps/base/view.ts";
import { MARKER_OPTION_NAMES } from "../../../core/maps/overlay-parameters.ts";
import { DEFAULT_STYLE, STYLE_NAMES } from "../../../core/maps/style/palettes.ts";
import { invalid, required } from "../../platform/errors.ts";
import { COORDINATE_RULE, flag, number, oneOf, optionalListOf } from "../input/fields.ts";
import type { OverlayFields } from "./overlay-fields.ts";

const MIN_SIZE = 100;
const MAX_SIZE = 2048;
const BBOX_RULE = 'Expected "minLat,minLon,maxLat,maxLon".';

export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** "minLat,minLon,maxLat,maxLon" → bounds; across the 180th meridian minLon is greater than maxLon. */
function bbox() {
  return z
    .string({ error: BBOX_RULE })
    .transform((value, context): Bounds => {
      const parts = parseDecimals(value, 4);
      const [south, west, north, east] = parts;
      if (parts.length === 4 && isCoordinate(south, west) && isCoordinate(north, east) && south <= north)
        return { south, west, north, east };
      context.addIssue({ code: "custom", message: BBOX_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", format: "minLat,minLon,maxLat,maxLon" });
}

export const languageField = () =>
  z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, { error: 'Expected a language code such as "de".' })
    .optional()
    .meta({ description: "language of labels, if available" });

export const transitField = () =>
  flag().default(false).meta({ description: "railways and lines of public transport below zoom 12 too" });

const MAP_LAYERS = ["terrain"] as const;

export const layersField = () =>
  optionalListOf(MAP_LAYERS).meta({
    description:
      "terrain: shaded hills, and contours with their elevation in meters, where elevations are imported; zoom 8 and more",
  });

/** A position, or the name of a place that is looked up. */
export type Spot = Coordinate | { name: string };

const SPOT_RULE = `${COORDINATE_RULE} Or the name of a place.`;

function spot() {
  return z
    .string({ error: SPOT_RULE })
    .max(256, { error: "At most 256 characters." })
    .transform((value, context): Spot => {
      const point = parseCoordinate(value);
      if (point) return point;
      if (/\p{L}/u.test(value)) return { name: value.trim() };
      context.addIssue({ code: "custom", message: SPOT_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", description: "latitude,longitude, or the name of a place", example: "40.7039,-73.9867" });
}

const PADDING_RULE = "Expected pixels, for all sides or in the order of CSS: top,right,bottom,left.";

/** "16", "8,16" or "0,16,40,16" → padding of each side. */
function padding() {
  return z
    .preprocess((value) => (typeof value === "number" ? String(value) : value), z.string({ error: PADDING_RULE }))
    .transform((value, context): Padding => {
      const sides = parseDecimals(value, 4);
      if (sides.length <= 4 && sides.every((side) => side >= 0 && side <= MAX_SIZE)) {
        const [top, right = top, bottom = top, left = right] = sides;
        return { top, right, bottom, left };
      }
      context.addIssue({ code: "custom", message: PADDING_RULE });
      return z.NEVER;
    })
    .meta({ type: "string", description: "pixels around what is fitted: 16, or top,right,bottom,left" });
}

/** Maps are drawn from straight above, north up; other libraries send these two parameters. */
const onlyZero = (what: string) =>
  number({ min: 0, max: 0 })
    .optional()
    .meta({ description: `0 only: ${what}` });

const size = () => number({ min: MIN_SIZE, max: MAX_SIZE, integer: true });

export const staticMapQuery = z.object({
  width: size().meta({ description: "pixels, times scale", example: 600 }),
  height: size().meta({ description: "pixels, times scale", example: 400 }),
  scale: number({ min: 1, max: 3, integer: true })
    .default(1)
    .meta({ description: "multiplies the image size by 2 or 3 for the same area" }),
  center: spot().optional(),
  zoom: number({ min: 0, max: 23 })
    .optional()
    .meta({ description: "fractions allowed; the world is 512 × 2^zoom pixels wide" }),
  bbox: bbox().optional(),
  padding: padding().optional(),
  bearing: onlyZero("north is up"),
  pitch: onlyZero("maps are always seen from straight above"),
  style: z
    .string()
    .max(64, { error: "At most 64 characters." })
    .default(DEFAULT_STYLE)
    .meta({ description: `${STYLE_NAMES.join(", ")}, or the id of your own style` }),
  language: languageField(),
  transit: transitField(),
  layers: layersField(),
  format: oneOf(["png", "webp", "jpeg", "svg"]).default("png"),
  attribution: oneOf(["auto", "long", "short", "false"]).default("auto").meta({
    description:
      "auto: long if the width is 300 pixels or more; false, with a secret key or a signed URL: none in the image, because you show the header `x-graticule-attribution` yourself",
  }),
  streets_note: flag().default(false).meta({
    description:
      'writes "No streets imported here", in six languages, at the bottom left where no import has streets, zoom 12 and more',
  }),
  before_layer: z
    .string()
    .max(128, { error: "At most 128 characters." })
    .optional()
    .meta({ description: "id of a style layer: paths and areas are drawn below it" }),
  markers: z
    .string()
    .optional()
    .meta({
      description: `repeatable: ${MARKER_OPTION_NAMES.map((name) => `${name}:|`).join("")}lat,lon or the name of a place|…`,
    }),
  path: z.string().optional().meta({
    description:
      "repeatable: stroke:|width:|border:|borderWidth:|fill:|geodesic:|lat,lon|… or enc:… or enc6:…; after hole: the ring of a hole",
  }),
  geojson: z.string().optional().meta({ description: "GeoJSON; features are styled by their simplestyle properties" }),
});

/** A string, an object, or a list of these. */
const OVERLAY_TYPES = {
  anyOf: [{ type: ["string", "object"] }, { type: "array", items: { type: ["string", "object"] } }],
} as const;

/** The same as JSON, for overlays that are too long for a URL. */
export const staticMapBody = staticMapQuery.extend({
  markers: z
    .unknown()
    .optional()
    .meta({
      ...OVERLAY_TYPES,
      description:
        'a text as in the URL, or {"color": "red", "label": "A", "locations": ["40.7,-73.9"]}; or a list of these',
    }),
  path: z
    .unknown()
    .optional()
    .meta({
      ...OVERLAY_TYPES,
      description:
        'a text as in the URL, or {"fill": "tomato", "locations": ["40.7,-73.9", "enc:…"], "holes": [["…"]]}; or a list of these',
    }),
  geojson: z
    .unknown()
    .optional()
    .meta({ type: ["object", "string"], description: "GeoJSON, as an object or as text" }),
});

/** The padding for autofit [pixels at scale 1]. @throws ApiError if no area is left */
export function paddingOf({ padding: given, width, height }: StaticMapFields, usual: number): Padding {
  const chosen = given ?? evenPadding(usual);
  if (chosen.left + chosen.right >= width || chosen.top + chosen.bottom >= height)
    throw invalid("padding", "Must leave space on the image.");
  return chosen;
}

export type StaticMapFields = z.output<typeof staticMapQuery>;

/** Checks that the view can be computed. */
export function checkView(
  { center, zoom, bbox: box }: { center?: unknown; zoom?: unknown; bbox?: unknown },
  { markers, paths }: OverlayFields,
): void {
  if (box !== undefined || markers.length > 0 || paths.length > 0) return;
  const why = "Required unless markers, path or bbox are set.";
  if (center === undefined) throw required("center", why);
  if (zoom === undefined) throw required("zoom", why);
}
