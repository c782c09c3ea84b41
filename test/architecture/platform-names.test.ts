import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, ROOT, sourcesBelow } from "../support/imports.ts";

/**
 * Modules that also run in Node (imported by the importer, the commands or tests) are type-checked in the Worker's program only, where
 * the platform's global names exist. This test finds such names in them.
 */

const read = (pattern: string) =>
  globSync(join(ROOT, "node_modules", pattern))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");

/** Global names that declaration files declare. */
const declared = (text: string): Set<string> =>
  new Set(
    [
      ...text.matchAll(
        /^(?:export |declare )*(?:abstract )?(?:class|interface|type|const|let|var|function|namespace) (\w+)/gm,
      ),
    ].map(([, name]) => name),
  );

/** Names that only the Worker's platform has. */
function platformNames(): Set<string> {
  const elsewhere = declared(
    ["@typescript/*/lib/lib.dom*.d.ts", "@typescript/*/lib/lib.es*.d.ts", "@types/node/**/*.d.ts"].map(read).join("\n"),
  );
  const own = declared(read("@cloudflare/workers-types/index.d.ts"));
  return new Set([...own].filter((name) => !elsewhere.has(name)));
}

/** The code without comments and the text of strings. */
const codeOf = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, " ")
    .replace(/`(?:[^`\\]|\\.)*`/g, (template) => template.match(/\$\{[^}]*\}/g)?.join(" ") ?? " ");

/** Names of the platform that a file uses and does not import or declare. */
function used(text: string, names: ReadonlySet<string>): string[] {
  const code = codeOf(text);
  const found = new Set<string>();
  for (const [, before, name] of code.matchAll(/([.\w$]?\s*)\b([A-Za-z]\w*)\b(?!\s*:)/g))
    if (names.has(name) && !before.startsWith(".")) found.add(name);
  const known = new Set(
    [...code.matchAll(/\bimport\b[^;]*?;|\b(?:class|interface|type|const|let|function|enum) \w+/g)].flatMap(
      ([part]) => part.match(/\w+/g) ?? [],
    ),
  );
  return [...found].filter((name) => !known.has(name));
}

/** Files that a program of Node reaches in the Worker's modules, over values and types. */
function sharedFiles(): Set<string> {
  const program: { exclude: string[] } = JSON.parse(readFileSync(join(ROOT, "tsconfig.node.json"), "utf8"));
  const roots = ["src/importer", "src/server", "test"]
    .flatMap((folder) => sourcesBelow(join(ROOT, folder)))
    .filter((path) => !program.exclude.includes(relative(ROOT, path)));
  const reached = new Set(roots);
  for (const path of reached)
    for (const { target } of importsOf(path))
      if (/^\..*\.tsx?$/.test(target) && existsSync(resolve(dirname(path), target)))
        reached.add(resolve(dirname(path), target));
  for (const root of roots) reached.delete(root);
  return reached;
}

describe("modules that also run in Node", () => {
  it("use no global names of the Worker's platform", () => {
    const names = platformNames();
    expect([names.has("D1Database"), names.has("WebSocketPair"), names.has("Request")]).toEqual([true, true, false]);
    const wrong = [...sharedFiles()].flatMap((path) =>
      used(readFileSync(path, "utf8"), names).map((name) => `${relative(ROOT, path)} uses ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("are searched for names in code, not in comments, strings and members", () => {
    const names = new Set(["D1Database", "caches"]);
    expect(used('/** D1Database */ const a = "caches"; a.caches();', names)).toEqual([]);
    expect(used("const a = `caches $" + "{f<D1Database>(1)}`;", names)).toEqual(["D1Database"]);
    expect(used("export function f(db: D1Database) {}", names)).toEqual(["D1Database"]);
    expect(used('import type { D1Database } from "./d1.ts"; let a: D1Database;', names)).toEqual([]);
  });
});
