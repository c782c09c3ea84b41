import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ImportCounts } from "./import-counts.ts";
import { REFERENCE_SECONDS } from "./reference-seconds.ts";

/** What makes an import long. */
export interface Amounts {
  /** Nodes, ways and relations of the extracts; 0 where there are none. */
  elements: number;
  /** Directed edges of their roads. */
  edges: number;
}

export const amountsOf = ({ nodes, ways, relations, edges }: ImportCounts): Amounts => ({
  elements: nodes + ways + relations,
  edges,
});

/** How long a phase or step took, and how much there was then. */
interface Taken extends Amounts {
  seconds: number;
}

/** Of the base of the world, which reads no extract [seconds]. */
const FIRST_GUESS_WORLD: Readonly<Record<string, number>> = { regions: 9, addresses: 6, basemap: 7 };

/** So many seconds of a phase's own measurement weigh as much as how fast the machine was in all phases. */
const SHRINKAGE_SECONDS = 1;

/**
 * Durations of phases and their steps on this machine. Those of another extract follow from them: the reference table says how a phase
 * grows with the elements (of roads: with the edges), and a measurement how much slower than the reference this machine is. A file of a few lines in the cache
 * folder; without it, or when it cannot be read, the reference applies.
 */
export class PhaseTimes {
  readonly #path: string;
  readonly #taken: Record<string, Taken>;
  readonly #amounts: Amounts;

  private constructor(path: string, amounts: Amounts, taken: Record<string, Taken>) {
    this.#path = path;
    this.#amounts = amounts;
    this.#taken = taken;
  }

  /** @param amounts of the extracts at hand */
  static async open(path: string, amounts: Amounts): Promise<PhaseTimes> {
    let taken: Record<string, Taken> = {};
    try {
      taken = JSON.parse(await readFile(path, "utf8"));
    } catch {
      // none yet, or not ours: forecasts are a convenience
    }
    // Earlier versions wrote no edges.
    const known = Object.entries(taken).filter(([, { seconds, elements, edges }]) =>
      [seconds, elements, edges].every(Number.isFinite),
    );
    return new PhaseTimes(path, amounts, Object.fromEntries(known));
  }

  /** Seconds that a phase with its steps, or a step, will likely take; undefined for one that was never measured. */
  forecast(phase: string): number | undefined {
    const [name, parts] = partsOf(phase);
    const leaves = this.leaves([name]);
    if (!leaves) return undefined;
    return Object.values(leaves).reduce((sum, seconds) => sum + seconds, 0) / parts;
  }

  /** Seconds by phase, or by the steps of those that have some, in their order; undefined where one was never measured. */
  leaves(phases: readonly string[]): Record<string, number> | undefined {
    const leaves: Record<string, number> = {};
    for (const phase of phases) {
      const steps = Object.keys(REFERENCE_SECONDS).filter((leaf) => leaf.startsWith(`${phase}: `));
      for (const leaf of this.#amounts.elements > 0 && steps.length > 0 ? steps : [phase]) {
        const seconds = this.#leaf(leaf);
        if (seconds === undefined) return undefined;
        leaves[leaf] = seconds;
      }
    }
    return leaves;
  }

  #leaf(leaf: string): number | undefined {
    const taken = this.#taken[this.#key(leafOf(leaf))];
    if (this.#amounts.elements === 0) return taken?.seconds ?? FIRST_GUESS_WORLD[leaf];
    const reference = referenceOf(leaf, this.#amounts);
    if (reference === undefined) return taken && (taken.seconds * this.#amounts.elements) / taken.elements;
    const machine = this.#slowness();
    if (!taken) return machine * reference;
    const then = referenceOf(leaf, taken)!;
    return (reference * (taken.seconds + SHRINKAGE_SECONDS * machine)) / (then + SHRINKAGE_SECONDS);
  }

  /** How many times the reference this machine took, over all that was measured. */
  #slowness(): number {
    let [seconds, reference] = [0, 0];
    for (const [leaf, taken] of Object.entries(this.#taken)) {
      const then = referenceOf(leaf, taken);
      if (then === undefined || !(taken.elements > 0)) continue;
      seconds += taken.seconds;
      reference += then;
    }
    return reference > 0 ? seconds / reference : 1;
  }

  /** What a phase, or a part of it, took. The last measurement counts. */
  async record(phase: string, seconds: number): Promise<void> {
    const [, parts] = partsOf(phase);
    // The second and later pieces of a step ("pack 2") belong to the first.
    const piece = / ([2-9]|\d\d+)$/.test(phase) && parts === 1;
    const key = this.#key(leafOf(phase));
    const before = piece ? (this.#taken[key]?.seconds ?? 0) : 0;
    this.#taken[key] = { seconds: before + seconds * parts, ...this.#amounts };
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, JSON.stringify(this.#taken));
    } catch {
      // a full disk shows when the import writes what it must
    }
  }

  /** The base of the world reads no extract, and its layers of the same names take their own time. */
  #key(phase: string): string {
    return this.#amounts.elements > 0 ? phase : `${phase} of the world`;
  }
}

function referenceOf(leaf: string, { elements, edges }: Amounts): number | undefined {
  const line = REFERENCE_SECONDS[leaf];
  return line && line[0] + (line[1] * (leaf.startsWith("roads: ") ? edges : elements)) / 1e6;
}

/** "nodes: 2 of 5" → the phase, and how many such parts it has. */
export function partsOf(phase: string): [name: string, parts: number] {
  const [, name, parts] = /^(.*?):? \d+ of (\d+)$/.exec(phase) ?? [];
  return name === undefined ? [phase, 1] : [name, Number(parts)];
}

/** A phase or step without the number of its part: "nodes: 2 of 5" → "nodes", "addresses: pack 2" → "addresses: pack". */
export const leafOf = (phase: string): string => phase.replace(/:? \d+( of \d+)?$/, "");
