import { joinLetters, mirrorImage, visualOrder } from "./shape-text.ts";

/**
 * The interface that MapLibre requires of a plugin for right-to-left texts (`setRTLTextPlugin`): the same joining and
 * order of letters as on images. Left-to-right texts are returned unchanged.
 */
export const RTL_TEXT = {
  applyArabicShaping: joinLetters,

  /** @param breaks ends of lines, in code units @returns the lines in visual order */
  processBidirectionalText(text: string, breaks: readonly number[]): string[] {
    return linesOf(text, breaks).map(({ from, to }) => drawn(text, from, to).text);
  },

  /** @param styles a number for each code unit @returns the lines with the numbers of their units */
  processStyledBidirectionalText(
    text: string,
    styles: readonly number[],
    breaks: readonly number[],
  ): [text: string, styles: number[]][] {
    return linesOf(text, breaks).map(({ from, to }) => {
      const line = drawn(text, from, to);
      return [line.text, line.units.map((unit) => styles[unit])];
    });
  },
};

function linesOf(text: string, breaks: readonly number[]): { from: number; to: number }[] {
  const ends = [...breaks, text.length].filter((end, i, all) => end > (all[i - 1] ?? 0));
  return ends.map((to, i) => ({ from: ends[i - 1] ?? 0, to }));
}

/** A line in visual order, and the source code unit of each of its code units. */
function drawn(text: string, from: number, to: number): { text: string; units: number[] } {
  const characters = [...text.slice(from, to)];
  const starts: number[] = [];
  let unit = from;
  for (const character of characters) {
    starts.push(unit);
    unit += character.length;
  }
  const units: number[] = [];
  let line = "";
  for (const { at, mirrored } of visualOrder(characters, [...text])) {
    line += mirrored ? mirrorImage(characters[at]) : characters[at];
    for (let k = 0; k < characters[at].length; k++) units.push(starts[at] + k);
  }
  return { text: line, units };
}
