import type { Pace } from "../../core/geo/pace.ts";
import type { Env } from "./env.ts";
import type { Credit, LeftOut } from "./reports.ts";

/** Runs work after the response. */
export interface Execution {
  waitUntil(promise: Promise<unknown>): void;
}

/** The part of a request, or of a job's step, that rules over geodata need. Every `Call` of an endpoint is one. */
export interface Asker extends Execution {
  env: Env;
  /** When the request arrived [ms]. */
  now: number;
  /** Counts the work of this request, or step. */
  readonly pace: Pace;
  /** Reports missing data of the response ("roads"); absent in background jobs. */
  leftOut?: LeftOut;
  /** Adds sources of the response; absent in background jobs. */
  credit?: Credit;
}
