import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT } from "../support/imports.ts";

/** Lines of a README: a page. */
const MAX_LINES = 60;
/** Before an example that needs a server: it is not run. */
const NOT_RUN = "<!-- not run -->";

const foldersOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
const MODULES = readFileSync(join(ROOT, "test/architecture/modules.test.ts"), "utf8");
const SCRIPTS: object = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;
const FOLDERS = [...foldersOf("src"), ...foldersOf("src/core")];

const pathOf = (folder: string) => join(ROOT, folder, "README.md");
const readmeOf = (folder: string) => (existsSync(pathOf(folder)) ? readFileSync(pathOf(folder), "utf8") : "");

/** The modules that a folder of core may import, as modules.test.ts lists them; undefined for other folders. */
function importsOfModule(folder: string): string[] | undefined {
  const [, name] = /^src\/core\/(.*)/.exec(folder) ?? [];
  const [, list] = new RegExp(`^  ${name}: \\[(.*)\\],$`, "m").exec(MODULES) ?? [];
  return list === undefined ? undefined : [...list.matchAll(/"(\w+)"/g)].map(([, module]) => module);
}

const isExported = (name: string, text: string) =>
  new RegExp(`^export (?:async )?(?:function\\*?|class|const|interface|type) ${name}\\b`, "m").test(text);

/** Links of a page in some folder to files that do not exist. */
function brokenLinks(page: string, folder: string): string[] {
  const targets = [...page.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !existsSync(resolve(ROOT, folder, target)));
}

/** The TypeScript of a page that is run. */
function examplesIn(page: string): string[] {
  return [...page.matchAll(/^(.*)\n```ts\n([\s\S]*?)^```$/gm)]
    .filter(([, before]) => before !== NOT_RUN)
    .map(([, , code]) => code);
}

/** An example with the imports of its README's folder, where `EXPRESSION; // → VALUE` calls `check(EXPRESSION, VALUE)`. */
function runnable(code: string, folder: string): string {
  const require = createRequire(join(ROOT, "package.json"));
  const target = (name: string) => {
    if (name.startsWith(".")) return resolve(ROOT, folder, name);
    if (name === "graticule-client") return join(ROOT, "src/client/index.ts");
    return name.startsWith("node:") ? name : require.resolve(name);
  };
  return code
    .replace(/(\bfrom |\bimport\()"([^"]+)"/g, (_, before, name) => `${before}${JSON.stringify(target(name))}`)
    .replace(/^(?:const (\w+) = )?(.+?);? \/\/ → (.+)$/gm, (_, name, expression, value) =>
      name
        ? `const ${name} = ${expression};\nglobalThis.check(${name}, ${value}, ${JSON.stringify(name)});`
        : `globalThis.check(${expression}, ${value}, ${JSON.stringify(expression)});`,
    );
}

/* The log lines of an example of the Worker are not of the test. */
beforeAll(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
afterAll(() => vi.restoreAllMocks());

const scratch = mkdtempSync(join(tmpdir(), "readmes-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let written = 0;

/** Runs an example; returns the number of values that it showed and that were right. */
async function run(code: string, folder: string): Promise<number> {
  let checks = 0;
  const check = (actual: unknown, shown: unknown, expression: string) => {
    expect(actual, `${folder}/README.md: ${expression}`).toEqual(shown);
    checks++;
  };
  const path = join(scratch, `example-${written++}.ts`);
  writeFileSync(path, runnable(code, folder));
  Object.assign(globalThis, { check });
  await import(/* @vite-ignore */ path);
  return checks;
}

describe.each(FOLDERS)("the README of %s", (folder) => {
  const page = readmeOf(folder);

  it(`is a page of at most ${MAX_LINES} lines that says what the folder may import`, () => {
    expect(page, `${folder}/README.md is missing`).not.toBe("");
    expect(page.split("\n").length).toBeLessThanOrEqual(MAX_LINES);
    const [, rule = ""] = /\bmay import ([^.]*)/.exec(page) ?? [];
    expect(rule).not.toBe("");
    const allowed = importsOfModule(folder);
    if (allowed) expect([...rule.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(allowed);
  });

  it("names entry points that the linked files export, and commands that exist", () => {
    const entries = [...page.matchAll(/((?:`\w+`(?:, )?)+) in \[[^\]]*\]\(([^)]+)\)/g)];
    const gone = entries.flatMap(([, names, target]) => {
      const path = resolve(ROOT, folder, target);
      const text = existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : "";
      return [...names.matchAll(/\w+/g)]
        .filter(([name]) => !isExported(name, text))
        .map(([name]) => `${name} in ${target}`);
    });
    expect(gone).toEqual([]);
    const commands = [...page.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name]) => name);
    expect(commands.filter((name) => !(name in SCRIPTS))).toEqual([]);
  });

  it("has links to files that exist", () => {
    expect(brokenLinks(page, folder)).toEqual([]);
  });

  it("has at least one example, and all give the values they show", async () => {
    const examples = examplesIn(page);
    let checks = 0;
    for (const code of examples) checks += await run(code, folder);
    expect(checks).toBeGreaterThan(0);
  });
});

describe("the pages of the repository", () => {
  it("have links to files that exist", () => {
    const markdown = (below: string) => readdirSync(join(ROOT, below)).filter((name) => name.endsWith(".md"));
    const pages = ["", "docs", "docs/decisions", "docs/formats"].flatMap((below) =>
      markdown(below).map((name) => join(below, name)),
    );
    const broken = pages.flatMap((path) => brokenLinks(readFileSync(join(ROOT, path), "utf8"), dirname(path)));
    expect(broken).toEqual([]);
    expect(brokenLinks("[a](gone.md) [b](README.md#top) [c](https://example.com)", "")).toEqual(["gone.md"]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("has a link to each README", () => {
    const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
    expect(FOLDERS.filter((folder) => !page.includes(`(${relative(ROOT, pathOf(folder))})`))).toEqual([]);
  });
});

describe("an example", () => {
  it("fails when it shows another value or throws", async () => {
    const folder = "src/core/geo";
    const code = (value: string) =>
      `import { parseCoordinate } from "./coordinate.ts";\nparseCoordinate("1,2"); // → ${value}\n`;
    await expect(run(code("{ latitude: 1, longitude: 2 }"), folder)).resolves.toBe(1);
    await expect(run(code("{ latitude: 1, longitude: 3 }"), folder)).rejects.toThrow();
    await expect(run(`const three = 1 + 1; // → 3\n`, folder)).rejects.toThrow();
    await expect(run(`throw new Error("broken");`, folder)).rejects.toThrow("broken");
    await expect(run(`import { gone } from "./gone.ts";\ngone(); // → 1\n`, folder)).rejects.toThrow();
  });

  it("is a block of TypeScript, unless the page says that it is not run", () => {
    expect(examplesIn("\n```ts\na;\n```\n\n```sh\nb\n```\n")).toEqual(["a;\n"]);
    expect(examplesIn(`${NOT_RUN}\n\`\`\`ts\na;\n\`\`\`\n`)).toEqual([]);
  });
});
