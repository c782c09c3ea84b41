import { spawnSync } from "node:child_process";
import { ROOT } from "../support/imports.ts";

/** Runs vitest once. @returns its exit code */
export function runVitest(words: readonly string[], environment: NodeJS.ProcessEnv = {}): number {
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...words], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  return status ?? 1;
}
