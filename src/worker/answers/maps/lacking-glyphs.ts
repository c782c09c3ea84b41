import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import type { LeftOut } from "../../platform/reports.ts";

/** Value of the header `x-graticule-left-out` for an image with missing glyphs. */
const GLYPHS = "glyphs";
const HEADER = "x-graticule-left-out";

/** ETags of images with missing glyphs, so that cached images also report them. */
const lacking = new BoundedCache<true>(10_000);

export function noteLack(etag: string, lacks: boolean): void {
  if (lacks) lacking.put(etag, true, 1);
}

/** Reports missing glyphs in the response if the image has some. */
export function tellLack(etag: string, { leftOut }: { leftOut: LeftOut }): void {
  if (lacking.get(etag)) leftOut(GLYPHS);
}

/** For images in a data center's cache. */
export const lackHeader = (etag: string): Record<string, string> => (lacking.get(etag) ? { [HEADER]: GLYPHS } : {});

/** Records the state of a cached image. */
export const noteLackOf = (etag: string, kept: Response): void => noteLack(etag, kept.headers.get(HEADER) === GLYPHS);
