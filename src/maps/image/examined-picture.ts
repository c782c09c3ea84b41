/** A caller's picture after it was examined. */
export interface Picture {
  kind: "png" | "jpeg" | "webp" | "svg";
  /** [pixels] */
  width: number;
  height: number;
  /** As an element of an SVG of ours, at the origin, width × height large. */
  element: string;
}

/** Why a caller's picture is refused, as a sentence for the caller. */
export class PictureError extends Error {}
