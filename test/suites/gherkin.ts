/** A step of a scenario: "Given the ways", with the table or the text below it. */
export interface GherkinStep {
  text: string;
  table: string[][];
  lines: string[];
}

export interface GherkinScenario {
  title: string;
  tags: string[];
  /** Those of the background come first. */
  steps: GherkinStep[];
}

interface Block {
  title: string;
  tags: string[];
  steps: GherkinStep[];
  isOutline: boolean;
  /** Tables of an outline: a scenario per row. */
  examples: string[][];
}

const STEP = /^(?:Given|When|Then|And|But|\*)\s+(.*)$/;
const HEADING = /^(Background|Scenario Outline|Scenario Template|Scenario|Examples):\s*(.*)$/;
const QUOTES = '"""';

/** The scenarios of a file in Gherkin (https://cucumber.io/docs/gherkin/reference), as far as suites of routers use it. */
export function parseFeature(text: string): GherkinScenario[] {
  const background: GherkinStep[] = [];
  const blocks: Block[] = [];
  let tags: string[] = [];
  let steps = background;
  let inExamples = false;
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trim();
    if (line === QUOTES) {
      const end = lines.findIndex((other, at) => at > i && other.trim() === QUOTES);
      steps[steps.length - 1]?.lines.push(...withoutIndent(lines.slice(i + 1, end), lines[i].indexOf(QUOTES)));
      i = end;
      continue;
    }
    if (line === "" || line.startsWith("#") || line.startsWith("Feature:")) continue;
    if (line.startsWith("@")) {
      tags.push(...line.split(/\s+/));
      continue;
    }
    if (line.startsWith("|")) {
      const cells = cellsOf(line);
      if (inExamples) blocks[blocks.length - 1].examples.push(cells);
      else steps[steps.length - 1]?.table.push(cells);
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      const [, kind, title] = heading;
      inExamples = kind === "Examples";
      if (inExamples) continue;
      if (kind === "Background") steps = background;
      else {
        blocks.push({ title, tags, steps: [], isOutline: kind !== "Scenario", examples: [] });
        steps = blocks[blocks.length - 1].steps;
      }
      tags = [];
      continue;
    }
    const step = STEP.exec(line);
    if (step) steps.push({ text: step[1], table: [], lines: [] });
  }
  return blocks.flatMap((block) => scenariosOf(block, background));
}

function scenariosOf({ title, tags, steps, isOutline, examples }: Block, background: GherkinStep[]): GherkinScenario[] {
  const all = [...background, ...steps];
  if (!isOutline) return [{ title, tags, steps: all }];
  const [names, ...rows] = examples;
  return rows.map((row) => {
    const fill = (text: string) => names.reduce((so, name, at) => so.replaceAll(`<${name}>`, row[at]), text);
    const filled = all.map((step) => ({
      text: fill(step.text),
      table: step.table.map((cells) => cells.map(fill)),
      lines: step.lines.map(fill),
    }));
    return { title: `${fill(title)} (${row.join(", ")})`, tags, steps: filled };
  });
}

/** A doc string begins below its quotes. */
const withoutIndent = (lines: readonly string[], indent: number): string[] =>
  lines.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line.trimStart()));

/** `|` in a cell is written `\|`. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1);
  if (cells[cells.length - 1]?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|").replaceAll("\\n", "\n"));
}

/** The rows of a table with a heading, by column. Of columns with the same name, the later ones get a number. */
export function rowsOf(table: readonly string[][]): Record<string, string>[] {
  const [heading = [], ...rows] = table;
  return rows.map((row) => Object.fromEntries(heading.map((name, at) => [name, row[at] ?? ""])));
}
