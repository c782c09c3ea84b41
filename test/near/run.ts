import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { ROOT } from "../support/imports.ts";
import { changedFiles } from "./changed.ts";
import { Near } from "./near.ts";

/** `npm run test:near`: the tests that reach what changed since HEAD, or since main where nothing is uncommitted. */
const { values, positionals } = parseArgs({
  options: { since: { type: "string" }, list: { type: "boolean" } },
  allowPositionals: true,
});
const changed = positionals.length > 0 ? positionals : changedFiles(values.since);
const tests = new Near().testsNear(changed);
if (values.list) console.log(tests.join("\n"));
else {
  console.log(`${changed.length} changed files, ${tests.length} files of tests reach them.`);
  if (tests.length > 0)
    process.exitCode =
      spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...tests], {
        cwd: ROOT,
        stdio: "inherit",
      }).status ?? 1;
}
