import { filesSince, lastProven, noteProven } from "./changed.ts";
import { unneeded } from "./rare.ts";
import { runVitest } from "./vitest.ts";

/** `npm test`: all tests but the rare ones that no relevant change reaches. With words, what these name. */
const words = process.argv.slice(2);
const namesNothing = words.every((word) => word.startsWith("--reporter") || word.startsWith("--output"));
const isWhole = ["ALL_TESTS", "EVERY_EXTRACT", "EVERY_KILL", "EVERY_LOOK", "EVERY_SIZE"].some(
  (name) => process.env[name] !== undefined,
);
const since = namesNothing && !isWhole ? lastProven() : undefined;
const left = since === undefined ? [] : unneeded(filesSince(since));
if (left.length > 0)
  console.log(
    `${left.length} files of tests that nothing since ${since?.slice(0, 8)} concerns are left out (all: ALL_TESTS=1).`,
  );
process.exitCode = runVitest(words, { GRATICULE_LEFT_OUT: left.join(" ") });
if (process.exitCode === 0 && namesNothing) noteProven();
