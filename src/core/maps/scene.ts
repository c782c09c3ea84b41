import type { DataSource } from "../geo/builds/manifest.ts";
import type { Pace } from "../geo/pace.ts";
import {
  type AttributionForm,
  attributionFits,
  attributionText,
  type CornerText,
  placeCorners,
} from "./attribution.ts";
import { parseColor } from "./base/color.ts";
import type { View } from "./base/view.ts";
import { DEFAULT_FONT } from "./fonts/fonts.ts";
import { collectCandidates } from "./labels/candidates.ts";
import { Collision } from "./labels/collision.ts";
import { areGlyphsMissing, placeLabels } from "./labels/place-labels.ts";
import { type DrawnMarker, type DrawnPath, layOut, type Overlay } from "./overlay.ts";
import { overlayBoxes } from "./overlay-boxes.ts";
import { labelPins, placeMarkerTexts, textsOfMarkers } from "./overlay-texts.ts";
import { type PlacedTile, type PreparedLayer, prepareShapes } from "./shapes/shapes.ts";
import type { CompiledStyle } from "./style/compile-style.ts";
import type { Icon } from "./style/icons.ts";
import type { FontSet } from "./text/font-set.ts";
import type { Labels } from "./text/label.ts";
import { type HanForm, hanFormAt } from "./text/units.ts";

export interface MapRequest {
  view: View;
  scale: number;
  style: CompiledStyle;
  icons: Readonly<Record<string, Icon>>;
  tiles: readonly PlacedTile[];
  overlay: Overlay;
  /**
   * The layer of the style below which paths are drawn; absent: paths are above all layers, and labels keep clear of
   * them.
   */
  beforeLayer?: string;
  attribution: AttributionForm;
  /** Written at the bottom left. */
  note?: string;
  /** Data sources of the tiles. */
  sources: readonly DataSource[];
  /** Form of ideographs if their text does not determine it; if absent, that of the center. */
  form?: HanForm;
}

/** A map after layout: everything has its position, nothing is drawn yet. */
export interface Scene {
  view: View;
  scale: number;
  icons: Readonly<Record<string, Icon>>;
  shapes: readonly PreparedLayer[];
  labels: Labels;
  /** The attribution, and the note if there is one. */
  corners: readonly CornerText[];
  drawn: { paths: DrawnPath[]; markers: DrawnMarker[] };
  /** Paths are drawn before the first layer of this order or a greater one; infinite: above all. */
  pathsBefore: number;
  dark: boolean;
  /** Some names had no glyphs: they are not shown, or in English. */
  lacksGlyphs: boolean;
}

/** Labels keep this far from the image's edge [pixels at scale 1]. */
const EDGE = 3;
/** Cost of reserving one square of the overlay [µs]. */
const BOX_COST = 1;

/** Places markers, paths and the attribution first, then labels in the space that is left. */
export async function layOutScene(request: MapRequest, fonts: FontSet, pace: Pace): Promise<Scene> {
  const { view, scale, style, tiles, icons } = request;
  const { width, height, zoom } = view;
  const image = { left: 0, top: 0, right: width, bottom: height };
  const candidates = await collectCandidates(style, tiles, zoom, image, pace, request.form ?? hanFormOfView(view));
  const fallbacks = candidates.map(({ font, fallback }) => ({ font, text: fallback }));
  const { note = "" } = request;
  const words = [...request.sources.map(({ attribution = "" }) => attribution), note].join(" · ");
  const placedOverlay = layOut(request.overlay, view);
  const markerTexts = textsOfMarkers(placedOverlay.markers);
  await fonts.prepare([...candidates, ...fallbacks, ...markerTexts, { font: DEFAULT_FONT, text: words }]);
  const fits = (text: string) => attributionFits(fonts, text, width);
  const credit = attributionText(request.sources, width, request.attribution, fits);
  const dark = isDark(style, zoom);
  const corners = placeCorners(fonts, credit, note, view, dark);
  const cornerBoxes = corners.map(({ box }) => box);
  const drawn = { ...placedOverlay, markers: labelPins(placedOverlay.markers, fonts) };
  const collision = new Collision({ left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE });
  for (const box of cornerBoxes) collision.take(box);
  const { beforeLayer } = request;
  const paths = beforeLayer === undefined ? drawn.paths : [];
  const markerBoxes = [...cornerBoxes, ...overlayBoxes({ paths: [], markers: drawn.markers }, view)];
  const markerWords = placeMarkerTexts(drawn.markers, view, markerBoxes, dark, fonts);
  const boxes = [
    ...overlayBoxes({ paths, markers: drawn.markers }, view),
    ...markerWords.flatMap((text) => text.boxes),
  ];
  for (const box of boxes) {
    collision.take(box);
    const turn = pace.spend(BOX_COST);
    if (turn) await turn;
  }
  const placed = await placeLabels(candidates, fonts, icons, collision, pace);
  const labels = { ...placed, texts: [...placed.texts, ...markerWords] };
  const lacksGlyphs = areGlyphsMissing([...candidates, ...markerTexts], fonts);
  const shapes = await prepareShapes(style, tiles, { image, zoom, scale }, pace);
  const order = style.layers.findIndex(({ id }) => id === beforeLayer);
  const pathsBefore = order < 0 ? Number.POSITIVE_INFINITY : order;
  return { view, scale, icons, shapes, labels, corners, drawn, pathsBefore, dark, lacksGlyphs };
}

export function hanFormOfView({ center }: View): HanForm {
  return hanFormAt(center.longitude, center.latitude);
}

export function isDark({ layers }: CompiledStyle, zoom: number): boolean {
  const background = layers.find(({ type }) => type === "background");
  const color = parseColor(
    String(background?.property("background-color").evaluate({ zoom, type: 0, tags: {} }) ?? "#fff"),
  );
  return color !== undefined && color[0] * 0.3 + color[1] * 0.59 + color[2] * 0.11 < 110;
}
