import { describe, expect, it } from "vitest";
import { type Color, parseColor } from "../../../src/core/maps/base/color.ts";
import { PALETTES, type Palette, STYLE_NAMES } from "../../../src/core/maps/style/palettes.ts";

/** WCAG 2.2: relative luminance, and the contrast of two colours. */
function luminance(text: string): number {
  const [red, green, blue] = (parseColor(text) as Color).slice(0, 3).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** How far apart two colours look: 76's ΔE in CIE L*a*b*, of which 1 can just be seen side by side. */
function deltaE(one: string, other: string): number {
  const lab = (text: string) => {
    const [r, g, b] = (parseColor(text) as Color).slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const [x, y, z] = [
      f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
      f(0.2126 * r + 0.7152 * g + 0.0722 * b),
      f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089),
    ];
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(...a.map((value, i) => value - b[i]));
}

/** A colour over another, so much of it seen. */
function mixed(over: string, under: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [over, under].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(a * share + b * (1 - share))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** Each text and what lies behind it: its halo, and the ground around that. */
const BEHIND: [text: keyof Palette, grounds: (keyof Palette)[]][] = [
  ["place", ["land", "halo", "urban", "park"]],
  ["quarter", ["land", "halo", "urban"]],
  ["state", ["land", "halo"]],
  ["road", ["land", "halo", "urban"]],
  ["waterText", ["water"]],
  ["parkText", ["park", "halo"]],
  ["shieldText", ["shield"]],
  ["motorwayShieldText", ["motorwayShield"]],
  ["motorwayShieldText", ["interstate", "europeanShield"]],
];

/** What lies beside each other and has to be told apart, and how far at least. */
const BESIDE: [one: keyof Palette, other: keyof Palette, least: number][] = [
  ["land", "water", 6],
  ["land", "park", 4],
  ["urban", "park", 3],
  ["land", "wood", 4],
  ["land", "building", 4],
  ["building", "buildingEdge", 3],
  ["urban", "building", 3],
  ["minorCase", "minor", 3],
  ["major", "minor", 1.5],
  ["land", "major", 3],
  ["highway", "major", 3],
  ["water", "ferry", 8],
  ["land", "country", 20],
];

describe.each(STYLE_NAMES)("the style %s", (name) => {
  const palette: Palette = PALETTES[name];

  it("has texts that can be read: 4.5 to 1 on their halos and on the ground", () => {
    const weak = BEHIND.flatMap(([text, grounds]) =>
      grounds.map((ground) => [text, ground, contrast(palette[text] as string, palette[ground] as string)] as const),
    ).concat(
      Object.entries(palette.poi).flatMap(([group, color]) =>
        (["land", "halo"] as const).map(
          (ground) => [group as keyof Palette, ground, contrast(color, palette[ground])] as const,
        ),
      ),
    );
    expect(weak.filter(([, , ratio]) => ratio < 4.5)).toEqual([]);
  });

  it("has names of places and states that can be read on land cover, of which seven tenths are seen", () => {
    const cover = (name: keyof Palette) => mixed(palette[name] as string, palette.land, 0.7);
    const grounds = (["park", "wood", "sand", "glacier"] as const).map(cover);
    const least = (["place", "state"] as const).map((text) =>
      Math.min(...grounds.map((ground) => contrast(palette[text], ground))),
    );
    expect(Math.min(...least)).toBeGreaterThanOrEqual(4.5);
  });

  it("tells its layers apart", () => {
    // The light style's roads are all white: there it is their width that tells.
    const beside = BESIDE.filter(
      ([one, other]) => name !== "radar-light-v1" || (!["major", "highway"].includes(one) && other !== "major"),
    );
    const same = beside.map(
      ([one, other, least]) => [one, other, least, deltaE(palette[one] as string, palette[other] as string)] as const,
    );
    expect(same.filter(([, , least, apart]) => apart < least)).toEqual([]);
  });
});
