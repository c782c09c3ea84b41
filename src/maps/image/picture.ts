/** Pictures that callers bring: PNG or SVG, looked at before anything is done with them. */
export class PictureError extends Error {}

export type PictureKind = "png" | "svg";

/** [bytes] */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** A PNG's side; decoded it takes four bytes a pixel, however small the file is [pixels]. */
export const MAX_PNG_SIDE = 1024;
/** Elements that repeat others, or draw them aside: ten levels of two are a thousand copies, thirty a billion. */
const MAX_USES = 20;

const PNG_SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/**
 * What a picture is. SVG may not reach out: no document type or entities, no scripts, no references but to itself.
 * @throws PictureError with a sentence for the caller
 */
export function examinePicture(bytes: Uint8Array): PictureKind {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureError(`A picture may have up to ${MAX_PICTURE_BYTES} bytes.`);
  if (PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)) {
    examinePng(bytes);
    return "png";
  }
  examineSvg(bytes);
  return "svg";
}

function examinePng(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 57 || String.fromCharCode(...bytes.subarray(12, 16)) !== "IHDR")
    throw new PictureError("The PNG is cut off.");
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width < 1 || height < 1 || width > MAX_PNG_SIDE || height > MAX_PNG_SIDE)
    throw new PictureError(`A PNG may have up to ${MAX_PNG_SIDE} × ${MAX_PNG_SIDE} pixels.`);
}

/** Width and height of a PNG [pixels]. */
export function pngSize(bytes: Uint8Array): [width: number, height: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [view.getUint32(16), view.getUint32(20)];
}

function examineSvg(bytes: Uint8Array): void {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new PictureError("Expected a PNG or an SVG in UTF-8.");
  }
  // Before the root: a byte order mark, an XML declaration, comments.
  const start = text.replace(/^\ufeff?\s*(<\?xml[^>]*\?>)?\s*(<!--(?:(?!-->)[\s\S])*-->\s*)*/, "");
  if (!/^<svg[\s>]/.test(start)) throw new PictureError("Expected a PNG or an SVG.");
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new PictureError("An SVG may have no DOCTYPE and no entities.");
  if (
    /<\s*(script|foreignObject|iframe|embed|object|audio|video|style|animate|set|filter|marker)\b/i.test(
      text.replace(/<[a-z]+:/gi, "<"),
    )
  )
    throw new PictureError(
      "An SVG may have no scripts, style sheets, animations, filters, markers or foreign objects.",
    );
  for (const [, , value] of text.matchAll(/\b(?:[a-z]+:)?(href|src)\s*=\s*["']?\s*([^"'\s>]*)/gi))
    if (!value.startsWith("#")) throw new PictureError("An SVG may refer to nothing outside itself.");
  for (const [, value] of text.matchAll(/url\(\s*["']?\s*([^"')]*)/gi))
    if (!value.startsWith("#")) throw new PictureError("An SVG may refer to nothing outside itself.");
  if (/@import|<\?xml-stylesheet/i.test(text)) throw new PictureError("An SVG may have no style sheets.");
  if ((text.match(/<(?:[a-z]+:)?(use|pattern|mask|clipPath)\b/gi)?.length ?? 0) > MAX_USES)
    throw new PictureError(`An SVG may have up to ${MAX_USES} uses, patterns, masks and clips.`);
}
