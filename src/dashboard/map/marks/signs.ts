import type { Map as MapLibre } from "maplibre-gl";
import { MAP_COLOURS, type MapTheme } from "./palette.ts";
import { STATE_LOOKS, USER_STATES, type UserMapState } from "./user-states.ts";

/**
 * Map icons, drawn once per style: a dot with a glyph, so that states differ in shape as well as in color. Drawing
 * them here needs no request and follows the theme.
 */
const SIZE = 22;
const RATIO = 2;

type Glyph = (context: CanvasRenderingContext2D) => void;

/** Around the center of a dot of radius 10. */
const GLYPHS: Record<UserMapState | "beacon" | "place" | "destination", Glyph> = {
  moving: (c) => fillPath(c, [-2.4, -4], [4.4, 0], [-2.4, 4]),
  stopped: (c) => c.fillRect(-3.2, -3.2, 6.4, 6.4),
  trip: (c) => {
    c.fillRect(-3.4, -4.8, 1.6, 9.6);
    fillPath(c, [-1.8, -4.8], [4.6, -2.2], [-1.8, 0.6]);
  },
  flagged: (c) => {
    c.fillRect(-1.1, -5, 2.2, 6);
    c.fillRect(-1.1, 2.6, 2.2, 2.2);
  },
  quiet: (c) => {
    c.fillRect(-4.2, -1, 2.2, 2.2);
    c.fillRect(-1.1, -1, 2.2, 2.2);
    c.fillRect(2, -1, 2.2, 2.2);
  },
  beacon: (c) => {
    for (const radius of [1.6, 4.2]) {
      c.beginPath();
      c.arc(0, 0, radius, 0, 2 * Math.PI);
      if (radius < 2) c.fill();
      else c.stroke();
    }
  },
  place: (c) => {
    c.beginPath();
    c.arc(0, 0, 3.4, 0, 2 * Math.PI);
    c.fill();
  },
  destination: (c) => {
    c.fillRect(-4, -4, 4, 4);
    c.fillRect(0, 0, 4, 4);
    c.strokeRect(-4, -4, 8, 8);
  },
};

function fillPath(context: CanvasRenderingContext2D, ...corners: [number, number][]): void {
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(x, y);
  context.closePath();
  context.fill();
}

/** Puts the signs into the style, as "user-moving", …, "beacon", "place", "destination". */
export function drawSigns(map: MapLibre, theme: MapTheme): void {
  const { casing, accent, place, text } = MAP_COLOURS[theme];
  for (const state of USER_STATES) addSign(map, `user-${state}`, STATE_LOOKS[state][theme], casing, GLYPHS[state]);
  addSign(map, "beacon", accent, casing, GLYPHS.beacon);
  addSign(map, "place", place, casing, GLYPHS.place);
  addSign(map, "destination", text, casing, GLYPHS.destination);
}

function addSign(map: MapLibre, name: string, fill: string, edge: string, glyph: Glyph): void {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE * RATIO;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(RATIO, RATIO);
  context.translate(SIZE / 2, SIZE / 2);
  context.fillStyle = edge;
  context.beginPath();
  context.arc(0, 0, 11, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = fill;
  context.beginPath();
  context.arc(0, 0, 9, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = context.strokeStyle = edge;
  context.lineWidth = 1.4;
  glyph(context);
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  if (map.hasImage(name)) map.removeImage(name);
  map.addImage(name, image, { pixelRatio: RATIO });
}
