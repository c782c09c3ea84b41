import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, matchesGlob, relative, resolve } from "node:path";
import { importsOf } from "../support/imports.ts";
import { digestOf } from "./kept.ts";

/** Rooms whose rules need a running Worker. */
export const isWorkerRoom = (room: string) => /^(src\/)?(worker\/)?(http|objects|db)(\/|$)/.test(room);

/** The TypeScript files below a folder, as paths from the root; none when it does not exist. */
export function filesBelow(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return /\.tsx?$/.test(folder) && !folder.endsWith(".d.ts") ? [folder] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(root, join(folder, name)));
}

export interface Test {
  file: string;
  /** Of the texts of the test and of all that it runs: as long as it is the same, so is what the test does. */
  digest: string;
}

/** Tests of the tree's own habits, and of this tool. */
const NOT_OF_RULES = /^test\/(mutation|architecture|conformance)[/.]|\.extracts\.test\.ts$/;

/** The pure tests from which imports lead to one of the files. */
export function pureTestsOf(root: string, files: readonly string[], workerTests: readonly string[]): Test[] {
  const digests = new Map<string, string>();
  return filesBelow(root, "test")
    .filter((test) => test.endsWith(".test.ts") && !NOT_OF_RULES.test(test))
    .filter((test) => !workerTests.some((glob) => matchesGlob(test, glob)))
    .map((file) => ({ file, sources: sourcesOf(root, file) }))
    .filter(({ sources }) => files.some((file) => sources.has(file)))
    .map(({ file, sources }) => ({ file, digest: digestOfFiles(root, sources, digests) }));
}

/** Tests that send requests to the Worker that all of them share. */
export function workerTestsOf(root: string, workerTests: readonly string[]): Test[] {
  const digests = new Map<string, string>();
  const worker = filesBelow(root, "src").filter((file) => !/^src\/(server|importer|dashboard|demo)\//.test(file));
  return filesBelow(root, "test")
    .filter((file) => workerTests.some((glob) => matchesGlob(file, glob)) && !OTHER_WORKER_TESTS.test(file))
    .map((file) => ({ file, digest: digestOfFiles(root, new Set([...worker, ...sourcesOf(root, file)]), digests) }));
}

/**
 * Tests of pages, commands and imports; those that ask every endpoint, start Workers of their own (where no mutant is on), compile
 * clients, or wait for databases that are away.
 */
const OTHER_WORKER_TESTS =
  /^test\/(browser|server|fuzz|kill|importer|demo|worker\/geodata|mutation|bench)\/|\/(every-endpoint|database-away|typed-client|guides|delivery|release-[\d.]+)\.(worker\.)?test\.ts$/;

function digestOfFiles(root: string, files: ReadonlySet<string>, known: Map<string, string>): string {
  const digests = [...files].sort().map((file) => {
    const digest = known.get(file) ?? digestOf(file, readFileSync(join(root, file), "utf8"));
    known.set(file, digest);
    return digest;
  });
  return digestOf(...digests);
}

/** The file and all that its imports lead to, as paths from the root. */
function sourcesOf(root: string, file: string): Set<string> {
  const seen = new Set([resolve(root, file)]);
  for (const path of seen) {
    const imported = importsOf(path).filter(({ typeOnly }) => !typeOnly);
    for (const target of [...imported.map(({ target }) => target), ...urlsIn(path)]) {
      const next = resolve(dirname(path), target);
      if (target.startsWith(".") && /\.tsx?$/.test(target) && existsSync(next)) seen.add(next);
    }
  }
  return new Set([...seen].map((path) => relative(root, path)));
}

/** Modules that are imported by their URL, without their types: `import(new URL("./x.ts", import.meta.url).href)`. */
function urlsIn(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g)].map(
    ([, url]) => url,
  );
}
