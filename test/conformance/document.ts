import { ANSWER_FIELDS } from "./answers.ts";
import { DIFFERENCES } from "./differences/index.ts";
import { EFFECTS } from "./effects/index.ts";
import { PARAMETERS } from "./parameters.ts";
import { NOT_OURS, SECTIONS } from "./statements.ts";

/** A row of docs/conformance.md: a statement, and the tests that prove it (`file > title`, relative to test/). */
export interface Row {
  id: string;
  says: string;
  tests: readonly string[];
}

const WORKER_TESTS = "worker/http/conformance/conformance.test.ts";
const EFFECT_TEST = "worker/http/conformance/effects.test.ts > $parameter changes $changes";

export function rows(): Row[] {
  const statementRows = SECTIONS.flatMap(({ statements }) =>
    Object.entries(statements).map(([id, [says, ...tests]]) => ({ id, says, tests })),
  );
  return [
    ...statementRows,
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
        `${WORKER_TESTS} > takes $name: $says`,
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

/** The changes that tests prove for a parameter. */
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
      tests: [`${WORKER_TESTS} > has $path ($type)`],
    })),
  }));
}

/** Returns the content of docs/conformance.md. */
export function conformanceDocument(): string {
  const all = rows();
  const lines = [
    "# Conformance with the specification",
    "",
    `\`npm run conformance\` generates this page from the tables in [test/conformance](../test/conformance). A test fails if the page is out of date, or if a row has no`,
    `test or lists a missing one. The page has ${all.length} statements, in our words. A test is listed by its file in \`test/\` and its title. \`test/worker/http/conformance/conformance.test.ts\` checks`,
    "each parameter and each response field with a running Worker.",
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
    lines.push(`### ${title}`, "", "| id | statement | effect |", "|---|---|---|");
    for (const { id, says, changes } of rows)
      lines.push(`| ${id} | ${cell(says)} | ${changes.map(cell).join("<br>")} |`);
    lines.push("");
  }
  lines.push("## Response fields", "");
  for (const { title, rows } of answerTables()) {
    lines.push(`### ${title}`, "", "| id | statement |", "|---|---|");
    for (const { id, says } of rows) lines.push(`| ${cell(id)} | ${cell(says)} |`);
    lines.push("");
  }
  lines.push("## Statements that a server cannot prove", "", "| statement | why |", "|---|---|");
  for (const [says, why] of NOT_OURS) lines.push(`| ${says} | ${why} |`);
  return `${lines.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<img>", "`<img>`");
}
