import type { Draft, Spot } from "./draft.ts";

/** Props that the parts of the form share. */
export interface PartProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Field that a click on the map fills; undefined while the image is shown. */
  spot: Spot | undefined;
  onSpot: (spot: Spot | undefined) => void;
  /** The server's error for a parameter. */
  problemOf: (param: string) => string | undefined;
}
