import {
  encodeTile,
  LINE,
  POINT,
  type Properties,
  type TileFeature,
  type TileLayer,
} from "../../../../core/maps/tiles/mvt.ts";
import { EXTENT, MAX_ZOOM } from "../../../../core/maps/tiles/plane.ts";
import { FINENESS, LAYERS } from "../features/feature.ts";
import { layCrossings } from "./lay-crossings.ts";
import { mergeLines } from "./merge-lines.ts";
import type { Piece } from "./piece.ts";
import { simplify } from "./simplify.ts";

/**
 * Lines shorter than this are skipped below the finest zoom [units], once those that continue each other are joined.
 */
const SHORTEST_LINE = 12;
/** After joining, corners nearer than this to a straight line are removed [units]. */
const JOINED_TOLERANCE = 2;

/** By a piece's layer; the last is FINE_WATER. */
const NAMES = [...LAYERS, "water"] as const;

/** Pieces that become one feature. */
interface Group {
  piece: Piece;
  parts: number[][];
  /** Of the same properties, and another order or type; by both. */
  others: Map<number, Group> | undefined;
}

/**
 * The bytes of a tile from its pieces. Those of equal properties become one feature: lines always, areas below the
 * finest zoom.
 */
export function assembleTile(
  zoom: number,
  pieces: readonly Piece[],
  propertiesOf: (id: number) => Properties,
): Uint8Array {
  const layers: TileLayer[] = [];
  const byLayer: Piece[][] = NAMES.map(() => []);
  for (const piece of pieces) byLayer[piece.layer].push(piece);
  NAMES.forEach((name, index) => {
    const mine = name === "roads" ? layCrossings(byLayer[index], propertiesOf) : byLayer[index];
    if (mine.length === 0) return;
    const groups: Group[] = [];
    const known = new Map<number, Group>();
    for (const piece of mine) {
      if (piece.type === POINT || (piece.type !== LINE && zoom === MAX_ZOOM)) {
        groups.push({ piece, parts: piece.parts, others: undefined });
        continue;
      }
      const first = known.get(piece.properties);
      const isFirst = first !== undefined && first.piece.order === piece.order && first.piece.type === piece.type;
      // Orders are between −2^27 and 2^27: a small integer.
      const key = piece.order * 4 + piece.type;
      const group = isFirst ? first : first?.others?.get(key);
      if (group) {
        for (const part of piece.parts) group.parts.push(part);
        continue;
      }
      const fresh: Group = { piece, parts: [...piece.parts], others: undefined };
      groups.push(fresh);
      if (!first) known.set(piece.properties, fresh);
      else {
        first.others ??= new Map();
        first.others.set(key, fresh);
      }
    }
    const features: TileFeature[] = [];
    // Sorting is stable: what is of the same order stays as it came.
    for (const { piece, parts } of groups.sort((a, b) => a.piece.order - b.piece.order)) {
      const joined = piece.type === LINE ? joinLines(zoom, parts) : parts;
      if (joined.length > 0) {
        features.push({ type: piece.type, properties: propertiesOf(piece.properties), parts: joined });
      }
    }
    if (features.length > 0)
      layers.push({ name, extent: index < LAYERS.length ? EXTENT : EXTENT * FINENESS, features });
  });
  return encodeTile(layers);
}

function joinLines(zoom: number, parts: readonly number[][]): number[][] {
  const joined = mergeLines(parts);
  if (zoom === MAX_ZOOM) return joined;
  return joined
    .filter((line) => lengthAtLeast(line, SHORTEST_LINE))
    .map((line) => simplify(line, JOINED_TOLERANCE, false));
}

function lengthAtLeast(line: readonly number[], least: number): boolean {
  let length = 0;
  for (let i = 2; i < line.length && length < least; i += 2) {
    length += Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
  }
  return length >= least;
}
