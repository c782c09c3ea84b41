import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(resolve(import.meta.dirname, "../../src/dashboard/theme.css"), "utf8");

/** The colours of both themes: `--muted: light-dark(#576071, #a2abbb)`, or one for both. */
const colours = new Map<string, { light: string; dark: string }>();
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g))
  colours.set(name, { light, dark });
for (const [, name, both] of css.matchAll(/--([\w-]+): (#\w{6});/g)) colours.set(name, { light: both, dark: both });

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ["bg", "surface", "raised", "hover", "selected"];
const PAIRS: [text: string, ground: string][] = [
  ...["text", "muted", "accent"].flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ...["good", "warn", "bad"].flatMap((text) =>
    ["bg", "surface", "raised", `${text}-soft`].map((ground): [string, string] => [text, ground]),
  ),
  ["on-accent", "accent-fill"],
  ["on-accent", "bad-fill"],
];

describe("the dashboard's colours", () => {
  it.each(["light", "dark"] as const)("can be read on every ground, in %s", (theme) => {
    const faint = PAIRS.flatMap(([text, ground]) => {
      const ratio = contrast(colours.get(text)![theme], colours.get(ground)![theme]);
      return ratio < 4.5 ? [`${text} on ${ground}: ${ratio.toFixed(2)}`] : [];
    });
    expect(faint).toEqual([]);
  });

  it("draws lines of charts that stand out from the card", () => {
    for (const theme of ["light", "dark"] as const)
      for (let i = 1; i <= 6; i++)
        expect(contrast(colours.get(`series-${i}`)![theme], colours.get("surface")![theme])).toBeGreaterThan(3);
  });
});
