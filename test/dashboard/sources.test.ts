import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/** Rules of the dashboard's source: sizes of folders, and one form kit. */

const DASHBOARD = join(ROOT, "src/dashboard");
const MAX_FOLDER_FILES = 30;

const parse = (name: string, text: string) =>
  ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

function nodesOf(source: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

const FORM_TAGS = new Set(["form", "input", "select", "textarea"]);

/** Form elements as JSX, as `createElement("input")`, or as HTML in a string. */
function formElements(name: string, text: string): string[] {
  return nodesOf(parse(name, text)).flatMap((node) => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const tag = node.tagName.getText();
      return FORM_TAGS.has(tag) ? [tag] : [];
    }
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const called = node.expression.getText();
      const isCreate = /(^|\.)(createElement|h|make|makeElement)$/.test(called);
      return isCreate && first && ts.isStringLiteral(first) && FORM_TAGS.has(first.text) ? [first.text] : [];
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      return [...node.text.matchAll(/<(form|input|select|textarea)[\s>/]/g)].map(([, tag]) => tag);
    return [];
  });
}

/** Files outside the kit that may have such elements, with the reason. */
const OWN_ELEMENTS: Record<string, string> = {
  "map/address-search.tsx": "a combobox over the map: it has a list of results and sends no form",
  "frame/palette.tsx": "the combobox of Ctrl-K: the dialog handles its keys",
  "map/users/way-replay.tsx": "the time slider of a player",
  "docs/page.ts": "the pages of the guides: plain DOM, without Preact",
  "docs/live-map.ts": "the pages of the guides: plain DOM, without Preact",
};

const files = sourcesBelow(DASHBOARD).map((path) => ({
  name: relative(DASHBOARD, path),
  text: readFileSync(path, "utf8"),
}));

function foldersBelow(folder: string): string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...folders.flatMap(({ name }) => foldersBelow(join(folder, name)))];
}

describe("the dashboard's source", () => {
  it("has at most 30 files in each folder", () => {
    const folders = foldersBelow(DASHBOARD);
    expect(folders.length).toBeGreaterThan(20);
    const sizes = folders.map((folder) => ({
      folder: relative(ROOT, folder),
      files: readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
    }));
    expect(sizes.filter(({ files }) => files > MAX_FOLDER_FILES)).toEqual([]);
  });

  it("builds all forms with the form kit", () => {
    expect(files.length).toBeGreaterThan(150);
    const found = files.filter(({ name, text }) => formElements(name, text).length > 0).map(({ name }) => name);
    expect(found.filter((name) => name.startsWith("forms/")).length).toBeGreaterThan(0);
    const outside = found.filter((name) => !name.startsWith("forms/"));
    // An exception that is no longer needed must be removed.
    expect(outside.sort()).toEqual(Object.keys(OWN_ELEMENTS).sort());
  });

  it("asks before leaving with unsaved input in one place: the kit", () => {
    const users = files.filter(({ text }) => /\buseLeaveGuard\b/.test(text)).map(({ name }) => name);
    expect(users.sort()).toEqual(["base/router.tsx", "forms/use-form.ts"]);
  });
});

describe("the search for form elements", () => {
  it("finds JSX, createElement and HTML, but no components and no types", () => {
    expect(formElements("a.tsx", "const a = <form><input /><select></select><textarea /></form>;")).toEqual([
      "form",
      "input",
      "select",
      "textarea",
    ]);
    expect(formElements("a.ts", 'const a = document.createElement("input");')).toEqual(["input"]);
    expect(formElements("a.ts", "const a = '<p></p><input type=text>';")).toEqual(["input"]);
    expect(formElements("a.tsx", "const a = <Form of={form}><Select<string> /></Form>; // <input>")).toEqual([]);
  });
});
