import { dirname, join, matchesGlob, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { WORKER_TESTS } from "../near/speeds.ts";
import { importsOf, ROOT, sourcesBelow } from "../support/imports.ts";

/** What starts a Worker, or waits for the one that was started. */
const SERVERS = /^(wrangler|miniflare)$|\/test\/(support\/(world|server)|bench\/worker)\.ts$/;

/** What starts processes. A pure test may start one of Node's for a function of ours; our commands are tested beside the Worker. */
const PROCESSES = /^node:child_process$/;

/**
 * The way from a file to such a module, or nothing: every value that it imports, and they import, is followed.
 * @param atOnce only what is loaded with the file
 */
function wayTo(what: RegExp, start: string, { atOnce = false } = {}): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const path of cameFrom.keys()) {
    for (const { target, typeOnly, isLater } of importsOf(path)) {
      if (typeOnly || (atOnce && isLater)) continue;
      const next = target.startsWith(".") ? resolve(dirname(path), target) : target;
      if (what.test(next)) {
        const way = [next];
        for (let at: string | undefined = path; at; at = cameFrom.get(at)) way.unshift(at);
        return way.map((step) => relative(ROOT, step));
      }
      if (next.endsWith(".ts") && !cameFrom.has(next)) cameFrom.set(next, path);
    }
  }
  return undefined;
}

const tests = sourcesBelow(join(ROOT, "test")).filter((path) => path.endsWith(".test.ts"));
const isWorker = (path: string) => WORKER_TESTS.some((glob) => matchesGlob(relative(ROOT, path), glob));

describe("tests in two speeds", () => {
  it("a test of the project `pure` starts no Worker and asks none, however far its imports are followed", () => {
    expect(tests.filter((path) => !isWorker(path)).flatMap((path) => wayTo(SERVERS, path)?.join(" > ") ?? [])).toEqual(
      [],
    );
  });

  it("a test named .worker.test.ts needs a Worker, or starts processes: without either it would be quicker as pure", () => {
    const named = tests.filter((path) => path.endsWith(".worker.test.ts"));
    expect(named.length).toBeGreaterThan(0);
    expect(
      named.filter((path) => !wayTo(SERVERS, path) && !wayTo(PROCESSES, path)).map((path) => relative(ROOT, path)),
    ).toEqual([]);
  });
});

it("a start loads Miniflare and tools of builds in processes of their own: 80 MB beside the first builds", () => {
  const prepares = join(ROOT, "src/server/start/command.ts");
  expect(wayTo(/^(wrangler|miniflare|vite)$/, prepares)).toBeDefined();
  expect(wayTo(/^(wrangler|miniflare|vite)$/, prepares, { atOnce: true })).toBeUndefined();
});
