import type { Pace } from "../../geo/pace.ts";
import { type Box, clipLine, intersection } from "../base/clip.ts";
import { type Color, parseColor } from "../base/color.ts";
import { packFontFor } from "../fonts/fonts.ts";
import { numberOr } from "../shapes/shape-paint.ts";
import type { PlacedTile } from "../shapes/shapes.ts";
import type { CompiledLayer, CompiledStyle } from "../style/compile-style.ts";
import type { Subject, Value } from "../style/expression.ts";
import { matchingFeatures } from "../style/matching-features.ts";
import { withForm } from "../text/font-set.ts";
import { shapeText } from "../text/shape-text.ts";
import { type HanForm, hanFormOf, isIdeograph, toCapitals } from "../text/units.ts";
import type { Feature, Layer } from "../tiles/vector-tile.ts";

/** A label that is to be placed. */
export interface Candidate {
  layer: CompiledLayer;
  sortKey: number;
  text: string;
  /** The English name, for when no font has a letter of the first. */
  fallback: string;
  font: string;
  icon: string | undefined;
  look: Look;
  /** A point, or the lines for placement; flat x, y lists [pixels at scale 1]. */
  point: readonly [x: number, y: number] | undefined;
  lines: number[][];
}

/** The style's properties of a label, evaluated for its feature. */
export interface Look {
  size: number;
  color: Color;
  haloColor: Color | undefined;
  haloWidth: number;
  /** Between letters [em]. */
  spacing: number;
  /** Between repetitions along a line [pixels at scale 1]. */
  every: number;
  maxWidth: number;
  padding: number;
  anchors: readonly string[];
  /** [em] */
  offset: readonly [x: number, y: number];
  radialOffset: number;
  iconScale: number;
  iconRotation: number;
  iconPadding: number;
  textOptional: boolean;
  iconOptional: boolean;
}

/**
 * The labels of a style over the tiles, in the order in which they are placed: the style's last layer first, then by
 * sort key.
 */
export async function collectCandidates(
  style: CompiledStyle,
  tiles: readonly PlacedTile[],
  zoom: number,
  image: Box,
  pace: Pace,
  form: HanForm = "zh",
): Promise<Candidate[]> {
  const all: Candidate[] = [];
  for (let i = style.layers.length - 1; i >= 0; i--) {
    const layer = style.layers[i];
    if (layer.type !== "symbol" || zoom < layer.minzoom || zoom >= layer.maxzoom) continue;
    const found = await candidatesOf(layer, tiles, zoom, image, pace, form);
    // Ties are broken by text and position, so that the same request draws the same map.
    found.sort(
      (a, b) =>
        a.sortKey - b.sortKey ||
        (a.text < b.text ? -1 : a.text > b.text ? 1 : 0) ||
        (a.point?.[1] ?? 0) - (b.point?.[1] ?? 0) ||
        (a.point?.[0] ?? 0) - (b.point?.[0] ?? 0),
    );
    all.push(...found);
  }
  return all;
}

/** Cost of evaluating a filter and creating a label [µs]. */
const FEATURE_COST = 0.8;
const LABEL_COST = 8;

async function candidatesOf(
  layer: CompiledLayer,
  tiles: readonly PlacedTile[],
  zoom: number,
  image: Box,
  pace: Pace,
  form: HanForm,
): Promise<Candidate[]> {
  const subject: Subject = { zoom, type: 0, tags: {} };
  const alongLines = String(layer.property("symbol-placement").evaluate(subject) ?? "point") !== "point";
  const found: Candidate[] = [];
  /** Pieces of one street are in several features and tiles: they share a candidate. */
  const byText = new Map<string, Candidate>();
  for (const placed of tiles) {
    const source = placed.tile.get(layer.sourceLayer);
    if (!source) continue;
    const before = found.length;
    for (const index of matchingFeatures(layer, source, zoom)) {
      const feature = source.features[index];
      if (alongLines && feature.type === 1) continue;
      subject.type = feature.type;
      subject.tags = feature.tags;
      const text = textOf(layer, subject);
      const icon = iconOf(layer, subject);
      if (text === "" && icon === undefined) continue;
      if (alongLines) {
        const pieces = piecesOf(feature, source, placed, image);
        if (pieces.length === 0) continue;
        const key = text === "" ? `${icon}/${numberOr(layer.property("icon-rotate").evaluate(subject), 0)}` : text;
        let candidate = byText.get(key);
        if (!candidate) {
          candidate = makeCandidate(layer, subject, text, icon, form);
          byText.set(key, candidate);
          found.push(candidate);
        }
        candidate.lines.push(...pieces);
        continue;
      }
      const point = pointOf(feature, source, placed, image);
      if (point) found.push({ ...makeCandidate(layer, subject, text, icon, form), point });
    }
    const turn = pace.spend(source.features.length * FEATURE_COST + (found.length - before) * LABEL_COST);
    if (turn) await turn;
  }
  return found;
}

/** Longer texts are cut [UTF-16 units]. */
const MAX_TEXT_LENGTH = 200;

/** The text in the order in which it is drawn; a style's line breaks stay. */
function textOf(layer: CompiledLayer, subject: Subject): string {
  const value = layer.property("text-field").evaluate(subject);
  if (value === undefined || value === null) return "";
  // Before there were expressions, fields were written "{name}".
  const raw =
    typeof value === "string" && value.includes("{")
      ? value.replace(/\{([^{}]+)\}/g, (_, key: string) => String(subject.tags[key] ?? ""))
      : String(value);
  const transform = layer.property("text-transform").evaluate(subject);
  const text = transform === "uppercase" ? toCapitals(raw) : transform === "lowercase" ? raw.toLowerCase() : raw;
  const lines = text.slice(0, MAX_TEXT_LENGTH).split("\n");
  return lines
    .map((line) => shapeText(line.trim()))
    .filter((line) => line !== "")
    .join("\n");
}

function fallbackOf(layer: CompiledLayer, { tags }: Subject): string {
  const name = tags["name:en"] ?? tags.name_en;
  if (typeof name !== "string") return "";
  return layer.property("text-transform").evaluate({ zoom: 0, type: 0, tags }) === "uppercase"
    ? toCapitals(name)
    : name;
}

function iconOf(layer: CompiledLayer, subject: Subject): string | undefined {
  const value = layer.property("icon-image").evaluate(subject);
  return typeof value === "string" && value !== "" ? value : undefined;
}

const BLACK: Color = [0, 0, 0, 1];

function makeCandidate(
  layer: CompiledLayer,
  subject: Subject,
  text: string,
  icon: string | undefined,
  form: HanForm,
): Candidate {
  const value = (name: string): Value => layer.property(name).evaluate(subject);
  const color = (name: string) => {
    const given = value(name);
    return typeof given === "string" ? parseColor(given) : undefined;
  };
  const fonts = value("text-font");
  const font = packFontFor(Array.isArray(fonts) ? String(fonts[0]) : String(fonts ?? ""));
  const variable = value("text-variable-anchor");
  const offset = value("text-offset");
  return {
    layer,
    sortKey: numberOr(value("symbol-sort-key"), 0),
    text,
    fallback: text === "" ? "" : fallbackOf(layer, subject),
    font: isIdeograph(text) ? withForm(font, hanFormOf(text, form)) : font,
    icon,
    look: {
      size: within(numberOr(value("text-size"), 16), 1, 200),
      color: color("text-color") ?? BLACK,
      haloColor: color("text-halo-color"),
      haloWidth: numberOr(value("text-halo-width"), 0),
      spacing: within(numberOr(value("text-letter-spacing"), 0), -0.5, 5),
      every: within(numberOr(value("symbol-spacing"), 250), 30, 5000),
      maxWidth: within(numberOr(value("text-max-width"), 10), 1, 200),
      padding: numberOr(value("text-padding"), 2),
      anchors: Array.isArray(variable) ? variable.map(String) : [String(value("text-anchor") ?? "center")],
      offset: Array.isArray(offset) ? [numberOr(offset[0], 0), numberOr(offset[1], 0)] : [0, 0],
      radialOffset: numberOr(value("text-radial-offset"), 0),
      iconScale: within(numberOr(value("icon-size"), 1), 0.05, 8),
      iconRotation: numberOr(value("icon-rotate"), 0),
      iconPadding: numberOr(value("icon-padding"), 2),
      textOptional: value("text-optional") === true,
      iconOptional: value("icon-optional") === true,
    },
    point: undefined,
    lines: [],
  };
}

/** A style may have any value; drawn values are limited. */
const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** A feature's lines in the image, cut at its tile: the buffer repeats the content of the next tile. */
function piecesOf(feature: Feature, source: Layer, placed: PlacedTile, image: Box): number[][] {
  const pieces: number[][] = [];
  const box = intersection(image, {
    left: placed.left,
    top: placed.top,
    right: placed.left + placed.size,
    bottom: placed.top + placed.size,
  });
  if (box.left >= box.right || box.top >= box.bottom) return pieces;
  const factor = placed.size / source.extent;
  for (let part = feature.first; part < feature.last; part++) {
    const from = part === 0 ? 0 : source.ends[part - 1];
    const count = source.ends[part] - from;
    const points = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      points[2 * i] = placed.left + source.points[2 * (from + i)] * factor;
      points[2 * i + 1] = placed.top + source.points[2 * (from + i) + 1] * factor;
    }
    clipLine(points, count, box, (piece, n) => pieces.push(Array.from(piece.subarray(0, 2 * n))));
  }
  return pieces;
}

/** Where a feature's label is anchored; undefined outside its tile or the image. */
function pointOf(feature: Feature, source: Layer, placed: PlacedTile, image: Box): [number, number] | undefined {
  if (feature.first >= feature.last) return undefined;
  let best: [number, number] | undefined;
  if (feature.type === 3) best = centroidOf(feature, source);
  else {
    const from = feature.first === 0 ? 0 : source.ends[feature.first - 1];
    const middle = feature.type === 1 ? from : from + ((source.ends[feature.first] - from) >> 1);
    best = [source.points[2 * middle], source.points[2 * middle + 1]];
  }
  const [x, y] = best;
  if (x < 0 || y < 0 || x >= source.extent || y >= source.extent) return undefined;
  const factor = placed.size / source.extent;
  const at: [number, number] = [placed.left + x * factor, placed.top + y * factor];
  return at[0] < image.left || at[0] > image.right || at[1] < image.top || at[1] > image.bottom ? undefined : at;
}

/** Centroid of the largest ring [tile units]. */
function centroidOf(feature: Feature, source: Layer): [number, number] {
  let best: [number, number] = [-1, -1];
  let largest = 0;
  for (let part = feature.first; part < feature.last; part++) {
    const from = part === 0 ? 0 : source.ends[part - 1];
    const to = source.ends[part];
    let [area, cx, cy] = [0, 0, 0];
    for (let i = from, j = to - 1; i < to; j = i++) {
      const [x0, y0, x1, y1] = [
        source.points[2 * j],
        source.points[2 * j + 1],
        source.points[2 * i],
        source.points[2 * i + 1],
      ];
      const cross = x0 * y1 - x1 * y0;
      area += cross;
      cx += (x0 + x1) * cross;
      cy += (y0 + y1) * cross;
    }
    if (Math.abs(area) <= largest) continue;
    largest = Math.abs(area);
    best = [cx / (3 * area), cy / (3 * area)];
  }
  return best;
}
