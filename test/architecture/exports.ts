import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { ts } from "@ts-morph/common";
import { ROOT } from "../support/imports.ts";

/** All exports of a file: it is loaded by its path, so the names that are read are not known. */
const ALL = "*";

/** One file: what it exports, and what it reads from other files. */
interface Module {
  exports: { name: string; line: number; isType?: boolean }[];
  /** By path: the names that are imported, or `ALL`. */
  imports: Map<string, Set<string>>;
}

export interface UnusedExport {
  file: string;
  line: number;
  name: string;
  problem: "only its own file uses it" | "only tests use it" | "nothing uses it";
}

/**
 * Exports that no other file of `files` imports, in order of the files. Tests may use what the file itself uses, too, and a
 * type that the file uses may be needed to name the types of its other exports.
 */
export function unusedExports(
  root: string,
  files: readonly string[],
  tests: readonly string[],
  isExempt = (_file: string) => false,
): UnusedExport[] {
  const modules = new Map(files.map((path) => [path, moduleOf(path)]));
  const used = union([...modules.values()].map(({ imports }) => imports));
  const tested = union(tests.map((path) => importsOfTest(path)));
  const has = (uses: Map<string, Set<string>>, path: string, name: string) => {
    const names = uses.get(path);
    return names !== undefined && (names.has(name) || names.has(ALL));
  };
  const found: UnusedExport[] = [];
  for (const [path, { exports }] of modules) {
    if (isExempt(relative(root, path))) continue;
    for (const { name, line, isType } of exports) {
      if (has(used, path, name)) continue;
      const isUsedInside = countOf(path, name) > 1;
      const isTested = has(tested, path, name);
      if ((isTested || isType) && isUsedInside) continue;
      const problem = isTested ? "only tests use it" : isUsedInside ? "only its own file uses it" : "nothing uses it";
      found.push({ file: relative(root, path), line, name, problem });
    }
  }
  return found;
}

/** Files that no entry point reaches through imports of values or types. */
export function unreachedFiles(root: string, files: readonly string[], entries: readonly string[]): string[] {
  const reached = new Set<string>();
  const open = entries.map((path) => resolve(root, path));
  for (let path = open.pop(); path; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    if (/\.tsx?$/.test(path)) open.push(...moduleOf(path).imports.keys());
  }
  return files.filter((path) => !reached.has(path)).map((path) => relative(root, path));
}

const known = new Map<string, Module>();

function moduleOf(path: string): Module {
  const before = known.get(path);
  if (before) return before;
  const source = parse(path);
  const module: Module = { exports: [], imports: new Map() };
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const use = (target: string, names: string[]) => addUse(module.imports, path, target, names);
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) use(textOf(statement.moduleSpecifier), importedNames(statement));
    else if (ts.isExportDeclaration(statement)) {
      const named =
        statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause : undefined;
      const elements = named?.elements ?? [];
      for (const element of elements) module.exports.push({ name: element.name.text, line: lineOf(element) });
      if (statement.moduleSpecifier) {
        const names = elements.map(({ name, propertyName }) => (propertyName ?? name).text);
        use(textOf(statement.moduleSpecifier), named ? names : [ALL]);
      }
    } else {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      for (const name of exportedNames(statement)) module.exports.push({ name, line: lineOf(statement), isType });
    }
  }
  // Imports inside expressions are rare: only files that contain one are read to the end.
  if (/\bimport\s*\(|\bimport\.meta\b/.test(source.text))
    visitInside(source, use, () => addUse(module.imports, path, path, [ALL]));
  known.set(path, module);
  return module;
}

/** Trees are not kept: collecting the garbage of 1,500 of them would take as long as parsing. */
function parse(path: string): ts.SourceFile {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, readFileSync(path, "utf8"), options, false);
}

/** Finds calls of `import`, types of the form `import(…).Name`, and paths of files that a thread or a process loads. */
function visitInside(source: ts.SourceFile, use: (target: string, names: string[]) => void, useSelf: () => void): void {
  const visit = (node: ts.Node, parents: ts.Node[]): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      if (target && ts.isStringLiteral(target)) use(target.text, namesRead(parents));
      return;
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const name = node.qualifier && (ts.isIdentifier(node.qualifier) ? node.qualifier.text : undefined);
      use(textOf(node.argument.literal), [name ?? ALL]);
      return;
    } else if (ts.isStringLiteral(node) && /^[\w./-]+\.tsx?$/.test(node.text)) {
      use(node.text.startsWith("src/") ? resolve(ROOT, node.text) : `./${node.text}`, [ALL]);
    } else if (
      ts.isNewExpression(node) &&
      /^new URL\(import\.meta\.url\)$/.test(source.text.slice(node.pos, node.end).trim())
    ) {
      useSelf();
    }
    ts.forEachChild(node, (child) => visit(child, [node, ...parents]));
  };
  for (const statement of source.statements)
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) visit(statement, []);
}

/** Names read of `await import(…)`: `const { a } = await …` or `(await …).a`. */
function namesRead(parents: ts.Node[]): string[] {
  const [isAwait, ...outer] = parents;
  if (!isAwait || !ts.isAwaitExpression(isAwait)) return [ALL];
  const [next, after] = outer;
  if (ts.isVariableDeclaration(next) && ts.isObjectBindingPattern(next.name))
    return next.name.elements.map(({ name, propertyName }) => textOf(propertyName ?? name));
  if (ts.isParenthesizedExpression(next) && after && ts.isPropertyAccessExpression(after)) return [after.name.text];
  return [ALL];
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  if (!importClause) return [];
  const { name, namedBindings } = importClause;
  if (namedBindings && ts.isNamespaceImport(namedBindings)) return [ALL];
  const names = namedBindings?.elements.map((element) => (element.propertyName ?? element.name).text) ?? [];
  return name ? ["default", ...names] : names;
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) return ["default"];
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return ["default"];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesBound(name));
  const { name } = statement as ts.DeclarationStatement;
  return name ? [textOf(name)] : [];
}

function namesBound(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesBound(element.name)));
}

/** How often a file names something. */
function countOf(path: string, name: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) count++;
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return count;
}

/** Tests are read as text, which takes a tenth of the time of parsing them. */
function importsOfTest(path: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const text = readFileSync(path, "utf8");
  for (const [, clause, target] of text.matchAll(/^(?:import|export)\s([^;"'`]*?)\sfrom\s"(\.[^"]+)"/gm)) {
    const inBraces = /\{([^}]*)\}/.exec(clause)?.[1].split(",") ?? [ALL];
    const names = inBraces.map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s+\w+$/, ""),
    );
    const isDefault = /^(type\s+)?\w+\s*,/.test(clause);
    addUse(imports, path, target, isDefault ? [...names, "default"] : names);
  }
  for (const [, target] of text.matchAll(/\b(?:import|URL)\(\s*"(\.[^"]+\.tsx?)"/g))
    addUse(imports, path, target, [ALL]);
  return imports;
}

function addUse(imports: Map<string, Set<string>>, from: string, target: string, names: string[]): void {
  if (!/^[./]/.test(target)) return;
  const path = resolve(dirname(from), target);
  if (!existsSync(path)) return;
  const all = imports.get(path) ?? new Set();
  for (const name of names) all.add(name);
  imports.set(path, all);
}

function union(all: Map<string, Set<string>>[]): Map<string, Set<string>> {
  const joined = new Map<string, Set<string>>();
  for (const imports of all)
    for (const [path, names] of imports) joined.set(path, new Set([...(joined.get(path) ?? []), ...names]));
  return joined;
}

const textOf = (node: ts.Node): string => (node as ts.Identifier | ts.StringLiteral).text;
