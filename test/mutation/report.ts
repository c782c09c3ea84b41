import type { Equivalent } from "./equivalents.ts";
import { changeOf, type Mutation } from "./mutations.ts";
import type { Verdict } from "./test-mutants.ts";

export interface RoomResult {
  room: string;
  detected: number;
  survived: number;
  equivalent: number;
  /** Detected of those that are not equivalent, from 0 to 1. */
  score: number;
  survivors: Survivor[];
}

export interface Survivor {
  at: string;
  mutator: string;
  change: string;
  /** As equivalents.ts wants it. */
  source: string;
  /** Test files that ran it and passed. */
  tests: string[];
  /** How many more reach it and did not run. */
  left: number;
}

export const isEquivalent = (mutation: Mutation, equivalents: readonly Equivalent[]) =>
  equivalents.some(
    ({ file, source, change }) => file === mutation.file && source === mutation.source && change === changeOf(mutation),
  );

export function resultOf(
  room: string,
  mutations: readonly Mutation[],
  verdicts: readonly Verdict[],
  equivalent: number,
): RoomResult {
  const survivors = mutations.flatMap((mutation, index) => {
    const { status, tests, left } = verdicts[index];
    const { file, line, mutator, source } = mutation;
    return status === "survived"
      ? [{ at: `${file}:${line}`, mutator, change: changeOf(mutation), source, tests, left }]
      : [];
  });
  const detected = mutations.length - survivors.length;
  const score = mutations.length === 0 ? 1 : detected / mutations.length;
  return { room, detected, survived: survivors.length, equivalent, score, survivors };
}

/** A table of rooms, and each survivor with the tests that let it pass. */
export function reportText(results: readonly RoomResult[]): string {
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(18) : String(cell).padStart(11))).join("");
  const percent = (score: number) => `${(100 * score).toFixed(0)} %`;
  const table = [
    row("room", "detected", "survived", "equivalent", "score"),
    ...results.map(({ room, detected, survived, equivalent, score }) =>
      row(room, detected, survived, equivalent, percent(score)),
    ),
  ];
  const survivors = results.flatMap(({ survivors }) =>
    survivors.map(
      ({ at, mutator, change, tests, left }) => `${at}  ${mutator}\n    ${change}\n    ${testsText(tests, left)}`,
    ),
  );
  return [...table, ...(survivors.length > 0 ? ["", "No test detected:", ...survivors] : [])].join("\n");
}

function testsText(tests: readonly string[], left: number): string {
  if (tests.length === 0) return "no test reaches it";
  const more = tests.length > 4 ? ` and ${tests.length - 4} more` : "";
  return `passed: ${tests.slice(0, 4).join(", ")}${more}${left > 0 ? `; ${left} did not run: --budget` : ""}`;
}
