import { describe, expect, it } from "vitest";
import type { Chain } from "../../../../src/core/maps/labels/chains.ts";
import { glyphsOf, isColumn, layAlong, PER_LETTER } from "../../../../src/core/maps/labels/lay-along.ts";

/** A straight line of 200 pixels. */
function line(degrees: number): Chain {
  const [x, y] = [Math.cos((degrees * Math.PI) / 180) * 200, Math.sin((degrees * Math.PI) / 180) * 200];
  return { points: [0, 0, x, y], way: [0, 200], length: 200 };
}

/** Letters of a text along a line: where they are, and how they are turned [degrees]. */
function laid(text: string, degrees: number) {
  const codes = Array.from(text, (letter) => letter.codePointAt(0) as number);
  const letters = { codes, advances: codes.map(() => 10), size: 10, column: isColumn(text) };
  const run = new Float64Array(PER_LETTER * codes.length);
  expect(layAlong(run, letters, line(degrees), 20, 10 * codes.length)).toBe(0);
  return glyphsOf(run, letters, 0).map(({ cos, sin }, i) => ({
    ...{ x: run[PER_LETTER * i], y: run[PER_LETTER * i + 1] },
    turn: Math.round((Math.atan2(sin, cos) * 180) / Math.PI),
  }));
}

describe("a name along a line", () => {
  it.each([70, 110, -80, -100, 90])(
    "in Japanese is a column from top to bottom where the line is steep: %i°",
    (degrees) => {
      const letters = laid("柳橋通り", degrees);
      expect(letters.map(({ turn }) => turn)).toEqual([0, 0, 0, 0]);
      for (let i = 1; i < 4; i++) expect(letters[i].y).toBeGreaterThan(letters[i - 1].y + 9);
    },
  );

  it("turns long vowels in a column", () => {
    expect(laid("ハーバー", 90).map(({ turn }) => turn)).toEqual([0, 90, 0, 90]);
  });

  it("follows the line where it is flat, and in other scripts everywhere", () => {
    expect(laid("柳橋通り", 30).map(({ turn }) => turn)).toEqual([30, 30, 30, 30]);
    expect(laid("Rua", 80).map(({ turn }) => turn)).toEqual([80, 80, 80]);
    expect(laid("शाखा", 80)[0].turn).toBe(80);
    expect(["柳橋", "서울로", "ハーバー", "国道16号", "Main", ""].map(isColumn)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
