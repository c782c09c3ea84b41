import type { Draft, Spot } from "./draft.ts";

/** The value of a part of the draft, and its change: the properties of a field. */
export const fieldOf =
  <T extends object>(values: T, put: (changed: Partial<T>) => void) =>
  <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]) => put({ [name]: value } as unknown as Partial<T>),
  });

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
