import type { ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { CommandError } from "../base/command.ts";
import { ROOT } from "../base/wrangler.ts";

/** Ends of this process, which end a build with it. */
const ENDS = ["exit", "SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for the process of a build, which ends with this one.
 * @param said returns what it wrote, unless that was shown
 * @throws CommandError if it fails
 */
export async function built(child: ChildProcess, what: string, said?: () => string): Promise<void> {
  const end = () => void child.kill();
  for (const event of ENDS) process.on(event, end);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((ended, failed) => {
    child.once("error", failed);
    child.once("exit", (...how) => ended(how));
  });
  for (const event of ENDS) process.off(event, end);
  if (code === 0) return;
  if (signal !== null) {
    const why = signal === "SIGKILL" ? " The system does this when its memory is full." : "";
    throw new CommandError(`Stopped by ${signal} before the ${what} was built.${why}`);
  }
  const owner = isWritable(ROOT) ? "" : ` The owner of ${ROOT} can build it: npm start -- --build`;
  if (said) throw new CommandError(`The ${what} could not be built.${owner}\n${said()}`);
  throw new CommandError(`The ${what} could not be built. See the error above, then start again.${owner}`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
