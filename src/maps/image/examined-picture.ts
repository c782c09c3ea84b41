/** A picture that a caller brought, after it was looked at. */
export interface Picture {
  kind: "png" | "jpeg" | "webp" | "svg";
  /** [pixels] */
  width: number;
  height: number;
  /** As an element of an SVG of ours, at the origin, width × height large. */
  element: string;
}

/** Why a caller's picture is not taken, as a sentence for the caller. */
export class PictureError extends Error {}
