import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HISTORY, momentOf } from "../../src/server/backup/continuous/history.ts";
import { type BuiltWorker, buildWorker } from "../bench/worker.ts";
import { anyPort, finished, runCli } from "../server/commands/dev-process.ts";
import { publishWorlds } from "../support/worlds/kept-worlds.ts";
import { listAll } from "./listed.ts";
import { LISTENING } from "./listener.ts";
import type { Account } from "./travellers.ts";
import { startVictim } from "./victim.ts";

/** What backups of a server that is killed were worth. Every list is empty when all is well. */
export interface BackupAudit {
  /** The oldest that the newest moment was at a kill, and the longest until one was there after it [s]. */
  oldest: number;
  longest: number;
  /** Moments that were restored and whose events were compared. */
  restored: number;
  /** Events acknowledged before a moment that are not in it. */
  lost: string[];
  /** From the command to the first response of the standby [s]; and what it lacks of the last moment. */
  takeover: number;
  lostByStandby: string[];
}

const SAMPLE_MS = 50;
/** A moment comes in three intervals; on a busy machine it takes longer, which the audit tells. */
const PATIENCE_MS = 180_000;
/** Undelivered events of a restored state arrive by alarms. */
const DRAIN_MS = 45_000;

/** Watches the continuous backups of a server, and follows them with a standby. */
export class WatchedBackups {
  readonly place = mkdtempSync(join(tmpdir(), "graticule-kill-backups-"));
  readonly options: string[];
  readonly #folders: string[] = [this.place];
  readonly #samples: [at: number, events: number][] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #account: () => Account | undefined;
  /** For states that are restored. */
  #built: BuiltWorker | undefined;
  #standby: { state: string; port: number; process: ReturnType<typeof runCli> } | undefined;
  readonly audit: BackupAudit = { oldest: 0, longest: 0, restored: 0, lost: [], takeover: 0, lostByStandby: [] };

  constructor(everySeconds: number, account: () => Account | undefined) {
    this.options = ["--backup-to", this.place, "--every", `${everySeconds}s`];
    this.#account = account;
    this.#timer = setInterval(() => this.#samples.push([Date.now(), account()?.events.size ?? 0]), SAMPLE_MS);
  }

  #newest(): number {
    try {
      return Math.max(...readdirSync(join(this.place, HISTORY)).map((name) => momentOf(HISTORY + name) ?? 0));
    } catch {
      return 0;
    }
  }

  /** Starts the standby, after the first moment. */
  async follow(): Promise<void> {
    const state = this.#folder();
    await publishWorlds(["world"], state);
    await this.#momentAfter(0);
    const port = await anyPort();
    const words = ["--follow", this.place, "--persist-to", state, "--port", String(port), "--quiet"];
    this.#standby = { state, port, process: runCli("start.ts", words) };
  }

  /** A kill that is about to come: how old the newest moment is [s]. */
  noteKill(): { at: number; age: number } {
    const age = (Date.now() - this.#newest()) / 1000;
    this.audit.oldest = Math.max(this.audit.oldest, age);
    return { at: Date.now(), age };
  }

  /** Waits for the first moment after a kill; `isRestored`: restores it and compares its events. Returns how long that moment took [s]. */
  async afterKill(killedAt: number, upAt: number, key: string, isRestored: boolean): Promise<number> {
    const moment = await this.#momentAfter(killedAt);
    const took = (moment - upAt) / 1000;
    this.audit.longest = Math.max(this.audit.longest, took);
    if (!isRestored) return took;
    const state = this.#folder();
    await succeeded("restore.ts", this.place, "--persist-to", state, "--at", new Date(moment).toISOString());
    this.#built ??= await buildWorker();
    const server = await startVictim(this.#built, state, LISTENING);
    try {
      this.audit.lost.push(...(await this.#missing(server, key, moment)));
      this.audit.restored++;
    } finally {
      await server.kill();
      rmSync(state, { recursive: true, force: true });
    }
    return took;
  }

  /** The server is gone for good: the standby takes over. */
  async takeOver(key: string): Promise<void> {
    if (!this.#standby) return;
    const { state, port } = this.#standby;
    const began = performance.now();
    await succeeded("start.ts", "--take-over", "--persist-to", state);
    const server = { url: `http://127.0.0.1:${port}` };
    while (
      !(await fetch(`${server.url}/v1/ping`).then(
        (answer) => answer.ok,
        () => false,
      ))
    )
      await sleep(50);
    this.audit.takeover = (performance.now() - began) / 1000;
    this.audit.lostByStandby = await this.#missing(server, key, this.#newest());
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#standby) {
      const { process: standby } = this.#standby;
      const left = new Promise((gone) => standby.once("exit", gone));
      if (standby.exitCode === null) standby.kill("SIGTERM") && (await left);
    }
    this.#built?.discard();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  #folder(): string {
    const folder = mkdtempSync(join(tmpdir(), "graticule-kill-restored-"));
    this.#folders.push(folder);
    return folder;
  }

  async #momentAfter(at: number): Promise<number> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50))
      if (this.#newest() > at) return this.#newest();
    throw new Error(`no backup for ${PATIENCE_MS / 1000} s`);
  }

  /** Events acknowledged before a moment that a server does not list. */
  async #missing(server: { url: string }, key: string, moment: number): Promise<string[]> {
    const known = this.#samples.findLast(([at]) => at <= moment)?.[1] ?? 0;
    const acknowledged = [...(this.#account()?.events.keys() ?? [])].slice(0, known);
    for (const end = Date.now() + DRAIN_MS; ; await sleep(250)) {
      const listed = new Set((await listAll(server, key)).map(({ _id }) => _id));
      const missing = acknowledged.filter((id) => !listed.has(id));
      if (missing.length === 0 || Date.now() > end) return missing;
    }
  }
}

async function succeeded(script: string, ...words: string[]): Promise<void> {
  const { code, output } = await finished(runCli(script, words));
  if (code !== 0) throw new Error(`${script} ${words.join(" ")}: ${output}`);
}
