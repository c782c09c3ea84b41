import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import type { HostSetup, RunRequest, RunResult } from "./messages.ts";

const HOST = resolve(import.meta.dirname, "host.ts");
/** A host starts Vitest; before its first run, the Worker where tests need it. */
const START_MS = 180_000;

/** Ran to its end, or did not end in time. */
export type Outcome = RunResult | "timeout";

/** A host process (host.ts) that is replaced when it does not answer in time. */
export class Host {
  readonly #setup: HostSetup;
  #child: ChildProcess | undefined;

  constructor(setup: HostSetup) {
    this.#setup = setup;
  }

  /** @param timeoutMs after which the process and its children are killed @throws Error when the tests could not be started */
  async run(request: RunRequest, timeoutMs: number): Promise<Outcome> {
    const isFirst = this.#child === undefined;
    if (!this.#child) {
      this.#child = fork(HOST, {
        detached: true,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        execArgv: NODE_OPTIONS,
      });
      await this.#ask({ setup: this.#setup }, START_MS);
    }
    const answer = await this.#ask({ run: request }, isFirst && this.#setup.bundle ? timeoutMs + START_MS : timeoutMs);
    return answer === "timeout" ? "timeout" : (answer.result as RunResult);
  }

  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      // A host leads a process group: its test processes go with it.
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  async #ask(message: object, timeoutMs: number): Promise<{ result?: RunResult } | "timeout"> {
    const child = this.#child!;
    const { promise, resolve: answer, reject } = Promise.withResolvers<{ result?: RunResult } | "timeout">();
    const timer = setTimeout(() => answer("timeout"), timeoutMs);
    const onMessage = (reply: { result?: RunResult; error?: string }) =>
      reply.error === undefined ? answer(reply) : reject(new Error(reply.error));
    const onExit = (code: number | null) => reject(new Error(`The test process ended with code ${code}.`));
    child.once("message", onMessage).once("exit", onExit);
    child.send(message);
    try {
      const reply = await promise;
      if (reply === "timeout") this.stop();
      return reply;
    } catch (error) {
      this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
    }
  }
}

const NODE_OPTIONS = ["--no-warnings", "--experimental-strip-types"];

const running = new Set<Host>();

/** Ends all test processes: for a run that is interrupted. */
export function stopHosts(): void {
  for (const host of running) host.stop();
}

/** Gives each item to the next idle one of several hosts. */
export async function inHosts<T>(
  setup: HostSetup,
  count: number,
  items: readonly T[],
  work: (host: Host, item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: Math.min(count, items.length) }, async () => {
      const host = new Host(setup);
      running.add(host);
      try {
        for (const item of queue) await work(host, item);
      } finally {
        host.stop();
        running.delete(host);
      }
    }),
  );
}
