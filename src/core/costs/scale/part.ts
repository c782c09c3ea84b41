import type { Usage } from "../prices.ts";
import { PLATFORM_LIMITS } from "./platform-limits.ts";

/** Where the repository's own limits are. */
export const OWN_LIMITS = "src/core/limits/capacity.ts";

/** How much of a limit one object, database, key or run uses. */
export interface Check {
  /** Of what. */
  what: string;
  used: number;
  limit: number;
  /** A page of the platform, or OWN_LIMITS. */
  source: string;
}

/** A part of the platform under a project's load. */
export interface Part {
  name: string;
  /** Calls per second of all its objects together, in the busiest second. */
  calls: number;
  /** Objects, databases or keys among which they are. */
  objects: number;
  bytes: number;
  /** In a month. */
  usage: Partial<Usage>;
  checks: Check[];
}

/** A check against a documented limit. */
export function against(limit: keyof typeof PLATFORM_LIMITS, used: number, of: string): Check {
  const { what, value, page } = PLATFORM_LIMITS[limit];
  return { what: `${what}: ${of}`, used, limit: value, source: page };
}

/** A check against a limit of core/limits. */
export function againstOwn(what: string, used: number, limit: number): Check {
  return { what, used, limit, source: OWN_LIMITS };
}
