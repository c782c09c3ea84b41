import type { Draft, Spot } from "./draft.ts";

/** What the parts of the form share. */
export interface PartProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** What a click on the map fills; undefined while the picture is shown. */
  spot: Spot | undefined;
  onSpot: (spot: Spot | undefined) => void;
  /** What the server said of a parameter. */
  problemOf: (param: string) => string | undefined;
}
