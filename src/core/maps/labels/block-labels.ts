import type { Pace } from "../../geo/pace.ts";
import type { Box } from "../base/clip.ts";
import type { Icon } from "../style/icons.ts";
import type { FontSet } from "../text/font-set.ts";
import type { Labels, PlacedIcon, PlacedText } from "../text/label.ts";
import type { Candidate } from "./candidates.ts";
import { Collision } from "./collision.ts";
import { type Extent, extentAtPoint, placeLabels } from "./place-labels.ts";

/**
 * Width of the area around a metatile whose labels must be known [pixels at scale 1]: farther than a label extends from
 * its point.
 */
export const AROUND = 256;

interface Means {
  fonts: FontSet;
  icons: Readonly<Record<string, Icon>>;
  pace: Pace;
}

/**
 * Places the labels of a metatile, relative to its corner. A metatile does not know the labels of its neighbors, so
 * labels that cross its edge are decided first, by a rule with the same result on both sides: a label is shown at its
 * first anchor if no more important label could reach it at any anchor, shown or not. All other labels stay within
 * their metatile and clear of those.
 * @param candidates of the metatile and `AROUND` it, the most important first; relative to the corner of that area
 */
export async function placeInBlock(
  candidates: readonly Candidate[],
  { width, height }: { width: number; height: number },
  { fonts, icons, pace }: Means,
): Promise<Labels> {
  const around: Box = { left: 0, top: 0, right: width + 2 * AROUND, bottom: height + 2 * AROUND };
  const block: Box = { left: AROUND, top: AROUND, right: AROUND + width, bottom: AROUND + height };
  const { over, within } = split(candidates, block, (candidate) => extentAtPoint(candidate, fonts, icons));
  const first = await placeLabels(over, fonts, icons, new Collision(around), pace);
  const collision = new Collision(block);
  for (const { boxes } of first.texts) for (const box of boxes) collision.take(box);
  for (const icon of first.icons) collision.take(boxOf(icon, icons));
  const second = await placeLabels(within, fonts, icons, collision, pace);
  const isSeen = ({ left, top, right, bottom }: Box) =>
    left < block.right && top < block.bottom && right > block.left && bottom > block.top;
  return {
    texts: [...first.texts.filter(({ boxes }) => boxes.some(isSeen)), ...second.texts].map(shifted),
    icons: [...first.icons.filter((icon) => isSeen(boxOf(icon, icons))), ...second.icons].map(
      (icon): PlacedIcon => ({ ...icon, x: icon.x - AROUND, y: icon.y - AROUND }),
    ),
  };
}

/** Splits labels into those that cross the edge, restricted to their first anchor, and those that must stay within. */
function split(
  candidates: readonly Candidate[],
  block: Box,
  extentOf: (candidate: Candidate) => Extent | undefined,
): { over: Candidate[]; within: Candidate[] } {
  const [over, within]: [Candidate[], Candidate[]] = [[], []];
  /** Boxes of earlier labels near the edge. */
  const before: Box[] = [];
  for (const candidate of candidates) {
    if (!candidate.point) {
      within.push(candidate);
      continue;
    }
    const extent = extentOf(candidate);
    if (!extent) continue;
    const isOver = extent.first.some((box) => crosses(box, block));
    if (isOver && !before.some((box) => extent.first.some((own) => meet(own, box)))) {
      over.push({ ...candidate, look: { ...candidate.look, anchors: candidate.look.anchors.slice(0, 1) } });
    } else if (contains(block, candidate.point)) within.push(candidate);
    before.push(extent.reach);
  }
  return { over, within };
}

const meet = (a: Box, b: Box) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** In part inside, in part not. */
const crosses = (box: Box, block: Box) =>
  meet(box, block) &&
  (box.left < block.left || box.top < block.top || box.right > block.right || box.bottom > block.bottom);

/** Half open, so that a point is in one block only. */
const contains = ({ left, top, right, bottom }: Box, [x, y]: readonly [number, number]) =>
  x >= left && y >= top && x < right && y < bottom;

function boxOf({ name, x, y, scale }: PlacedIcon, icons: Readonly<Record<string, Icon>>): Box {
  const [w, h] = [(icons[name].width / 2) * scale, (icons[name].height / 2) * scale];
  return { left: x - w, top: y - h, right: x + w, bottom: y + h };
}

function shifted(text: PlacedText): PlacedText {
  return {
    ...text,
    glyphs: text.glyphs.map((glyph) => ({ ...glyph, x: glyph.x - AROUND, y: glyph.y - AROUND })),
    boxes: text.boxes.map(({ left, top, right, bottom }) => ({
      left: left - AROUND,
      top: top - AROUND,
      right: right - AROUND,
      bottom: bottom - AROUND,
    })),
  };
}
