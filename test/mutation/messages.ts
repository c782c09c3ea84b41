import type { Mutant } from "./switched.ts";

/** How a host process is set up (host.ts). */
export interface HostSetup {
  root: string;
  /** Switched sources; without them sources are marked, to see which functions a test reaches. */
  mutants?: Mutant[];
  /** For tests of the Worker: the folder of its changed bundle (changed-worker.ts). */
  bundle?: string;
}

/** Asks a host to run test files, in this order, until one fails. */
export interface RunRequest {
  /** The mutant that is on; 0 for none. */
  mutant: number;
  tests: string[];
}

export interface RunResult {
  /** "test file > title: message" */
  failures: string[];
  /** Time of each test file [ms]. */
  times: Record<string, number>;
  /** Numbers of the functions that were reached, where sources are marked. */
  reached: number[];
  /** Time of the processor for all of them, where sources are marked [ms]. */
  cpuMs: number;
}

/** What a test process is told before its tests run. */
export interface TestProcessSetup {
  mutant: number;
  /** Where marks are written to; how many there may be. */
  marks?: { path: string; count: number };
}
