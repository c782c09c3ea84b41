/** How far a phase is. Calls are cheap: they may come once per element. */
export interface Progress {
  /** How many units are ahead, once known: "features", "cells", "bytes" … */
  expect(total: number, unit?: string): void;
  /** `count` more units are done. */
  advance(count?: number): void;
}

/** Shows nothing: for tests and small jobs. */
export const quiet: Progress = { expect() {}, advance() {} };
