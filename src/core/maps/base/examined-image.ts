/** A caller's image after validation. */
export interface ExaminedImage {
  kind: "png" | "jpeg" | "webp" | "svg";
  /** [pixels] */
  width: number;
  height: number;
  /** As an element of a generated SVG, at the origin, width × height large. */
  element: string;
}

/** Reason for rejecting a caller's image, as a message for the caller. */
export class ImageError extends Error {}
