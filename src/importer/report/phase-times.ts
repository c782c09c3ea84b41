import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** How long a phase took, and how much had been read then: the more elements, the longer. */
interface Taken {
  seconds: number;
  elements: number;
}

/**
 * Where a phase never ran on this machine: seconds per million elements, of Malta (390,000 elements) on two cores,
 * roughly; and seconds of the base of the world.
 */
const FIRST_GUESS: Readonly<Record<string, number>> = {
  relations: 0.4,
  ways: 0.5,
  nodes: 0.5,
  lines: 0.5,
  outlines: 0.1,
  regions: 10,
  places: 4,
  addresses: 20,
  roads: 50,
  basemap: 12,
};
const FIRST_GUESS_WORLD: Readonly<Record<string, number>> = { regions: 9, addresses: 6, basemap: 7 };

/**
 * Durations of phases on this machine, so that phases that do not know how much work is left (a layer knows only when
 * it is done) can show per cent too. A file of a few lines in the cache folder; without it, or when it cannot be read,
 * a first guess is used.
 */
export class PhaseTimes {
  readonly #path: string;
  readonly #taken: Record<string, Taken>;
  readonly #elements: number;

  private constructor(path: string, elements: number, taken: Record<string, Taken>) {
    this.#path = path;
    this.#elements = elements;
    this.#taken = taken;
  }

  /** @param elements of the extracts at hand; 0 where there are none */
  static async open(path: string, elements: number): Promise<PhaseTimes> {
    let taken: Record<string, Taken> = {};
    try {
      taken = JSON.parse(await readFile(path, "utf8"));
    } catch {
      // none yet, or not ours: forecasts are a convenience
    }
    return new PhaseTimes(path, elements, taken);
  }

  /** Seconds that a phase will likely take; undefined for one that was never measured. */
  forecast(phase: string): number | undefined {
    const [name, parts] = partsOf(phase);
    const whole = this.#whole(name);
    return whole === undefined ? undefined : whole / parts;
  }

  #whole(phase: string): number | undefined {
    const taken = this.#taken[this.#key(phase)];
    if (this.#elements === 0) return taken?.seconds ?? FIRST_GUESS_WORLD[phase];
    const perMillion = taken ? (taken.seconds * 1e6) / taken.elements : FIRST_GUESS[phase];
    return perMillion === undefined ? undefined : (perMillion * this.#elements) / 1e6;
  }

  /** Seconds that these phases will likely take in all; undefined where one of them was never measured. */
  total(phases: readonly string[]): number | undefined {
    const parts = phases.map((phase) => this.forecast(phase));
    return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
  }

  async record(phase: string, seconds: number): Promise<void> {
    const [name, parts] = partsOf(phase);
    this.#taken[this.#key(name)] = { seconds: seconds * parts, elements: this.#elements };
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, JSON.stringify(this.#taken));
    } catch {
      // a full disk shows when the import writes what it must
    }
  }

  /** The base of the world reads no extract, and its layers of the same names take their own time. */
  #key(phase: string): string {
    return this.#elements > 0 ? phase : `${phase} of the world`;
  }
}

/** "nodes: 2 of 5" → the phase, and how many such parts it has. */
export function partsOf(phase: string): [name: string, parts: number] {
  const [, name, parts] = /^(.*?):? \d+ of (\d+)$/.exec(phase) ?? [];
  return name === undefined ? [phase, 1] : [name, Number(parts)];
}
