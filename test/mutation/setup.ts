import { writeFileSync } from "node:fs";
import { afterAll, inject } from "vitest";
import { CONTROL_PATH } from "./control-path.ts";
import type { TestProcessSetup } from "./messages.ts";

declare module "vitest" {
  export interface ProvidedContext {
    mutation: TestProcessSetup;
    /** The Worker under test; none for pure tests. */
    baseUrl: string;
  }
}

declare global {
  /** Is this mutant switched on? Asked by switched sources. */
  var $mutant: (id: number) => boolean;
  /** Written by marked sources. */
  var $reached: Uint8Array;
}

/* Vitest runs this file before each test file: it switches one mutant on, or collects the marks. */

/** An endless loop that asks for its mutant ends here, within seconds; others are ended by their time limit. */
const MAX_HITS = 200_000_000;

const { mutant, marks } = inject("mutation");
let hits = 0;

globalThis.$mutant = (id) => {
  if (id !== mutant) return false;
  if (++hits > MAX_HITS) throw new Error(`Mutant ${id} was reached more than ${MAX_HITS} times: an endless loop.`);
  return true;
};

const worker: string | undefined = inject("baseUrl");
const inWorker = async () => (await fetch(`${worker}${CONTROL_PATH}?mutant=${mutant}`)).json();
if (worker) await inWorker();

if (marks) {
  const before = process.cpuUsage();
  globalThis.$reached = new Uint8Array(marks.count);
  afterAll(async () => {
    const { $reached } = globalThis;
    const reached = worker ? await inWorker() : [...$reached.keys()].filter((index) => $reached[index] === 1);
    const { user, system } = process.cpuUsage(before);
    writeFileSync(marks.path, JSON.stringify({ reached, cpuMs: Math.round((user + system) / 1000) }));
  });
}
