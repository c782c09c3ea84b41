import type { Pace } from "../../geo/pace.ts";
import type { Box } from "../base/clip.ts";
import type { Icon } from "../style/icons.ts";
import type { FontSet } from "../text/font-set.ts";
import type { Labels, PlacedGlyph, PlacedIcon, PlacedText } from "../text/label.ts";
import type { Candidate, Look } from "./candidates.ts";
import { type Chain, joinChains, pointAlong } from "./chains.ts";
import type { Collision } from "./collision.ts";
import { boxesOf, glyphsOf, isColumn, layAlong, PER_LETTER, type TextRun } from "./lay-along.ts";
import { BASELINE, breakLines, LINE_HEIGHT } from "./layout.ts";

/**
 * The same name along lines of any layer is not repeated nearer than this, nor next to a point of that name: a square, the streets on
 * foot that cross it and the road around it are one thing for a reader [pixels at scale 1].
 */
const REPEAT = 230;
/** The same name at points, of the same layer; and at a point, after a line of that name [pixels at scale 1]. */
const REPEAT_POINT = 60;
const REPEAT_POINT_AT_LINE = 120;
/** Cost of searching for a position: at a point; along lines, and for each of their pieces [µs]. */
const POINT_COST = 10;
const LINE_COST = 150;
const PIECE_COST = 10;

/**
 * Assigns a position, or none, to each candidate in turn. Placed labels never overlap and never leave the collision's
 * bounds.
 */
export async function placeLabels(
  candidates: readonly Candidate[],
  fonts: FontSet,
  icons: Readonly<Record<string, Icon>>,
  collision: Collision,
  pace: Pace,
): Promise<Labels> {
  const placer = new Placer(fonts, icons, collision);
  for (const candidate of candidates) {
    placer.place(candidate);
    const turn = pace.spend(candidate.point ? POINT_COST : LINE_COST + candidate.lines.length * PIECE_COST);
    if (turn) await turn;
  }
  return { texts: placer.texts, icons: placer.icons };
}

/** Returns whether there are names that no font can write. The English name replaces them if it is known. */
export function areGlyphsMissing(candidates: readonly Pick<Candidate, "font" | "text">[], fonts: FontSet): boolean {
  return candidates.some(({ font, text }) => text !== "" && !fonts.covers(font, text.replace(/\s/g, "")));
}

/** Area that a label at a point covers at its first anchor, and the box around its areas at all anchors. */
export interface Extent {
  first: Box[];
  reach: Box;
}

/** Undefined if none of it can be drawn. */
export function extentAtPoint(
  candidate: Candidate,
  fonts: FontSet,
  icons: Readonly<Record<string, Icon>>,
): Extent | undefined {
  const { icon, look, point } = candidate;
  if (!point) return undefined;
  const [x, y] = point;
  const size = icon === undefined ? undefined : icons[icon];
  const own = size ? [iconBoxAt(size, look, x, y, look.iconPadding)] : [];
  const drawable = [candidate.text, candidate.fallback].find((text) =>
    fonts.covers(candidate.font, text.replace(/\s/g, "")),
  );
  const block = drawable ? measured({ ...candidate, text: drawable }, fonts) : undefined;
  const texts = block ? look.anchors.map((anchor) => boxAt(anchor, x, y, block, look)) : [];
  const all = [...own, ...texts];
  if (all.length === 0) return undefined;
  return { first: [...own, ...texts.slice(0, 1)], reach: boxAround(all) };
}

function boxAround(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** A text as a block: its lines, and its size [pixels at scale 1]. */
interface Block {
  lines: string[];
  widths: number[];
  width: number;
  height: number;
}

function measured({ text, font, look }: Candidate, fonts: FontSet): Block {
  const { size, spacing } = look;
  const lines = text.split("\n").flatMap((line) => breakLines(fonts, font, line, spacing, look.maxWidth));
  const widths = lines.map((line) => (fonts.width(font, line, spacing) - spacing) * size);
  return { lines, widths, width: Math.max(...widths), height: lines.length * LINE_HEIGHT * size };
}

function boxAt(anchor: string, x: number, y: number, { width, height }: Block, look: Look): Box {
  const [left, top] = cornerAt(anchor, x, y, width, height, look);
  const reach = look.haloWidth + look.padding;
  return { left: left - reach, top: top - reach, right: left + width + reach, bottom: top + height + reach };
}

class Placer {
  readonly texts: PlacedText[] = [];
  readonly icons: PlacedIcon[] = [];
  readonly #fonts: FontSet;
  readonly #known: Readonly<Record<string, Icon>>;
  readonly #collision: Collision;
  readonly #said = new Map<string, [number, number][]>();

  constructor(fonts: FontSet, icons: Readonly<Record<string, Icon>>, collision: Collision) {
    this.#fonts = fonts;
    this.#known = icons;
    this.#collision = collision;
  }

  place(candidate: Candidate): void {
    const { text, font, icon } = candidate;
    if (text !== "" && !this.#isDrawable(font, text)) {
      candidate.text = this.#isDrawable(font, candidate.fallback) ? candidate.fallback : "";
      if (candidate.text === "" && icon === undefined) return;
    }
    if (candidate.point) this.#atPoint(candidate, candidate.point);
    else if (candidate.text !== "" && icon === undefined) this.#alongLines(candidate);
    else this.#iconsAlong(candidate);
  }

  #isDrawable(font: string, text: string): boolean {
    return this.#fonts.covers(font, text.replace(/\s/g, ""));
  }

  /** Icon and text at a point: both, or only one if the style allows it. */
  #atPoint(candidate: Candidate, [x, y]: readonly [number, number]): boolean {
    const { icon, look, text, layer } = candidate;
    const key = `${layer.id}/${text}`;
    if (text !== "" && this.#isSaid(key, x, y, REPEAT_POINT)) return false;
    // Text without an icon is the name of an area, which may also be that of a street.
    const isArea = text !== "" && icon === undefined;
    if (isArea && this.#isSaid(alongKey(text), x, y, REPEAT_POINT_AT_LINE)) return false;
    const size = icon === undefined ? undefined : this.#known[icon];
    const iconBox = size && iconBoxAt(size, look, x, y, look.iconPadding);
    if (iconBox && !this.#collision.isFree(iconBox)) return false;
    const block = text === "" ? undefined : this.#block(candidate, x, y);
    if (text !== "" && !block && !(look.textOptional && iconBox)) return false;
    if (!block && !iconBox) return false;
    if (block) {
      for (const box of block.boxes) this.#collision.take(box);
      this.texts.push(block);
      this.#say(key, x, y);
      if (isArea) this.#say(alongKey(text), x, y);
    }
    if (size && icon !== undefined && iconBox) {
      // The padding around the icon keeps other labels away; its own text may be closer.
      this.#collision.take(iconBoxAt(size, look, x, y, Math.min(2, look.iconPadding)));
      this.icons.push({ name: icon, x, y, rotation: look.iconRotation, scale: look.iconScale });
    }
    return true;
  }

  /** The text as a block at the first free anchor. */
  #block(candidate: Candidate, x: number, y: number): PlacedText | undefined {
    const { look } = candidate;
    const { size } = look;
    const block = measured(candidate, this.#fonts);
    const { lines, widths, width, height } = block;
    for (const anchor of look.anchors) {
      const box = boxAt(anchor, x, y, block, look);
      if (!this.#collision.isFree(box)) continue;
      const [left, top] = cornerAt(anchor, x, y, width, height, look);
      const glyphs: PlacedGlyph[] = [];
      lines.forEach((line, i) => {
        const align = anchor.includes("left") ? 0 : anchor.includes("right") ? 1 : 0.5;
        const start = left + (width - widths[i]) * align;
        const baseline = top + ((i + 0.5) * LINE_HEIGHT + BASELINE) * size;
        this.#set(glyphs, line, candidate, (pen) => [start + pen, baseline, 1, 0]);
      });
      return placedText(candidate, glyphs, [box]);
    }
    return undefined;
  }

  /** Names along streets and rivers, as often as the style's spacing lets them. */
  #alongLines(candidate: Candidate): void {
    const { text, font, look } = candidate;
    const width = this.#fonts.width(font, text, look.spacing) * look.size;
    const spacing = Math.max(REPEAT, look.every);
    for (const chain of joinChains(candidate.lines)) {
      const slack = chain.length - width;
      if (slack < 4) break;
      const stretches = Math.max(1, Math.floor(chain.length / (spacing + width)));
      for (let k = 0; k < stretches; k++) {
        const from = (chain.length / stretches) * k;
        const to = (chain.length / stretches) * (k + 1) - width;
        this.#alongStretch(candidate, chain, width, Math.max(2, from), Math.min(chain.length - width - 2, to));
      }
    }
  }

  /** The straightest position between two starts, preferring the middle. */
  #alongStretch(candidate: Candidate, chain: Chain, width: number, from: number, to: number): void {
    if (to < from) return;
    const { look, text } = candidate;
    const key = alongKey(text);
    const step = Math.max(5, (to - from) / 24);
    const middle = (from + to) / 2;
    let best: { run: Float64Array; cost: number; at: [number, number] } | undefined;
    const codes = Array.from(text, (letter) => letter.codePointAt(0) as number);
    const advances = codes.map((code) => (this.#fonts.advance(candidate.font, code) + look.spacing) * look.size);
    const letters: TextRun = { codes, advances, size: look.size, column: isColumn(text) };
    const run = new Float64Array(PER_LETTER * codes.length);
    const reach = look.size * 0.52 + look.haloWidth;
    for (let start = from; start <= to; start += step) {
      const away = (10 * Math.abs(start - middle)) / (to - from + 1);
      if (best && away >= best.cost) continue;
      const [cx, cy] = pointAlong(chain, start + width / 2);
      if (this.#isSaid(key, cx, cy, REPEAT)) continue;
      const turn = layAlong(run, letters, chain, start, width);
      if (turn === undefined) continue;
      const cost = turn * 60 + away;
      if (best && cost >= best.cost) continue;
      if (boxesOf(run, reach).every((box) => this.#collision.isFree(box)))
        best = { run: run.slice(), cost, at: [cx, cy] };
    }
    if (!best) return;
    const boxes = boxesOf(best.run, reach);
    for (const box of boxes) this.#collision.take(box);
    this.texts.push(placedText(candidate, glyphsOf(best.run, letters, BASELINE * look.size), boxes));
    this.#say(key, ...best.at);
  }

  /** Shields and arrows: at regular distances, rotated with the line unless the style keeps them upright. */
  #iconsAlong(candidate: Candidate): void {
    const { icon, look, layer, text, font } = candidate;
    const size = icon === undefined ? undefined : this.#known[icon];
    if (!size || icon === undefined) return;
    const subject = { zoom: 0, type: 2, tags: {} };
    const spacing = look.every;
    const upright = layer.property("icon-rotation-alignment").evaluate(subject) === "viewport";
    for (const chain of joinChains(candidate.lines, !upright)) {
      if (chain.length < size.width * (upright ? 1.5 : 2.2)) break;
      const count = Math.max(1, Math.floor(chain.length / spacing));
      for (let k = 0; k < count; k++) {
        const [x, y, dx, dy] = pointAlong(chain, (chain.length / count) * (k + 0.5));
        if (text !== "" && this.#isSaid(`${layer.id}/${text}`, x, y, spacing * 0.7)) continue;
        const rotation = upright ? 0 : (Math.atan2(dy, dx) * 180) / Math.PI + look.iconRotation;
        const reach = upright ? undefined : size.width / 2;
        const box =
          reach === undefined
            ? iconBoxAt(size, look, x, y, look.iconPadding)
            : { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
        if (!this.#collision.isFree(box)) continue;
        if (text !== "") {
          const width = (this.#fonts.width(font, text, look.spacing) - look.spacing) * look.size;
          const glyphs: PlacedGlyph[] = [];
          this.#set(glyphs, text, candidate, (pen) => [x - width / 2 + pen, y + BASELINE * look.size, 1, 0]);
          this.texts.push(placedText(candidate, glyphs, [box]));
          this.#say(`${layer.id}/${text}`, x, y);
        }
        this.#collision.take(box);
        this.icons.push({ name: icon, x, y, rotation, scale: look.iconScale });
      }
    }
  }

  #set(
    glyphs: PlacedGlyph[],
    text: string,
    { font, look }: Candidate,
    at: (pen: number) => readonly [x: number, y: number, cos: number, sin: number],
  ): void {
    let pen = 0;
    for (const character of text) {
      const code = character.codePointAt(0) as number;
      const [x, y, cos, sin] = at(pen);
      glyphs.push({ code, x, y, cos, sin });
      pen += (this.#fonts.advance(font, code) + look.spacing) * look.size;
    }
  }

  #isSaid(key: string, x: number, y: number, within: number): boolean {
    return (this.#said.get(key) ?? []).some(([ox, oy]) => Math.hypot(x - ox, y - oy) < within);
  }

  #say(key: string, x: number, y: number): void {
    const places = this.#said.get(key);
    if (places) places.push([x, y]);
    else this.#said.set(key, [[x, y]]);
  }
}

const alongKey = (text: string) => `/${text}`;

function placedText({ text, font, look }: Candidate, glyphs: PlacedGlyph[], boxes: Box[]): PlacedText {
  const { size, color, haloColor, haloWidth } = look;
  return { text, font, size, color, haloColor, haloWidth, glyphs, boxes };
}

function iconBoxAt({ width, height }: Icon, { iconScale }: Look, x: number, y: number, padding: number): Box {
  const [w, h] = [(width / 2) * iconScale + padding, (height / 2) * iconScale + padding];
  return { left: x - w, top: y - h, right: x + w, bottom: y + h };
}

/** Top left corner of a block whose anchor ("top": the point is above it) is at the point. */
function cornerAt(
  anchor: string,
  x: number,
  y: number,
  width: number,
  height: number,
  { offset, radialOffset, size }: Look,
): [number, number] {
  const away = radialOffset * size;
  const diagonal = anchor.includes("-") ? away * Math.SQRT1_2 : away;
  let left = x - width / 2 + offset[0] * size;
  let top = y - height / 2 + offset[1] * size;
  if (anchor.includes("left")) left = x + diagonal + offset[0] * size;
  if (anchor.includes("right")) left = x - width - diagonal + offset[0] * size;
  if (anchor.includes("top")) top = y + diagonal + offset[1] * size;
  if (anchor.includes("bottom")) top = y - height - diagonal + offset[1] * size;
  return [left, top];
}
