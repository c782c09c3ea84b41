import { ANSWER_FIELDS } from "./answers.ts";
import { DIFFERENCES } from "./differences/index.ts";
import { EFFECTS } from "./effects/index.ts";
import { PARAMETERS } from "./parameters.ts";
import { NOT_OURS, SECTIONS } from "./statements.ts";

/** A row of docs/conformance.md: a statement, and the tests that prove it (`file > title`, below test/). */
export interface Row {
  id: string;
  says: string;
  tests: readonly string[];
}

const ASKED = "http/conformance.test.ts";
const EFFECT_TEST = "http/conformance/effects.test.ts > $parameter changes $changes";

export function rows(): Row[] {
  const told = SECTIONS.flatMap(({ statements }) =>
    Object.entries(statements).map(([id, [says, ...tests]]) => ({ id, says, tests })),
  );
  return [
    ...told,
    ...parameterTables().flatMap((table) => table.rows),
    ...answerTables().flatMap((table) => table.rows),
  ];
}

function parameterTables() {
  return PARAMETERS.map(({ endpoint, method, path, parameters }) => ({
    title: `${method} ${path}`,
    rows: parameters.map(({ name, says, required }) => ({
      id: `parameter.${endpoint}.${name}`,
      says: `\`${name}\`${required ? ", required" : ""}: ${says}`,
      changes: changesOf(endpoint, name),
      tests: [
        `${ASKED} > takes $name: $says`,
        ...effectsOf(endpoint, name).map(() => EFFECT_TEST),
        ...differencesOf(endpoint, name).map(({ test }) => test),
      ],
    })),
  }));
}

const effectsOf = (endpoint: string, name: string) =>
  EFFECTS.find((table) => table.endpoint === endpoint)?.effects.filter(({ parameter }) => parameter === name) ?? [];
const differencesOf = (endpoint: string, name: string) =>
  DIFFERENCES.filter(({ id }) => id === `parameter.${endpoint}.${name}`);

/** What a parameter is seen to change. */
function changesOf(endpoint: string, name: string): string[] {
  const changes = [
    ...effectsOf(endpoint, name).map((effect) => effect.changes),
    ...differencesOf(endpoint, name).map(({ effect, changes }) => changes ?? effect),
  ];
  return [...new Set(changes)];
}

function answerTables() {
  return ANSWER_FIELDS.map(({ name, fields }) => ({
    title: name,
    rows: fields.map(({ path, type }) => ({
      id: `${name}.${path}`.replace(/ /g, "-"),
      says: `\`${path}\`: ${type}`,
      tests: [`${ASKED} > has $path ($type)`],
    })),
  }));
}

/** docs/conformance.md. */
export function conformanceDocument(): string {
  const all = rows();
  const lines = [
    "# What the specification says, and what proves it",
    "",
    `Made by \`npm run conformance\` from the tables below [test/conformance](../test/conformance); a test fails where this page is not what they make, where a row has no`,
    `test, or names one that is not there. ${all.length} statements, told in our words. Tests are named by their file below \`test/\` and their title; parameters and fields of`,
    "answers are asked of a running Worker one by one, in `test/http/conformance.test.ts`.",
    "",
  ];
  for (const { title, statements } of SECTIONS) {
    lines.push(`## ${title}`, "", "| id | statement | proven by |", "|---|---|---|");
    for (const [id, [says, ...tests]] of Object.entries(statements))
      lines.push(`| ${id} | ${cell(says)} | ${tests.map(cell).join("<br>")} |`);
    lines.push("");
  }
  lines.push("## Parameters", "");
  for (const { title, rows } of parameterTables().filter((one) => one.rows.length > 0)) {
    lines.push(`### ${title}`, "", "| id | statement | what it changes |", "|---|---|---|");
    for (const { id, says, changes } of rows)
      lines.push(`| ${id} | ${cell(says)} | ${changes.map(cell).join("<br>")} |`);
    lines.push("");
  }
  lines.push("## Fields of answers", "");
  for (const { title, rows } of answerTables()) {
    lines.push(`### ${title}`, "", "| id | statement |", "|---|---|");
    for (const { id, says } of rows) lines.push(`| ${cell(id)} | ${cell(says)} |`);
    lines.push("");
  }
  lines.push("## What no server can prove", "", "| statement | why |", "|---|---|");
  for (const [says, why] of NOT_OURS) lines.push(`| ${says} | ${why} |`);
  return `${lines.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<img>", "`<img>`");
}
