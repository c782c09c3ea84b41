import { type ChildProcess, spawn } from "node:child_process";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { type Budget, nodeEnvironment, nodeFlags } from "../../importer/frame/budget.ts";
import { amount } from "../../importer/report/reporter.ts";

/** Where Node keeps compiled programs by default: every thread of an import starts in a third of the time. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };

/** A command that runs in a child process. */
export interface ChildCommand {
  /** The program of the child. */
  script: string;
  /** As a person types it: "npm run import". */
  command: string;
  /** "The import". */
  subject: string;
  budget: Budget;
  json: boolean;
}

/**
 * Runs a command in a child process, because V8's heap limit can be set only at startup. Reports interruptions and
 * out-of-memory errors, which the child cannot report itself.
 */
export async function runInChild(asked: ChildCommand): Promise<void> {
  const child = spawn(process.execPath, [...nodeFlags(asked.budget), asked.script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "pipe", "ipc"],
    env: { ...COMPILED, ...process.env, ...nodeEnvironment(asked.budget) },
  });
  const interrupted = interruptions(child);
  const heapFull = passErrors(child);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("close", (...end) => resolve(end));
  });
  if (signal === null && code !== null && !heapFull()) {
    process.exitCode = code;
    return;
  }
  const by = interrupted() ?? signal ?? "SIGABRT";
  say(asked, sentence(by, heapFull(), asked));
  process.exitCode = interrupted() ? 128 + constants.signals[by] : 1;
}

/** The import can be stopped at any time, so kill it immediately, even during a computation. */
function interruptions(child: ChildProcess): () => NodeJS.Signals | undefined {
  let by: NodeJS.Signals | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      by ??= signal;
      child.kill("SIGKILL");
    });
  }
  return () => by;
}

/** Where V8's dump begins when the heap is full. */
const DUMP = "\n<--- Last few GCs --->";

/** Forwards the import's stderr without V8's crash dump. Resolves to whether there was a dump. */
function passErrors(child: ChildProcess): () => boolean {
  let full = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (full) return;
    const at = text.indexOf(DUMP);
    full = at >= 0;
    process.stderr.write(full ? text.slice(0, at) : text);
  });
  return () => full;
}

function sentence(by: NodeJS.Signals, heapFull: boolean, { budget, command: name, subject }: ChildCommand): string {
  const safe = "What is live did not change; the same command continues from the last finished step:";
  const command = `  ${name} -- ${process.argv.slice(2).map(quote).join(" ")}`;
  if (by === "SIGINT" || by === "SIGTERM" || by === "SIGHUP") return `Interrupted. ${safe}\n${command}`;
  if (heapFull) {
    return `${subject} needs more memory than ${amount(budget.memory, "B")}. ${safe} with a larger --memory.\n${command}`;
  }
  if (by === "SIGKILL") {
    return `${subject} was killed, by the system if its memory is full: it was to take ${amount(budget.memory, "B")}. ${safe} with a smaller --memory where that is so.\n${command}`;
  }
  return `${subject} ended by ${by}. ${safe}\n${command}`;
}

/** A word as a shell reads it. */
const quote = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function say({ json }: ChildCommand, message: string): void {
  if (json) console.log(JSON.stringify({ event: "error", message }));
  else console.error(`${process.stdout.isTTY ? "\n" : ""}${message}`);
}
