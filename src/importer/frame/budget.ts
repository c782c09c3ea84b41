import { availableParallelism, totalmem } from "node:os";
import { ImportError } from "../common/import-error.ts";

/** Below this the program itself would leave a layer nothing to work with [bytes]. */
export const MIN_BUDGET_BYTES = 512e6;
/** Maximum without --memory [bytes]. */
const MAX_DEFAULT_BYTES = 8e9;

/** Node, this program, and SQLite, resident before any work [bytes]. */
const PROGRAM = 110e6;
/** A thread before any work: its isolate, its copy of the program, its stacks [bytes]. */
const THREAD = 40e6;

/** How the memory of the process is divided. Bytes, but for `threads`. */
export interface Budget {
  /** Upper limit of the resident memory of the process. */
  memory: number;
  /** That work while the main one waits; 0: it works itself. */
  threads: number;
  /** The limit of V8's heap, for the main thread and for each other. */
  heap: number;
  /** Bytes that a layer may hold: columns and buffers, its threads included. */
  layerMemory: number;
}

/** Half of the machine's memory, and never more than 8 GB: the machine has other work too. */
export const defaultMemory = (machine = totalmem()): number =>
  Math.max(MIN_BUDGET_BYTES, Math.min(machine / 2, MAX_DEFAULT_BYTES));

/**
 *     program │ threads × 40 MB │ objects in V8's heap: 15 % │ layerMemory
 *
 * V8 may go beyond its share while a layer does not use all of its memory, and stops at two fifths of all: a layer that holds
 * an object per element ends there with a sentence, and not by taking the machine. At most a quarter goes to threads.
 */
export function divide(memory = defaultMemory(), threads = availableParallelism()): Budget {
  const some = Math.max(1, Math.min(threads, Math.floor((memory - PROGRAM) / 4 / THREAD)));
  const objects = Math.min(Math.max(0.15 * memory, 75e6), 1e9);
  return {
    memory,
    threads: some > 1 ? some : 0,
    heap: Math.min(Math.max(0.4 * memory, 256e6), 4e9),
    layerMemory: memory - PROGRAM - (some > 1 ? some * THREAD : 0) - objects,
  };
}

/** The smallest budget that gives a layer so many bytes, rounded up to 100 MB. */
export function budgetFor(layerMemory: number, threads = availableParallelism()): number {
  let memory = MIN_BUDGET_BYTES;
  while (divide(memory, threads).layerMemory < layerMemory) memory = Math.ceil((memory + 1) / 1e8) * 1e8;
  return memory;
}

const UNITS: Record<string, number> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
};

/** "3GB", "1.5 GiB" → bytes. @throws ImportError naming the rule */
export function parseMemory(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([KMG]i?B)$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit?.toUpperCase()] ?? Number.NaN));
  if (!Number.isFinite(bytes)) {
    throw new ImportError(`--memory is a number with KB, MB, GB or GiB, such as 3GB, not "${text}".`);
  }
  if (bytes < MIN_BUDGET_BYTES) {
    throw new ImportError(`--memory is at least 512 MB, not ${text}: the program itself takes some 200 MB of it.`);
  }
  return bytes;
}

/** What Node is started with so that its heap fits the budget. */
export function nodeFlags({ heap, memory }: Budget): string[] {
  // V8 keeps three of these for new objects, in each thread; 64 MB are its own choice.
  const half = Math.min(64, Math.max(8, 2 ** Math.round(Math.log2(memory / 64e6))));
  return [`--max-old-space-size=${Math.floor(heap / 2 ** 20)}`, `--max-semi-space-size=${half}`];
}

/** From this on memory is plenty besides what an allocator keeps [bytes]. */
const PLENTY = 6e9;

/**
 * glibc keeps an arena of memory for each thread, and what was freed for the next time: a fifth of what an import holds, as its columns come
 * and go. So few arenas, and large pieces are returned immediately, which costs page faults. Other C libraries pass over these.
 */
export function nodeEnvironment({ memory }: Budget): Record<string, string> {
  if (memory >= PLENTY) return {};
  return { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144", MALLOC_TRIM_THRESHOLD_: "1048576" };
}
