import { readFile, writeFile } from "node:fs/promises";
import { type Command, type Run, UsageError, wordsOf } from "../base/command.ts";
import { applyChanges, type Outcome, readServer, secretsFor } from "../config/apply.ts";
import { keyed, type PlanOptions, planOf } from "../config/changes.ts";
import { formatFile, isSingle, parseFile, type Sections } from "../config/file.ts";
import type { Kind } from "../config/kind.ts";
import { KINDS } from "../config/kinds.ts";
import { countsOf, describeChange, nameOf, notesOf, outcomeJson, planJson } from "../config/report.ts";

const PARTS = ["pull", "diff", "apply"] as const;

export const config: Command = {
  name: "config",
  usage: "pull [FILE] | diff FILE | apply FILE",
  parts: PARTS,
  summary: `Reads, compares or changes the configuration as a file: ${KINDS.map(({ name }) => name).join(", ")}.`,
  options: {
    prune: { type: "boolean" },
    yes: { type: "boolean" },
    "update-secrets": { type: "boolean" },
  },
  optionTexts: {
    prune: "also delete what the file does not have, in the sections that it has",
    yes: "apply: do not ask",
    "update-secrets": "also send secrets that the server has already",
  },
  async run(run) {
    const [part, file] = wordsOf(run, [PARTS.join(", ")], 2);
    if (part === "pull") return pull(run, file);
    if (part !== "diff" && part !== "apply") throw new UsageError(`Use ${PARTS.join(", ")}.`);
    if (!file) throw new UsageError("The file is missing.");
    const options = { prune: run.values.prune === true, updateSecrets: run.values["update-secrets"] === true };
    const wanted = parseFile(await readFile(file, "utf8"), file);
    if (part === "diff") return diff(run, wanted, options);
    return apply(run, wanted, options);
  },
};

/** Writes the server's configuration. The names of variables in an existing file stay. */
async function pull(run: Run, file: string | undefined): Promise<void> {
  const previous = file === undefined ? undefined : await existing(file);
  const stored = await readServer(run.client(), KINDS);
  const notes: string[] = [];
  const sections = new Map(
    [...stored].map(([kind, all]) => {
      const { byKey, keyless } = keyed(kind, all);
      if (keyless > 0) notes.push(`${keyless} ${kind.name} have no key and are not in the file. ${kind.keyRule}`);
      const before = new Map(previous?.get(kind)?.map((item) => [kind.keyOf(item), item]));
      const items = [...byKey].map(([key, { item }]) => kind.nameVariables?.(item, before.get(key)) ?? item);
      return [kind, items] as const;
    }),
  );
  const text = formatFile(sections);
  if (file === undefined) return run.output.write(text);
  await writeFile(file, text);
  for (const note of notes) run.output.say(note);
  const counts = [...sections]
    .filter(([kind]) => !isSingle(kind))
    .map(([kind, items]) => `${items.length} ${kind.name}`);
  run.output.show({ file, notes }, [], `The settings, ${counts.join(", ")} are in ${file}.`);
}

async function existing(file: string): Promise<Sections | undefined> {
  try {
    return parseFile(await readFile(file, "utf8"), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function planFor(run: Run, wanted: Sections, options: PlanOptions) {
  const plan = planOf(wanted, await readServer(run.client(), wanted.keys()), options);
  for (const change of plan.changes) run.output.say(describeChange(change));
  for (const note of notesOf(plan)) run.output.say(note);
  run.output.say(countsOf(plan));
  return plan;
}

async function diff(run: Run, wanted: Sections, options: PlanOptions): Promise<void> {
  const plan = await planFor(run, wanted, options);
  if (run.output.isJson) run.output.show(planJson(plan), [], "");
}

async function apply(run: Run, wanted: Sections, options: PlanOptions): Promise<void> {
  const { output, environment } = run;
  const plan = await planFor(run, wanted, options);
  const { changes } = plan;
  const secrets = secretsFor(changes, environment, options);
  if (changes.length > 0 && run.values.yes !== true && !(await run.confirm(`Apply ${changes.length} changes?`)))
    throw new UsageError("Nothing was applied. Add --yes to apply without a question.");
  const outcome = await applyChanges(run.client(), changes, secrets, options);
  if (output.isJson) output.show({ ...planJson(plan), ...outcomeJson(outcome) }, [], "");
  else sayOutcome(run, outcome);
  if (outcome.failed) throw outcome.failed.error;
}

function sayOutcome({ output }: Run, { applied, failed, remaining, differing }: Outcome): void {
  for (const { change, paths } of differing)
    output.say(
      `${nameOf(change)}: the server stores other values of ${paths.join(", ")}. Run "graticule config pull".`,
    );
  const newWebhooks = applied.filter(({ kind, action }) => hasSecret(kind) && action === "create");
  if (newWebhooks.length > 0)
    output.say(
      `To get the secret that signs messages, rotate it in the dashboard: ${newWebhooks.map(nameOf).join(", ")}.`,
    );
  output.say(`Applied ${applied.length} of ${applied.length + remaining.length + (failed ? 1 : 0)} changes.`);
  if (!failed) return;
  output.say(`Failed: ${nameOf(failed.change)}`);
  if (remaining.length > 0) output.say(`Not applied: ${remaining.map(nameOf).join(", ")}`);
  output.say("Run the same command again to continue.");
}

const hasSecret = ({ name }: Kind) => name === "webhooks";
