import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Who imports whom, read from the text of the files. */

export interface Import {
  /** As it is written: "./heap.ts", "hono". */
  target: string;
  /** Of types only: nothing of it is left when the program runs. */
  typeOnly: boolean;
  /** By `import()`, when the program comes to it. */
  isLater: boolean;
}

export const ROOT = resolve(import.meta.dirname, "../..");

export function sourcesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory()
      ? sourcesBelow(path)
      : /\.tsx?$/.test(name) && !name.endsWith(".d.ts")
        ? [path]
        : [];
  });
}

const read = new Map<string, Import[]>();

export function importsOf(path: string): Import[] {
  const known = read.get(path);
  if (known) return known;
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\b)?[^;"']*?from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|(?:^|\n)\s*import\s*["']([^"']+)["']/g,
  );
  const imports = [...found].map(([, type, from, called, bare]) => ({
    target: from ?? called ?? bare,
    typeOnly: type !== undefined,
    isLater: called !== undefined,
  }));
  read.set(path, imports);
  return imports;
}

/** The files below a folder and the files each imports, as paths from the root of the repository. */
export function importGraph(folder: string, { types }: { types: boolean }): Map<string, string[]> {
  const name = (path: string) => relative(ROOT, path);
  return new Map(
    sourcesBelow(folder).map((path) => [
      name(path),
      importsOf(path)
        .filter(({ target, typeOnly }) => target.startsWith(".") && (types || !typeOnly))
        .map(({ target }) => name(resolve(dirname(path), target))),
    ]),
  );
}

/** Groups of files that reach each other, each sorted by name (Tarjan 1972: strongly connected components). */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    stack.push(file);
    open.add(file);
    let low = own;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.has(next)) low = Math.min(low, order.get(next) ?? own);
    }
    lowest.set(file, low);
    if (low === own) {
      const group = stack.splice(stack.indexOf(file));
      for (const member of group) open.delete(member);
      if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.sort((a, b) => a[0].localeCompare(b[0]));
}
