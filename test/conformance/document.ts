import { ANSWER_FIELDS } from "./answers.ts";
import { PARAMETERS } from "./parameters.ts";
import { NOT_OURS, SECTIONS } from "./statements.ts";

/** A row of docs/conformance.md: a statement, and the tests that prove it (`file > title`, below test/). */
export interface Row {
  id: string;
  says: string;
  tests: readonly string[];
}

const ASKED = "http/conformance.test.ts";

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
      tests: [`${ASKED} > takes $name: $says`],
    })),
  }));
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
  for (const [title, tables] of [
    ["Parameters", parameterTables()],
    ["Fields of answers", answerTables()],
  ] as const) {
    lines.push(`## ${title}`, "");
    for (const table of tables.filter((one) => one.rows.length > 0)) {
      lines.push(`### ${table.title}`, "", "| id | statement |", "|---|---|");
      for (const { id, says } of table.rows) lines.push(`| ${cell(id)} | ${cell(says)} |`);
      lines.push("");
    }
  }
  lines.push("## What no server can prove", "", "| statement | why |", "|---|---|");
  for (const [says, why] of NOT_OURS) lines.push(`| ${says} | ${why} |`);
  return `${lines.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<img>", "`<img>`");
}
