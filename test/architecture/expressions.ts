import { readFileSync } from "node:fs";
import { ts } from "@ts-morph/common";
import { analyse } from "scslre";

/** A regular expression in a source file. */
export interface Expression {
  file: string;
  line: number;
  /** As it is written: a literal, or the arguments of `new RegExp`. */
  text: string;
  /** What makes its time grow faster than the text; undefined where an analysis proves that nothing does. */
  problem: string | undefined;
}

/**
 * The regular expressions of a file. Literals are analyzed by `scslre` (MIT), which finds polynomial and exponential backtracking, and
 * searches that start over at each character. Built expressions cannot be analyzed.
 */
export function expressionsOf(file: string): Expression[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, line, text: node.text, problem: problemOf(node.text) });
    else if (ts.isNewExpression(node) && node.expression.getText() === "RegExp")
      found.push({ file, line, text: oneLine(node.getText()), problem: "built at run time" });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const analyzed = new Map<string, string | undefined>();

export function problemOf(literal: string): string | undefined {
  if (!analyzed.has(literal)) analyzed.set(literal, analyze(literal));
  return analyzed.get(literal);
}

function analyze(literal: string): string | undefined {
  const end = literal.lastIndexOf("/");
  const { reports } = analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) });
  if (reports.length === 0) return undefined;
  return reports
    .map(
      ({ type, exponential, character }) =>
        `${exponential ? "exponential " : ""}${type} of ${character.literal.source}`,
    )
    .join(", ");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");
