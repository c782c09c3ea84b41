import { z } from "zod";
import { isCoordinate } from "../../geo/coordinate.ts";
import type { OverlayPath } from "../../maps/overlay.ts";
import {
  MAX_ICON_URLS,
  MAX_MARKERS,
  MAX_PATH_POINTS,
  type MarkerGroup,
  parseMarkers,
  parsePath,
  SectionError,
} from "../../maps/overlay-parameters.ts";
import { DEFAULT_STYLE } from "../../maps/style/palettes.ts";
import { invalid, required } from "../serve/errors.ts";
import { coordinate, number, oneOf } from "../serve/fields.ts";

export const MIN_SIZE = 100;
export const MAX_SIZE = 2048;
/** Characters of a URL. */
export const MAX_URL = 16_384;

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
      const parts = value.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
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
    .meta({ description: "names in this language where they are known" });

const size = () => number({ min: MIN_SIZE, max: MAX_SIZE, integer: true });

export const staticMapQuery = z.object({
  width: size().meta({ description: "pixels, times scale", example: 600 }),
  height: size().meta({ description: "pixels, times scale", example: 400 }),
  scale: number({ min: 1, max: 3, integer: true })
    .default(1)
    .meta({ description: "an image twice or thrice the size of the same area" }),
  center: coordinate().optional(),
  zoom: number({ min: 1, max: 23 })
    .optional()
    .meta({ description: "fractions allowed; the world is 512 × 2^zoom pixels wide" }),
  bbox: bbox().optional(),
  style: z
    .string()
    .max(64, { error: "At most 64 characters." })
    .default(DEFAULT_STYLE)
    .meta({ description: "radar-default-v1, radar-light-v1, radar-dark-v1, or the id of a style of your own" }),
  language: languageField(),
  format: oneOf(["png", "svg"]).default("png"),
  attribution: oneOf(["auto", "long", "short"])
    .default("auto")
    .meta({ description: "auto: long from 300 pixels of width on" }),
  markers: z.string().optional().meta({ description: "repeatable: color:|size:|icon:|lat,lon|…" }),
  path: z
    .string()
    .optional()
    .meta({ description: "repeatable: stroke:|width:|border:|borderWidth:|lat,lon|… or enc:… or enc6:…" }),
});

export interface OverlayFields {
  markers: MarkerGroup[];
  paths: OverlayPath[];
}

/** All `markers` and `path` parameters of a URL, in their order; 400 names the parameter and the section. */
export function overlayFields(url: URL): OverlayFields {
  const read = <T>(name: string, parse: (text: string) => T): T[] =>
    url.searchParams.getAll(name).map((text, index, all) => {
      try {
        return parse(text);
      } catch (error) {
        if (!(error instanceof SectionError)) throw error;
        throw invalid(name, `${all.length > 1 ? `No. ${index + 1}. ` : ""}${error.message}`);
      }
    });
  if (url.href.length > MAX_URL) {
    const longest = lengthOf(url, "markers") > lengthOf(url, "path") ? "markers" : "path";
    throw invalid(longest, `The URL may have up to ${MAX_URL} characters.`);
  }
  const markers = read("markers", parseMarkers);
  const paths = read("path", parsePath);
  if (sum(markers.map(({ locations }) => locations.length)) > MAX_MARKERS)
    throw invalid("markers", `Up to ${MAX_MARKERS} markers.`);
  if (sum(paths.map(({ points }) => points.length)) > MAX_PATH_POINTS)
    throw invalid("path", `Up to ${MAX_PATH_POINTS} points in all paths.`);
  if (new Set(markers.map(({ icon }) => icon).filter((icon) => icon !== undefined)).size > MAX_ICON_URLS)
    throw invalid("markers", `Up to ${MAX_ICON_URLS} different icons.`);
  return { markers, paths };
}

/** What the view can be computed from must be there. */
export function checkView(
  { center, zoom, bbox: box }: { center?: unknown; zoom?: unknown; bbox?: unknown },
  { markers, paths }: OverlayFields,
): void {
  if (box !== undefined || markers.length > 0 || paths.length > 0) return;
  const why = "Unless markers, path or bbox are given.";
  if (center === undefined) throw required("center", why);
  if (zoom === undefined) throw required("zoom", why);
}

const lengthOf = (url: URL, name: string) => sum(url.searchParams.getAll(name).map((text) => text.length));
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
