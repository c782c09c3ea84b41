import type { Box } from "../base/clip.ts";
import type { PlacedGlyph } from "../text/label.ts";
import { type Chain, putPoint } from "./chains.ts";

/** Maximum change of direction between two letters, and over an entire text [radians]. */
const TURN_PER_LETTER = 0.45;
const TURN_IN_ALL = 1.1;

/** Letters that may stand upright below each other: ideographs, kana, hangul. */
const COLUMN = /^[\u2e80-\u9fff\uac00-\ud7af\uff01-\uff60]+$/;
/** Long vowels and dashes turn in a column. */
const TURNED = new Set("ー－〜～―（）「」『』【】".split("").map((letter) => letter.codePointAt(0)));

/** Returns whether a text is written as a column along a steep line, as interactive maps do. */
export const isColumn = (text: string): boolean => COLUMN.test(text);

/** For a letter along a line: the middle of its baseline, and the direction there. */
export const PER_LETTER = 4;
/** Two points, and where a third is written. */
const ends = new Float64Array(6);

/** A text along a line: its letters, and the space that each takes [pixels at scale 1]. */
export interface TextRun {
  codes: readonly number[];
  advances: readonly number[];
  size: number;
  /** Along steep lines, its letters are upright, from top to bottom. */
  column: boolean;
}

/**
 * Places letters along a chain from `start`, upright, in `run`.
 * @returns how far they turn [radians]; undefined where it is too much, or between two of them
 */
export function layAlong(
  run: Float64Array,
  { codes, advances, size, column }: TextRun,
  chain: Chain,
  start: number,
  width: number,
): number | undefined {
  putPoint(ends, 0, chain, start);
  putPoint(ends, 2, chain, start + width);
  const steep = column && Math.abs(ends[3] - ends[1]) > Math.abs(ends[2] - ends[0]);
  const backwards = steep ? ends[3] < ends[1] : ends[2] < ends[0];
  const along = (to: number, offset: number) => {
    const distance = backwards ? start + width - offset : start + offset;
    putPoint(ends, to, chain, Math.max(0, Math.min(chain.length, distance)));
  };
  let turn = 0;
  let before = 0;
  let pen = 0;
  for (let i = 0; i < advances.length; i++) {
    const advance = advances[i];
    const at = pen + advance / 2;
    // The direction over a little more than the letter, so that corners are rounded.
    const reach = Math.max(advance * 0.6, size * 0.35);
    along(0, at - reach);
    along(2, at + reach);
    along(4, at);
    const dx = ends[2] - ends[0];
    const dy = ends[3] - ends[1];
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    const [cos, sin] = [dx / length, dy / length];
    const angle = Math.atan2(sin, cos);
    if (i > 0) {
      const change = Math.abs(((angle - before + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
      if (change > TURN_PER_LETTER) return undefined;
      turn += change;
      if (turn > TURN_IN_ALL) return undefined;
    }
    before = angle;
    run[PER_LETTER * i] = (2 * ends[4] + ends[0] + ends[2]) / 4;
    run[PER_LETTER * i + 1] = (2 * ends[5] + ends[1] + ends[3]) / 4;
    const turned = TURNED.has(codes[i]);
    run[PER_LETTER * i + 2] = steep ? Number(!turned) : cos;
    run[PER_LETTER * i + 3] = steep ? Number(turned) : sin;
    pen += advance;
  }
  return turn;
}

export function boxesOf(run: Float64Array, reach: number): Box[] {
  const boxes: Box[] = [];
  for (let i = 0; i < run.length; i += PER_LETTER)
    boxes.push({ left: run[i] - reach, top: run[i + 1] - reach, right: run[i] + reach, bottom: run[i + 1] + reach });
  return boxes;
}

/** @param drop from the middle of a letter to its baseline [pixels at scale 1] */
export function glyphsOf(run: Float64Array, { codes, advances }: TextRun, drop: number): PlacedGlyph[] {
  return codes.map((code, i) => {
    const [x, y, cos, sin] = run.subarray(PER_LETTER * i, PER_LETTER * (i + 1));
    return {
      code,
      x: x - (cos * advances[i]) / 2 - sin * drop,
      y: y - (sin * advances[i]) / 2 + cos * drop,
      cos,
      sin,
    };
  });
}
