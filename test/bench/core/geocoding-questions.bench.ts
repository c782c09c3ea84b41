import { writeFileSync } from "node:fs";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { ask, liveAreas, liveBase, liveForms, liveTowns } from "../../support/geocoding/ask.ts";
import { atlasQuestions } from "../../support/geocoding/atlas-questions.ts";
import { baseQuestions } from "../../support/geocoding/base-questions.ts";
import { cldrQuestions } from "../../support/geocoding/cldr-questions.ts";
import { basePoints } from "../../support/geocoding/point-questions.ts";
import { judge, type Outcome, type Question } from "../../support/geocoding/question.ts";
import { formQuestions, givenQuestions } from "../../support/geocoding/town-questions.ts";
import type { Report } from "../bench.ts";

export const name = "geocoding-questions";
export const summary = "Questions to the world base and to towns, by kind: right, wrong and exact, over 500 km off.";

/** Options: `seed=2`, `houses=60` of each town, `only=base,towns`, `cldr=FOLDER` with packages of make-world-data.ts, `file=PATH` for the questions with wrong answers. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const option = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const seed = Number(option("seed") ?? 52);
  const only = option("only")?.split(",");
  const isAsked = (part: string) => only === undefined || only.includes(part);
  const wrong: string[] = [];
  if (isAsked("base")) await tally(report, await liveBase(), baseQuestions(seed), wrong);
  if (isAsked("atlas")) await tally(report, await liveBase(), atlasQuestions(seed), wrong);
  const cldr = option("cldr");
  if (cldr) await tally(report, await liveBase(), cldrQuestions(cldr, seed), wrong);
  if (isAsked("points")) await tally(report, await liveAreas(), basePoints(seed), wrong);
  if (isAsked("given")) await tally(report, await liveBase(), givenQuestions(), wrong);
  const forms = isAsked("forms") ? await liveForms() : undefined;
  if (forms) await tally(report, forms, formQuestions(), wrong);
  if (isAsked("towns")) {
    const { geodata, questions } = await liveTowns(Number(option("houses") ?? 60), seed);
    await tally(report, geodata, questions, wrong);
  }
  const file = option("file");
  if (file) writeFileSync(file, `${wrong.join("\n")}\n`);
}

async function tally(report: Report, geodata: Geodata, questions: readonly Question[], wrong: string[]) {
  const groups = new Map<string, Outcome[]>();
  const add = (group: string, outcome: Outcome) => groups.set(group, [...(groups.get(group) ?? []), outcome]);
  const began = performance.now();
  for (const question of questions) {
    const answers = await ask(geodata, question);
    const outcome = judge(question, answers);
    add(question.set, outcome);
    if (question.set.startsWith("town: ")) {
      const isPoint = /: (?:reverse|junction|place)/.test(question.set);
      add(isPoint ? `${question.set} in ${question.from}` : `in ${question.from}`, outcome);
    }
    if (outcome.right) continue;
    const [first] = answers;
    const answer =
      first && `${first.formattedAddress} (${first.layer}, ${first.confidence}, ${first.latitude},${first.longitude})`;
    const signs = `${outcome.wrongExact ? "EXACT " : ""}${outcome.far ? "FAR " : ""}`;
    wrong.push(`${question.set}\t${question.from}\t${signs}\t${question.query}\t${answer ?? "nothing"}`);
  }
  const ms = (performance.now() - began) / questions.length;
  for (const [set, outcomes] of groups) {
    const count = (is: (one: Outcome) => boolean) => outcomes.filter(is).length;
    const right = (100 * count(({ right }) => right)) / outcomes.length;
    report({ case: set, metric: `right of ${outcomes.length}`, value: right, unit: "%" });
    report({ case: set, metric: "wrong, exact", value: count(({ wrongExact }) => wrongExact), unit: "", baseline: 0 });
    report({ case: set, metric: "over 500 km", value: count(({ far }) => far), unit: "", baseline: 0 });
  }
  report({ case: "all", metric: `mean of ${questions.length}`, value: ms, unit: "ms" });
}
