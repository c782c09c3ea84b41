import { ts } from "@ts-morph/common";

/** Functions of a file are numbered in the order of the text, from 1; 0 is the file itself: it was loaded. */
export interface FunctionRange {
  start: number;
  end: number;
}

/** Numbers in one file. */
export const MAX_FUNCTIONS = 4096;

type WithBody = ts.FunctionLikeDeclaration & { body: ts.ConciseBody };

function functionsIn(file: string, text: string): { tree: ts.SourceFile; functions: WithBody[] } {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const functions: WithBody[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) functions.push(node as WithBody);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { tree, functions: functions.slice(0, MAX_FUNCTIONS - 1) };
}

export function functionsOf(file: string, text: string): FunctionRange[] {
  const { tree, functions } = functionsIn(file, text);
  return functions.map((node) => ({ start: node.getStart(tree), end: node.getEnd() }));
}

/** The number of the innermost function around an offset. */
export function functionAt(functions: readonly FunctionRange[], offset: number): number {
  // Functions inside others come after them.
  return functions.findLastIndex(({ start, end }) => start <= offset && offset < end) + 1;
}

/** The source with a mark in each function: `$reached[first + number] = 1` when it is called. */
export function markedText(file: string, text: string, first: number): string {
  const { tree, functions } = functionsIn(file, text);
  const inserts: [offset: number, text: string, opens: boolean][] = [];
  functions.forEach(({ body }, index) => {
    const mark = `$reached[${first + index + 1}] = 1`;
    if (ts.isBlock(body)) inserts.push([body.getStart(tree) + 1, ` ${mark};`, true]);
    else inserts.push([body.getStart(tree), `(${mark}, `, true], [body.getEnd(), ")", false]);
  });
  let out = "";
  let at = 0;
  for (const [offset, insert] of inserts.sort((a, b) => a[0] - b[0] || Number(a[2]) - Number(b[2]))) {
    out += text.slice(at, offset) + insert;
    at = offset;
  }
  return `${out}${text.slice(at)}\n$reached[${first}] = 1;`;
}
