import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";

/** How often the server is asked whether it is there [ms]. */
const PING_EACH_MS = 2_000;
/** A server with a full CPU that does not respond for this long is stuck [ms]. */
const STUCK_AFTER_MS = 10_000;
/**
 * Share of a core above which the CPU is full. It is below 1 because other processes use the CPU too; a waiting server
 * uses almost none.
 */
const FULL_SHARE = 0.5;
/** Required failed pings in a row: a machine that was asleep gets one more ping. */
const MIN_UNANSWERED = 4;
/** How long no process may run until Miniflare has failed to start another [ms]. A start takes two seconds, on a full machine ten. */
const GONE_AFTER_MS = 30_000;
/**
 * A process that a signal has stopped (SIGSTOP) uses no CPU and is not there until another continues it. Backups pause the main one for a
 * moment, so it has longer [ms].
 */
const HALTED_AFTER_MS = 60_000;
export const HELPER_HALTED_AFTER_MS = 3_000;
/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface Watched {
  /** An address of the server that costs little to answer. */
  pingUrl: string;
  /** workerd's process; undefined while none runs. */
  pid(): number | undefined;
  /** Seconds of CPU that a process has used since it began; 0 if it is gone. */
  cpuSeconds?(pid: number): number;
  /** Has a signal stopped it? */
  isHalted?(pid: number): boolean;
  haltedAfterMs?: number;
  /** Resolves when the address responds. */
  ask?(url: URL): Promise<void>;
  /** Called after the process was killed: it was stopped by a signal, or else blocked. */
  onKilled(seconds: number, isHalted: boolean): void;
  /** Called when the process was found to have ended by itself, or by another's signal; Miniflare starts it again. */
  onCrashed?(): void;
  /** Called once if the process ended and no other runs. */
  onGone(): void;
}

/**
 * Kills a workerd that is blocked by a computation, because one stuck request blocks all others. Miniflare restarts
 * it. Acknowledged data is on disk. The same for one that a signal has stopped. It also reports a crash, and when Miniflare could not restart it. Nothing
 * in this process may wait for workerd synchronously, as Miniflare's proxies do: the watch would wait, too.
 * @returns a function that ends the watch
 */
export function watchForStuck({
  pingUrl,
  pid,
  cpuSeconds = cpuSecondsOf,
  isHalted = isHaltedOnLinux,
  haltedAfterMs = HALTED_AFTER_MS,
  ask = respondsTo,
  onKilled,
  onCrashed = () => {},
  onGone,
}: Watched): () => void {
  let answeredAt = performance.now();
  let unanswered = 0;
  let cpu: { pid: number; at: number; seconds: number } | undefined;
  /** When the process was last there; undefined before there was one. */
  let thereAt: number | undefined;
  const ends = new Ends(onCrashed);
  const ping = async () => {
    try {
      await ask(new URL(pingUrl));
      answeredAt = performance.now();
      unanswered = 0;
      cpu = undefined;
    } catch {
      // No answer: what counts is how long there has been none.
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    const process_ = pid();
    ends.look(process_);
    if (process_ === undefined) {
      answeredAt = now;
      if (thereAt !== undefined && now - thereAt >= GONE_AFTER_MS) {
        clearInterval(timer);
        onGone();
      }
      return;
    }
    thereAt = now;
    unanswered++;
    const seconds = cpuSeconds(process_);
    if (cpu?.pid !== process_) cpu = { pid: process_, at: now, seconds };
    const silent = now - answeredAt;
    const share = (seconds - cpu.seconds) / Math.max(1, (now - cpu.at) / 1000);
    const isStuck = silent >= STUCK_AFTER_MS && unanswered >= MIN_UNANSWERED && share >= FULL_SHARE;
    const halted = !isStuck && silent >= haltedAfterMs && unanswered > 1 && isHalted(process_);
    if (isStuck || halted) {
      ends.kill(process_);
      onKilled(Math.round(silent / 1000), halted);
      answeredAt = now;
      unanswered = 0;
      cpu = undefined;
      return;
    }
    void ping();
  }, PING_EACH_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Tells ends of a process that the watch did not cause. */
class Ends {
  readonly #onCrashed: () => void;
  #running: number | undefined;
  #killed: number | undefined;

  constructor(onCrashed: () => void) {
    this.#onCrashed = onCrashed;
  }

  /** @param pid the process that runs now */
  look(pid: number | undefined): void {
    if (this.#running !== undefined && pid !== this.#running) this.#onCrashed();
    this.#running = pid === this.#killed ? undefined : pid;
  }

  kill(pid: number): void {
    this.#killed = pid;
    this.#running = undefined;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Waits for a response of any status. An HTTP client of Node takes 6 MB, `fetch` 10. */
async function respondsTo({ hostname, port, pathname, host }: URL): Promise<void> {
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
  try {
    socket.on("error", () => {});
    const signal = AbortSignal.timeout(STUCK_AFTER_MS);
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    await once(socket, "data", { signal });
  } finally {
    socket.destroy();
  }
}

function cpuSecondsOf(pid: number): number {
  try {
    if (process.platform === "linux") {
      const fields = statOf(pid);
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    }
    // "1:02.03" or "1-02:03:04"
    const { stdout } = spawnSync("ps", ["-o", "cputime=", "-p", String(pid)], { encoding: "utf8" });
    return stdout
      .trim()
      .split(/[-:]/)
      .reduce((sum, part, i, all) => sum * (all.length === 4 && i === 1 ? 24 : 60) + Number(part), 0);
  } catch {
    return 0;
  }
}

/** What Linux says of a process, from its state on (proc(5)). */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function isHaltedOnLinux(pid: number): boolean {
  try {
    return process.platform === "linux" && statOf(pid)[0] === "T";
  } catch {
    return false;
  }
}
