import { parseArgs } from "node:util";
import { changedFiles } from "./changed.ts";
import { Near } from "./near.ts";
import { runVitest } from "./vitest.ts";

/** `npm run test:near`: the tests that reach what changed since HEAD, or since main where nothing is uncommitted, or files that are named. */
const { values, positionals } = parseArgs({
  options: { since: { type: "string" }, list: { type: "boolean" } },
  allowPositionals: true,
});
const changed = positionals.length > 0 ? positionals : changedFiles(values.since);
const tests = new Near().testsNear(changed);
if (values.list) console.log(tests.join("\n"));
else {
  console.log(`${changed.length} changed files, ${tests.length} files of tests reach them.`);
  if (tests.length > 0) process.exitCode = runVitest(tests);
}
