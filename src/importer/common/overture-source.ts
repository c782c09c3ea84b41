import type { Bounds } from "../../core/geo/builds/manifest.ts";

/** Kinds of features of Overture Maps that are imported. */
export const OVERTURE_KINDS = ["addresses", "places", "divisions"] as const;
export type OvertureKind = (typeof OVERTURE_KINDS)[number];

/** The area of a release that is imported. */
export interface Area {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  bounds?: Bounds;
}

/** What is imported of a release. */
export interface OvertureSource extends Area {
  /** Paths and URLs. */
  words: readonly string[];
  /** The kind that all of them must have. */
  kind?: OvertureKind;
  /** That a place exists, at least: 0 to 1. */
  confidence?: number;
}
