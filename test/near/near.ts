import { execFileSync } from "node:child_process";
import { ROOT } from "../support/imports.ts";
import { CONFIG, FileGraph, isTest, isWorkerTest } from "./graph.ts";
import { ENTRY, WorkerGraph } from "./worker-graph.ts";

/** Whoever imports this asks the Worker under test, which SERVER starts. */
const WORLD = "test/support/world.ts";
const SERVER = "test/support/server.ts";

/** A change of these reaches every test. */
const OF_ALL = /^(package(-lock)?\.json|vitest\.config\.ts|\.npmrc|\.nvmrc|test\/support\/equal-bytes\.ts)$/;

/** Pages call most endpoints: their tests reach the whole Worker, and the dashboard. */
const SHOWS_PAGES = /^test\/browser\//;

export class Near {
  readonly #graph: FileGraph;
  readonly #worker: WorkerGraph;
  #server: Set<string> | undefined;
  readonly #reach = new Map<string, Set<string>>();

  constructor(graph = new FileGraph()) {
    this.#graph = graph;
    this.#worker = new WorkerGraph(graph);
  }

  get tests(): string[] {
    return [...this.#graph.files].filter(isTest).sort();
  }

  /** The tests that reach a changed file, by name. A file that is gone was reached by what changed with it. */
  testsNear(changed: readonly string[]): string[] {
    if (changed.some((path) => OF_ALL.test(path))) return this.tests;
    return this.tests.filter((test) => !new Set(changed).isDisjointFrom(this.reachOf(test)));
  }

  reachOf(test: string): Set<string> {
    let reach = this.#reach.get(test);
    if (!reach) {
      reach = this.#follow(test);
      this.#reach.set(test, reach);
    }
    return reach;
  }

  #follow(test: string): Set<string> {
    if (!isWorkerTest(test)) return this.#graph.reachOf([test], (path) => path === CONFIG);
    const own = this.#graph.reachOf([test], (path) => path === CONFIG || path === ENTRY);
    if (!own.has(WORLD)) return own.has(CONFIG) ? this.#graph.reachOf([test]) : own;
    const answered = SHOWS_PAGES.test(test) ? undefined : this.#worker.reachOf(own);
    if (!answered) return this.#graph.reachOf([test, SERVER, CONFIG]);
    const isDashboard = (path: string) => /^src\/dashboard\//.test(path);
    this.#server ??= this.#graph.reachOf([SERVER], (path) => path === CONFIG || path === ENTRY || isDashboard(path));
    return own.union(answered).union(new Set([...this.#server].filter((path) => !isDashboard(path))));
  }
}

/** What differs from a commit, also what Git does not know yet. Without one: from HEAD, or from main where nothing does. */
export function changedFiles(since?: string): string[] {
  const lines = (...words: string[]) =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
  const differing = (commit: string) => [
    ...lines("diff", "--name-only", "--no-renames", commit),
    ...lines("ls-files", "--others", "--exclude-standard"),
  ];
  if (since) return differing(lines("merge-base", since, "HEAD")[0]);
  const own = differing("HEAD");
  return own.length > 0 ? own : changedFiles("main");
}
