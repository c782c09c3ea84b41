import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { contourRings } from "../../core/geo/shapes/contour.ts";
import { inFlatRing } from "../../core/geo/shapes/in-ring.ts";
import { encodeLine } from "../../core/geo/shapes/polyline.ts";
import { simplify } from "../../importer/layers/basemap/tiles/simplify.ts";

/**
 * Generates src/importer/world/data/land-cover.txt from Natural Earth II with land cover, relief and drainages (public
 * domain), which Cesium ships in 32 tiles of 256 pixels:
 *
 *   npm pack @cesium/engine && tar xzf cesium-engine-*.tgz
 *   npm run land-cover -- package/Source/Assets/Textures/NaturalEarthII
 *
 * A blur over land removes the relief, then pixels are classified by hue, and contours become outlines.
 */
const FOLDER = process.argv[2];
if (!FOLDER) throw new Error("Specify the folder of the tiles: …/Textures/NaturalEarthII");
const OUT = resolve(import.meta.dirname, "../../importer/world/data/land-cover.txt");

const [COLUMNS, ROWS] = [2048, 1024];
const DEGREES = 360 / COLUMNS;
/** Radii of the blurs that remove relief and smooth outlines [pixels]. */
const RELIEF_BLUR = 2;
const EDGE_BLUR = 1;
/** Overlap of land cover into the sea, which is drawn above it [pixels]. */
const INTO_WATER = 6;
/** How far an outline may be moved [pixels]: a fifth of one, 4 km at the equator. */
const TOLERANCE = 0.22;
/** Smaller areas are left out [pixels]. */
const MIN_LABEL_AREA = 14;

/** Kinds of the Protomaps basemap; what is none of them is land without a tint. */
const KINDS = ["grassland", "scrub", "barren", "forest", "glacier"] as const;

type Kind = (typeof KINDS)[number];

/** Classifies a color of Natural Earth II. Thresholds were chosen by eye on well-known deserts, forests and ice. */
function kindOf(red: number, green: number, blue: number, mayBeIce: boolean): Kind | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const saturation = (most - least) / most;
  const hue =
    most === least
      ? 0
      : most === red
        ? 60 * ((green - blue) / (most - least))
        : most === green
          ? 120 + 60 * ((blue - red) / (most - least))
          : 240 + 60 * ((red - green) / (most - least));
  if (mayBeIce && saturation < 0.2 && most > 185 && blue >= red + 4) return "glacier";
  if (saturation < 0.36 && most > 195 && hue < 70) return "barren";
  // Bare rock and tundra are grey; sand is light or reddish.
  if (saturation < 0.2) return "barren";
  if (hue < 43) return "barren";
  if (hue < 52) return saturation < 0.3 ? "scrub" : "barren";
  if (hue < 62) return "scrub";
  if (hue < 76) return "grassland";
  return "forest";
}

async function pixels(): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const rgb = new Uint8Array(COLUMNS * ROWS * 3);
  for (let x = 0; x < 8; x++)
    for (let y = 0; y < 4; y++) {
      const tile = await sharp(join(FOLDER, `2/${x}/${y}.jpg`))
        .removeAlpha()
        .raw()
        .toBuffer();
      // Their rows are counted from the south.
      for (let row = 0; row < 256; row++)
        rgb.set(tile.subarray(row * 768, (row + 1) * 768), (((3 - y) * 256 + row) * COLUMNS + x * 256) * 3);
    }
  return rgb;
}

/** A blur of a field, twice as a box along each axis; around the globe from side to side. */
function blurred(field: Float64Array, radius: number): Float64Array {
  let from = field;
  for (let round = 0; round < 2; round++)
    for (const along of [0, 1]) {
      const to = new Float64Array(from.length);
      for (let y = 0; y < ROWS; y++)
        for (let x = 0; x < COLUMNS; x++) {
          let sum = 0;
          for (let d = -radius; d <= radius; d++) {
            const column = along === 0 ? (x + d + COLUMNS) % COLUMNS : x;
            const row = along === 1 ? Math.max(0, Math.min(ROWS - 1, y + d)) : y;
            sum += from[row * COLUMNS + column];
          }
          to[y * COLUMNS + x] = sum / (2 * radius + 1);
        }
      from = to;
    }
  return from;
}

const rgb = await pixels();
const count = COLUMNS * ROWS;
const isLand = Uint8Array.from({ length: count }, (_, i) => {
  const [red, green, blue] = rgb.subarray(3 * i, 3 * i + 3);
  // Ice is bluish, too, but light.
  return blue > red + 12 && !(red > 170 && green > 190) ? 0 : 1;
});
const land = blurred(Float64Array.from(isLand), RELIEF_BLUR);
const channels = [0, 1, 2].map((channel) =>
  blurred(
    Float64Array.from({ length: count }, (_, i) => (isLand[i] ? rgb[3 * i + channel] : 0)),
    RELIEF_BLUR,
  ),
);
const kinds = new Int8Array(count).fill(-1);
for (let i = 0; i < count; i++)
  if (isLand[i]) {
    const [red, green, blue] = channels.map((channel) => channel[i] / land[i]);
    // Small islands are as light and bluish as ice, as the sea shines through.
    const mayBeIce = Math.abs(90 - (Math.floor(i / COLUMNS) + 0.5) * DEGREES) > 50 || land[i] > 0.98;
    const kind = kindOf(red, green, blue, mayBeIce);
    kinds[i] = kind ? KINDS.indexOf(kind) : KINDS.length;
  }
for (let step = 0; step < INTO_WATER; step++) {
  const before = kinds.slice();
  for (let y = 1; y < ROWS - 1; y++)
    for (let x = 0; x < COLUMNS; x++) {
      const i = y * COLUMNS + x;
      if (before[i] >= 0) continue;
      const neighbors = [
        i - COLUMNS,
        i + COLUMNS,
        y * COLUMNS + ((x + 1) % COLUMNS),
        y * COLUMNS + ((x + COLUMNS - 1) % COLUMNS),
      ];
      kinds[i] = Math.max(...neighbors.map((one) => before[one]));
    }
}

const lines: string[] = [];
for (const [index, kind] of KINDS.entries()) {
  const share = blurred(
    Float64Array.from(kinds, (one) => (one === index ? 1 : 0)),
    EDGE_BLUR,
  );
  // Rows run north in a grid of contours.
  const values = new Float64Array(count);
  for (let y = 0; y < ROWS; y++)
    for (let x = 0; x < COLUMNS; x++) values[(ROWS - 1 - y) * COLUMNS + x] = 1 - share[y * COLUMNS + x];
  const rings = contourRings({ columns: COLUMNS, rows: ROWS, values }, 0.5)
    .map((ring) => simplify(ring.flat(), TOLERANCE, true))
    .map((ring) => ({ ring, area: areaOf(ring) }))
    .filter(({ area }) => Math.abs(area) >= MIN_LABEL_AREA);
  // Each outline with the holes in it: the smallest that holds one of a hole's corners is its own.
  const outer = rings.filter(({ area }) => area > 0).sort((a, b) => a.area - b.area);
  const holes = new Map(outer.map(({ ring }) => [ring, [] as (readonly number[])[]]));
  for (const { ring, area } of rings) {
    if (area > 0) continue;
    const own = outer.find((one) => one.area > -area && inFlatRing(one.ring, ring[0], ring[1]));
    if (own) holes.get(own.ring)?.push(ring);
  }
  for (const { ring } of outer.reverse())
    lines.push([kind, ...[ring, ...(holes.get(ring) ?? [])].map(encoded)].join(" "));
}
writeFileSync(OUT, `${lines.join("\n")}\n`);
console.log(`${lines.length} outlines`);

function encoded(ring: readonly number[]): string {
  const corners: Coordinate[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    // Along the pole one edge leads around the globe: readers take the shorter way between two corners.
    const steps = Math.ceil(Math.abs(ring[j] - ring[i]) / (COLUMNS / 4)) || 1;
    for (let step = 0; step < steps; step++) {
      const [x, y] = [0, 1].map((axis) => ring[i + axis] + ((ring[j + axis] - ring[i + axis]) * step) / steps);
      corners.push({
        latitude: clamp((y + 0.5) * DEGREES - 90, 90),
        longitude: clamp((x + 0.5) * DEGREES - 180, 180),
      });
    }
  }
  return encodeLine(corners, 2);
}

function clamp(value: number, most: number): number {
  // The outermost pixels reach to the edge.
  return Math.abs(value) > most - DEGREES ? Math.sign(value) * most : value;
}

function areaOf(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += ring[i] * ring[j + 1] - ring[j] * ring[i + 1];
  }
  return sum / 2;
}
