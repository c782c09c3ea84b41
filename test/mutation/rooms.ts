import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, matchesGlob, relative, resolve } from "node:path";
import { importsOf } from "../support/imports.ts";
import { digestOf } from "./kept.ts";

/** The TypeScript files below a folder, as paths from the root; none when it does not exist. */
export function filesBelow(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return /\.tsx?$/.test(folder) && !folder.endsWith(".d.ts") ? [folder] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(root, join(folder, name)));
}

/** A test, and the sources to which its imports lead. */
export interface Test {
  file: string;
  sources: Set<string>;
  /** A digest of all these texts: as long as it is the same, so is what the test does. */
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
    .map(({ file, sources }) => {
      const texts = [...sources].sort().map((source) => {
        const known = digests.get(source) ?? digestOf(source, readFileSync(join(root, source), "utf8"));
        digests.set(source, known);
        return known;
      });
      return { file, sources, digest: digestOf(...texts) };
    });
}

/** The file and all that its imports lead to, as paths from the root. */
function sourcesOf(root: string, file: string): Set<string> {
  const seen = new Set([resolve(root, file)]);
  for (const path of seen)
    for (const { target, typeOnly } of importsOf(path)) {
      const next = resolve(dirname(path), target);
      if (!typeOnly && target.startsWith(".") && /\.tsx?$/.test(target) && existsSync(next)) seen.add(next);
    }
  return new Set([...seen].map((path) => relative(root, path)));
}
