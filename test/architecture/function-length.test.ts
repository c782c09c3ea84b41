import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ts } from "@ts-morph/common";
import { expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** A longer function does more than one thing, or needs a part with a name. */
const MAX_LINES = 60;

/**
 * Functions that are longer, as "file function"; a file that moves keeps its line. Split a function instead of adding it. After a split:
 * `WRITE_LONG_FUNCTIONS=1 npx vitest run --project pure test/architecture/function-length.test.ts`.
 */
const LIST = join(import.meta.dirname, "long-functions.json");
const allowed: string[] = JSON.parse(readFileSync(LIST, "utf8"));

/** The functions of a file with more lines than allowed, each by its name or the name of what it is assigned to. */
function longFunctionsOf(path: string, text = readFileSync(path, "utf8")): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isLong = lineAt(node.end) - lineAt(node.getStart(source)) + 1 > MAX_LINES;
    if (isLong && ts.isFunctionLike(node) && "body" in node && node.body) found.push(nameOf(node));
    if (isLong) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return ts.isConstructorDeclaration(node) ? "constructor" : "anonymous";
}

it("no function of src has more than 60 lines, but for those on a list", () => {
  const long = sourcesBelow(join(ROOT, "src"))
    .flatMap((path) => longFunctionsOf(path).map((name) => `${basename(path)} ${name}`))
    .sort();
  if (process.env.WRITE_LONG_FUNCTIONS) {
    writeFileSync(LIST, `${JSON.stringify(long, null, 2)}\n`);
    return;
  }
  expect(long.filter((one) => !allowed.includes(one))).toEqual([]);
});

it("declarations, arrows and methods are found, also inside others", () => {
  const body = (lines: number) => Array.from({ length: lines }, (_, i) => `  total += ${i};`).join("\n");
  const texts: [text: (lines: number) => string, name: string][] = [
    [(lines) => `function a() {\n${body(lines)}\n}`, "a"],
    [(lines) => `const b = () => {\n${body(lines)}\n};`, "b"],
    [(lines) => `class C {\n  #d() {\n${body(lines)}\n  }\n}`, "#d"],
    [(lines) => `const e = <List>{() => {\n${body(lines)}\n}}</List>;`, "anonymous"],
  ];
  for (const [text, name] of texts) {
    expect(longFunctionsOf("one.tsx", text(MAX_LINES - 1))).toEqual([name]);
    expect(longFunctionsOf("one.tsx", text(MAX_LINES - 2))).toEqual([]);
  }
});
