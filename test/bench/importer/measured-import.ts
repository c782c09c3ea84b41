import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Sent } from "../../../src/importer/publish/shared-objects.ts";
import { splitPhase } from "../../../src/importer/report/reporter.ts";
import type { ImportEvent } from "../../../src/importer/run/json-reporter.ts";
import { cpuSeconds } from "../support/process-cpu.ts";

/** What one phase took: of the whole process, with all its threads. */
export interface PhaseFigures {
  phase: string;
  seconds: number;
  cpuSeconds: number;
  /** The most that was resident while it ran [bytes]. */
  peak: number;
}

export interface ImportFigures {
  /** Of the build: the same input gives the same, whatever the budget. */
  build: string;
  seconds: number;
  cpuSeconds: number;
  /** Bytes. */
  peak: number;
  workFolder: number;
  published: number;
  phases: PhaseFigures[];
  /** Of each step of a phase, its CPU: "addresses: collect". */
  steps: { step: string; cpuSeconds: number }[];
  /** Objects that went to the bucket, and objects taken from builds that are there [objects, bytes]. */
  sent?: Sent;
}

export interface ImportCase {
  extract: string;
  /** As `--memory` reads it. */
  memory: string;
  threads: number;
  layers?: string;
}

/**
 * One thread has one core: elsewhere V8 collects garbage, and libuv writes, on the other one, so that an import without threads
 * keeps some 1.2 cores busy. Where util-linux is.
 */
const ONE_CORE = existsSync("/usr/bin/taskset") ? ["/usr/bin/taskset", "--cpu-list", "0"] : [];

const command = resolve(import.meta.dirname, "../../../src/server/import.ts");

/**
 * Runs `npm run import` as an operator would, into a bucket below `folder`, and follows it by its events: at the end of each phase the
 * kernel tells what the process has used (Linux: VmHWM of /proc/PID/status, which clear_refs sets back). The folder is
 * removed before and after.
 */
export async function measuredImport(
  { extract, memory, threads, layers }: ImportCase,
  folder: string,
): Promise<ImportFigures> {
  rmSync(folder, { recursive: true, force: true });
  const words = [
    ...[extract, "--name", "bench", "--json", "--force", "--memory", memory, "--threads", `${threads}`],
    ...["--cache", join(folder, "cache"), "--persist-to", join(folder, "state")],
    ...(layers === undefined ? [] : ["--layers", layers]),
  ];
  try {
    return await followedImport(words, threads);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `npm run import` with these words, `--json` among them, and follows it. */
export async function followedImport(words: readonly string[], threads: number): Promise<ImportFigures> {
  const line = [...(threads === 1 ? ONE_CORE : []), process.execPath, command, ...words];
  const parent = spawn(line[0], line.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => parent.once("close", resolve));
  let errors = "";
  parent.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const follower = new Follower(parent.pid ?? 0);
  try {
    for await (const line of createInterface({ input: parent.stdout })) follower.see(JSON.parse(line) as ImportEvent);
    const code = await ended;
    const figures = follower.figures;
    if (code !== 0 || !figures) throw new Error(`import ${words.join(" ")} failed: ${follower.failure ?? errors}`);
    return figures;
  } finally {
    parent.kill();
  }
}

class Follower {
  figures: ImportFigures | undefined;
  failure: string | undefined;
  readonly #parent: number;
  readonly #phases: PhaseFigures[] = [];
  readonly #start = performance.now();
  readonly #steps: ImportFigures["steps"] = [];
  #stepBegan = 0;
  #began = { at: this.#start, cpu: 0 };
  #peak = 0;
  #open: string | undefined;

  constructor(parent: number) {
    this.#parent = parent;
  }

  see(event: ImportEvent): void {
    if (event.event === "error") this.failure = event.message;
    if (event.event === "done") {
      const { pid } = this.#process();
      this.figures = {
        build: event.build,
        seconds: (performance.now() - this.#start) / 1000,
        cpuSeconds: cpuSeconds(pid),
        peak: Math.max(this.#peak, residentPeak(pid)),
        workFolder: event.workFolder,
        published: bytesOf(event.manifest),
        phases: this.#phases,
        steps: this.#steps,
        ...(event.sent && { sent: event.sent }),
      };
    }
    if (!("phase" in event)) return;
    const [name, step] = splitPhase(event.phase);
    // Steps belong to the phase around them; the ranges of nodes ("nodes: 2 of 5") have none.
    if (step !== undefined && name === this.#open) {
      this.#seeStep(event);
      return;
    }
    if (event.event === "begin") {
      this.#open = step === undefined ? name : undefined;
      const { pid } = this.#process();
      this.#peak = Math.max(this.#peak, residentPeak(pid));
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
      this.#began = { at: performance.now(), cpu: cpuSeconds(pid) };
    }
    if (event.event === "end" && !event.resumed) {
      const { pid } = this.#process();
      const { phase, seconds } = event;
      this.#open = undefined;
      this.#phases.push({ phase, seconds, cpuSeconds: cpuSeconds(pid) - this.#began.cpu, peak: residentPeak(pid) });
    }
  }

  #seeStep(event: ImportEvent & { phase: string }): void {
    if (event.event === "begin") this.#stepBegan = cpuSeconds(this.#process().pid);
    if (event.event !== "end" || event.resumed) return;
    this.#steps.push({ step: event.phase, cpuSeconds: cpuSeconds(this.#process().pid) - this.#stepBegan });
  }

  /** The process that does the work is the only child of the command. */
  #process(): { pid: number } {
    const pid = Number(
      readFileSync(`/proc/${this.#parent}/task/${this.#parent}/children`, "utf8").trim().split(" ")[0],
    );
    if (!pid) throw new Error("the import has no process that works");
    return { pid };
  }
}

function residentPeak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function bytesOf(manifest: unknown): number {
  const { layers } = manifest as { layers: Record<string, { bytes: number }> };
  return Object.values(layers).reduce((sum, { bytes }) => sum + bytes, 0);
}
