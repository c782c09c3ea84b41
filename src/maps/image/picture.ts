import { type Picture, PictureError } from "./examined-picture.ts";
import { examineRaster } from "./raster-picture.ts";
import { examineSvg } from "./svg/svg-picture.ts";

/** [bytes] */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** A picture twenty times as long as it is wide is an accident; one a billion times so is an attack. */
const MAX_RATIO = 20;

/** What a caller brings, looked at before anything is done with it: PNG, JPEG or SVG. @throws PictureError with a sentence for the caller */
export function examinePicture(bytes: Uint8Array): Picture {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureError(`A picture may have up to ${MAX_PICTURE_BYTES} bytes.`);
  const picture = examineRaster(bytes) ?? drawing(bytes);
  const { width, height } = picture;
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
    throw new PictureError(`A picture's longer side may be up to ${MAX_RATIO} times the shorter one.`);
  return picture;
}

function drawing(bytes: Uint8Array): Picture {
  const { width, height, inner } = examineSvg(bytes);
  return { kind: "svg", width, height, element: inner };
}
