import { toHex } from "./base/color.ts";
import { withoutForm } from "./text/font-set.ts";
import type { PlacedText } from "./text/label.ts";
import { unitOf } from "./text/units.ts";

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * A label as SVG text. Every letter has its own position and rotation, so that the layout is preserved, whatever font
 * the viewer has instead of Noto Sans.
 */
export function textSvg({ font, size, color, haloColor, haloWidth, glyphs }: PlacedText): string {
  const shown = glyphs.filter(({ code }) => code > 0x20);
  if (shown.length === 0) return "";
  const list = (value: (glyph: PlacedText["glyphs"][number]) => number) =>
    shown.map((glyph) => round(value(glyph))).join(" ");
  const straight = shown.every(({ sin }) => sin === 0);
  const turns = straight ? "" : ` rotate="${list(({ cos, sin }) => (Math.atan2(sin, cos) * 180) / Math.PI)}"`;
  const level = shown.every(({ y }) => y === shown[0].y);
  const ys = level ? round(shown[0].y) : list(({ y }) => y);
  const family = withoutForm(font).replace(/ (Regular|Medium|Italic)$/, "");
  const look =
    `font-family="${escapeXml(family)}, sans-serif" font-size="${round(size)}"` +
    (withoutForm(font).endsWith("Medium") ? ' font-weight="500"' : "") +
    (withoutForm(font).endsWith("Italic") ? ' font-style="italic"' : "");
  const halo =
    haloColor && haloWidth > 0
      ? ` stroke="${toHex(haloColor)}" stroke-width="${round(2 * haloWidth)}" stroke-linejoin="round" paint-order="stroke"`
      : "";
  const units = shown.map(({ code }) => unitOf(code));
  const style = `${look} fill="${toHex(color)}"${halo}`;
  if (units.some((unit) => unit.length > 1)) {
    // Positions in lists are per letter: a syllable of several letters is positioned separately.
    const spans = shown.map(({ x, y }, i) => `<tspan x="${round(x)}" y="${round(y)}">${escapeXml(units[i])}</tspan>`);
    return `<text${turns} ${style}>${spans.join("")}</text>`;
  }
  const text = units.join("");
  return `<text x="${list(({ x }) => x)}" y="${ys}"${turns} ${style}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
