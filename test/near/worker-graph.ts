import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { importsOf, ROOT } from "../support/imports.ts";
import type { FileGraph } from "./graph.ts";

/**
 * What a request reaches in the Worker. Its bundle holds everything, so imports alone would connect each test with each handler. A test
 * reaches the path of every request (`app.ts` without its list of endpoints), the handlers whose paths it names, and the Durable Objects
 * whose bindings these name.
 */

export const ENTRY = "src/worker/index.ts";
const APP = "src/worker/app.ts";
const LIST = "src/worker/http/endpoints.ts";

/** Requests that become other requests, and descriptions of all of them. */
const REACHES_ALL = /^\/(mcp|openapi\.json|docs|llms|v1\/explain)\b/;

/** A path in a text of a test: up to its query. */
const PATHS = /["'`}](\/(?:v1|maps|dashboard|docs|oauth|mcp|metrics|openapi|llms|api|\.well-known)\b[^"'`\s?#]*)/g;
const SCHEDULED = /"scheduled"|\.scheduled\(|\brunCron\(/;
/** Harnesses that can do all of it, and do what a test calls. */
const HARNESS = /^test\/(support\/|bench\/worker\.ts)/;

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

export class WorkerGraph {
  readonly #graph: FileGraph;
  /** Paths in the files of handlers, by segment. Where one is computed, its first part is here. */
  readonly #handlers: { segments: string[]; file: string }[] = [];
  /** The file of the class behind a binding. */
  readonly #objects = new Map<string, string>();

  constructor(graph: FileGraph) {
    this.#graph = graph;
    for (const file of graph.files) {
      if (!file.startsWith("src/worker/http/") || !file.endsWith(".ts")) continue;
      for (const [, path] of read(file).matchAll(/["`](\/[a-z.][^"`$\s?]*)/g))
        this.#handlers.push({ segments: path.split("/"), file });
    }
    this.#readObjects();
  }

  /** What the requests of files reach; undefined: everything. */
  reachOf(files: Iterable<string>): Set<string> | undefined {
    const own = [...files].filter((file) => /^test\/.*\.ts$/.test(file) && !HARNESS.test(file));
    const texts = own.map(read);
    const paths = texts.flatMap((text) =>
      [...text.replaceAll(/\$\{[^}]*\}/g, "*").matchAll(PATHS)].map(([, path]) => path),
    );
    if (paths.length === 0 || paths.some((path) => REACHES_ALL.test(path))) return undefined;
    const handlers = this.#handlers.filter(({ segments }) => paths.some((path) => isPathOf(path.split("/"), segments)));
    const starts = [APP, ...new Set(handlers.map(({ file }) => file))];
    if (texts.some((text) => SCHEDULED.test(text))) starts.push(...this.#rounds());
    return this.#followBindings(starts);
  }

  #followBindings(starts: string[]): Set<string> {
    const stops = (path: string) => path === LIST || path === ENTRY;
    let reached = this.#graph.reachOf(starts, stops);
    for (;;) {
      const objects = [...this.#objects].filter(
        ([binding, file]) =>
          !reached.has(file) &&
          [...reached].some((path) => path.startsWith("src/worker/objects/") && names(path, binding)),
      );
      if (objects.length === 0) return reached.add(ENTRY);
      const files = objects.map(([, file]) => file);
      reached = new Set([...reached, ...this.#graph.reachOf(files, stops)]);
    }
  }

  /** What index.ts runs by the clock. */
  #rounds(): string[] {
    return this.#graph.edgesOf(ENTRY).runs.filter((path) => /\/(rounds|moves|alerts)\//.test(path));
  }

  #readObjects(): void {
    const imports = importsOf(join(ROOT, ENTRY)).map(({ target }) =>
      relative(ROOT, resolve(ROOT, dirname(ENTRY), target)),
    );
    const text = read(ENTRY);
    for (const [, binding, name] of read("wrangler.toml").matchAll(/^name = "([A-Z_]+)"\nclass_name = "(\w+)"/gm)) {
      const base = new RegExp(`class ${name} extends (?:resident\\()?(\\w+)`).exec(text)?.[1] ?? name;
      const from = new RegExp(`${base.replace(/Object$/, "(?:Object)?")}\\b[^;]*?from "\\./([^"]+)"`).exec(text)?.[1];
      const file = from && join(dirname(ENTRY), from);
      if (!file || !imports.includes(file)) throw new Error(`No class behind the binding ${binding} in ${ENTRY}.`);
      this.#objects.set(binding, file);
    }
  }
}

const texts = new Map<string, string>();
function names(path: string, binding: string): boolean {
  const text = texts.get(path) ?? read(path);
  texts.set(path, text);
  return text.includes(`{ ${binding} } = env`) || text.includes(`.${binding}.`) || text.includes(`.${binding})`);
}

/**
 * Whether a path that a test writes, with `*` for what it computes, may be one of a handler. Each may go on in another text: a test's
 * where it ends with a slash or with something computed, a handler's after a resource.
 */
function isPathOf(written: readonly string[], pattern: readonly string[]): boolean {
  const last = written.at(-1) ?? "";
  const isOpen = last === "" || last.endsWith("*");
  if (written.length < pattern.length ? !isOpen : written.length > pattern.length && pattern.length < 3) return false;
  return written.slice(0, pattern.length).every((part, at) => {
    if (part === pattern[at] || pattern[at] === "" || pattern[at].startsWith(":")) return true;
    if (at === written.length - 1 && part === "") return true;
    const [known, ...computed] = part.split("*");
    return computed.length > 0 && pattern[at].startsWith(known);
  });
}
