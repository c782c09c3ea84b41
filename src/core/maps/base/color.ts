import { BoundedMap } from "../../geo/bounded-map.ts";
import CSS_COLORS from "./css-colors.json" with { type: "json" };

/** A color: red, green, blue in 0..255, alpha in 0..1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

const parsed = new BoundedMap<string, Color | undefined>(2000);

/**
 * Custom code because the small libraries lack forms that styles use, and the others are larger
 * (docs/decisions/maps.md). "#abc", "#aabbcc", "rgb(…)", "rgba(…)", "hsl(…)", "hsla(…)" or a CSS name → Color;
 * undefined if it is not a color.
 */
export function parseColor(text: string): Color | undefined {
  if (parsed.has(text)) return parsed.get(text);
  const color = readColor(text.trim().toLowerCase());
  parsed.set(text, color);
  return color;
}

function readColor(text: string): Color | undefined {
  if (text === "transparent") return [0, 0, 0, 0];
  // The named colors of CSS Color Module Level 4, section 6.1.
  if (Object.hasOwn(CSS_COLORS, text)) return fromHex(CSS_COLORS[text as keyof typeof CSS_COLORS]);
  if (/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text)) return fromHex(text.slice(1));
  const call = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text);
  if (!call) return undefined;
  const parts = call[2].split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4) return undefined;
  const alpha = parts.length === 4 ? share(parts[3], 1) : 1;
  const color =
    call[1] === "rgb"
      ? parts.slice(0, 3).map((part) => share(part, 255))
      : fromHsl(Number(parts[0].replace(/deg$/, "")), share(parts[1], 1), share(parts[2], 1));
  if (![...color, alpha].every(Number.isFinite)) return undefined;
  const [red, green, blue] = color.map((value) => Math.max(0, Math.min(255, Math.round(value))));
  return [red, green, blue, Math.max(0, Math.min(1, alpha))];
}

function fromHex(digits: string): Color {
  const long = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red, green, blue, alpha] = [0, 2, 4, 6].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  return [red, green, blue, Number.isNaN(alpha) ? 1 : alpha / 255];
}

/** "50%" of a whole, or the number itself. */
function share(text: string, whole: number): number {
  return text.endsWith("%") ? (Number(text.slice(0, -1)) / 100) * whole : Number(text);
}

/** Hue in degrees, saturation and lightness in 0..1 → channels in 0..255 (CSS Color 4, section 7.1). */
function fromHsl(hue: number, saturation: number, lightness: number): number[] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

/** "#aabbcc" of a color, without its alpha: the form that every SVG reader supports. */
export function toHex([red, green, blue]: Color): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}
