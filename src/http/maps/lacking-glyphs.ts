import { BoundedCache } from "../../geo/bounded-cache.ts";
import type { Call } from "../serve/endpoint.ts";

/** What the header `x-graticule-left-out` says of a picture on which some names have no glyphs. */
const GLYPHS = "glyphs";
const HEADER = "x-graticule-left-out";

/** Tags of pictures that lack glyphs: those that are kept say so, too. */
const lacking = new BoundedCache<true>(10_000);

export function noteLack(etag: string, lacks: boolean): void {
  if (lacks) lacking.put(etag, true, 1);
}

/** Says so in the answer, where the picture is known to lack some. */
export function tellLack(etag: string, { leftOut }: Pick<Call, "leftOut">): void {
  if (lacking.get(etag)) leftOut(GLYPHS);
}

/** For what a data centre keeps. */
export const lackHeader = (etag: string): Record<string, string> => (lacking.get(etag) ? { [HEADER]: GLYPHS } : {});

/** Takes note of what a data centre kept. */
export const noteLackOf = (etag: string, kept: Response): void => noteLack(etag, kept.headers.get(HEADER) === GLYPHS);
