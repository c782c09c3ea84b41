import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ImportError } from "./import-error.ts";

/**
 * Held by one process at a time: a file with the number of the process. One left by a process that is gone does not
 * count.
 */
export class ProcessLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * @throws ImportError "<what> is running already …" while another process, or another caller in this one, holds it
   */
  static async take(path: string, what: string): Promise<ProcessLock> {
    await mkdir(dirname(path), { recursive: true });
    for (;;) {
      try {
        await writeFile(path, String(process.pid), { flag: "wx" });
        return new ProcessLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = await readFile(path, "utf8").catch(() => "");
      const owner = Number(found);
      if (owner > 0 && isRunning(owner)) {
        throw new ImportError(
          `${what} is running already (process ${owner}). Wait for it, or stop it; if that process is another one, delete ${path}.`,
        );
      }
      await removeStale(path, found);
    }
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/**
 * Removes the file if it still has the content that was found in it; a file that another process has made meanwhile is
 * put back.
 */
async function removeStale(path: string, found: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return; // Someone else took it away.
  }
  if ((await readFile(aside, "utf8").catch(() => found)) !== found) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
