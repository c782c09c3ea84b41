import { ImageError } from "../../base/examined-image.ts";
import { cleanSvg } from "./clean-svg.ts";
import { readSvg, type SvgElement } from "./read-svg.ts";
import { checkBudget } from "./svg-budget.ts";
import { numbersOf } from "./svg-numbers.ts";

/** An uploaded SVG after validation: `inner` draws the allowed content in a generated document. */
interface SvgImage {
  /** [pixels] */
  width: number;
  height: number;
  /** An <svg> element of that size, rebuilt from the allowed content. */
  inner: string;
}

/** Maximum side length of an image [pixels]. */
const MAX_SIDE = 10_000;
/** CSS pixels of a unit (CSS Values 4, section 6.2); em and ex of a font of 16 pixels. */
const UNITS: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96, em: 16, ex: 8 };

/** The only way in for SVG. @throws ImageError with a sentence for the caller */
export function examineSvg(bytes: Uint8Array): SvgImage {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new ImageError("Expected a PNG, a JPEG, a WebP or an SVG in UTF-8.");
  }
  if (!/^\s*</.test(text)) throw new ImageError("Expected a PNG, a JPEG, a WebP or an SVG.");
  const root = cleanSvg(readSvg(text));
  const { width, height } = sizeOf(root);
  for (const name of ["x", "y", "transform"]) root.attributes.delete(name);
  root.attributes.set("width", String(width)).set("height", String(height));
  checkBudget(root);
  return { width, height, inner: written(root) };
}

function sizeOf({ attributes }: SvgElement): { width: number; height: number } {
  const box = numbersOf(attributes.get("viewBox") ?? "");
  const [boxWidth, boxHeight] = box.length === 4 ? box.slice(2) : [100, 100];
  const width = side(attributes.get("width"), boxWidth);
  const height = side(attributes.get("height"), boxHeight);
  if (!(width > 0 && height > 0 && boxWidth > 0 && boxHeight > 0))
    throw new ImageError("The image cannot be drawn: it has no size.");
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new ImageError(`An SVG may be up to ${MAX_SIDE} × ${MAX_SIDE} pixels large.`);
  return { width, height };
}

function side(value: string | undefined, whole: number): number {
  if (value === undefined) return whole;
  const number = Number.parseFloat(value);
  const unit = /[a-z%]*$/i.exec(value.trim())?.[0].toLowerCase() ?? "";
  return unit === "%" ? (number / 100) * whole : number * (UNITS[unit] ?? 1);
}

const escaped = (value: string) => value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function written({ name, attributes, children }: SvgElement): string {
  const own = [...attributes].map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join("");
  return children.length === 0 ? `<${name}${own}/>` : `<${name}${own}>${children.map(written).join("")}</${name}>`;
}
