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

  /** Whether a change of a file reaches every test. */
  isOfAll = (path: string): boolean => OF_ALL.test(path);

  /** The tests that reach a changed file, by name. A file that is gone was reached by what changed with it. */
  testsNear(changed: readonly string[], tests = this.tests): string[] {
    if (changed.some(this.isOfAll)) return tests;
    return tests.filter((test) => changed.some((path) => this.reachOf(test).has(path)));
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
    if (!isWorkerTest(test)) return this.#graph.reachOf([test], (path) => path === ENTRY);
    const own = this.#graph.reachOf([test], (path) => path === CONFIG || path === ENTRY);
    if (!own.has(WORLD)) return own.has(CONFIG) ? this.#graph.reachOf([test]) : own;
    const answered = SHOWS_PAGES.test(test) ? undefined : this.#worker.reachOf(own);
    if (!answered) return this.#graph.reachOf([test, SERVER, CONFIG]);
    const isDashboard = (path: string) => /^src\/dashboard\//.test(path);
    this.#server ??= this.#graph.reachOf([SERVER], (path) => path === CONFIG || path === ENTRY || isDashboard(path));
    return new Set([...own, ...answered, ...[...this.#server].filter((path) => !isDashboard(path))]);
  }
}
