import { writeFileSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { emptyTemporary } from "../state/temporary.ts";
import type { Serving } from "./serve.ts";

/** The server's own process has little to collect: with Node's default, 30 to 90 MB of garbage wait for it. */
const FLAGS = ["--max-semi-space-size=1"];
/** It hands on log lines and starts jobs, which optimized code would not make faster. The optimizing compilers take 8 MB. */
const UNOPTIMIZED = ["--no-opt", "--no-maglev"];
const SCRIPT = join(import.meta.dirname, "serve-run.ts");

/**
 * Replaces this process by one that only serves (execve: same id, parent and output), so that the memory of the preparation is given
 * back: compilers of TypeScript and of tables, modules of imports, migrations and backups. Where Node cannot, this process serves.
 * @param unlock gives the lock of the state back, which the server takes again; execve does that, too
 */
export async function continueAsServer(unlock: () => void, serving: Serving): Promise<void> {
  const { execve, execPath, execArgv, argv, env } = process;
  if (!execve || process.platform === "win32") {
    const { serve } = await import("./serve.ts");
    unlock();
    return serve(serving);
  }
  // Its text has a sign-in link, which neither the command line nor the environment should show.
  const file = join(emptyTemporary(serving.state), "serving.json");
  writeFileSync(file, JSON.stringify(serving), { mode: 0o600 });
  flushCompileCache();
  const compiled = getCompileCacheDir();
  // Set before the process begins, as its first module is TypeScript, too: the compiler of it alone takes 10 MB. Node adds a folder for
  // its version. Where the one of start.ts cannot be written, as in the container image, the state has it.
  const NODE_COMPILE_CACHE = compiled ? dirname(compiled) : join(serving.state, "compiled");
  // With TLS, all requests pass through it.
  const flags = serving.tls ? FLAGS : [...FLAGS, ...UNOPTIMIZED];
  execve.call(process, execPath, [execPath, ...execArgv, ...flags, SCRIPT, file, ...argv.slice(2)], {
    ...env,
    NODE_COMPILE_CACHE,
  });
}
