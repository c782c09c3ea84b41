import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { ROOT, sourcesBelow } from "./imports.ts";

/** The same lines in two places. */
export interface Duplicate {
  /** "src/a.ts:10", "src/b.ts:20": the first line of each. */
  places: [string, string];
  /** Lines of code: blank lines, comments and imports do not count. */
  lines: number;
}

interface Line {
  place: string;
  text: string;
}

/**
 * Runs of at least `least` equal lines of code. Compared is what is left of a line without spaces around it, so a copy whose names were
 * changed is not found: this guards against copying, not against thinking alike.
 */
export function duplicatesIn(files: ReadonlyMap<string, string>, least: number): Duplicate[] {
  const lines: Line[] = [];
  for (const [name, text] of files)
    lines.push(...codeLines(name, text), { place: `${name}:end`, text: `end of ${name}` });
  const firstAt = new Map<string, number[]>();
  for (let i = 0; i + least <= lines.length; i++) {
    const window = lines
      .slice(i, i + least)
      .map(({ text }) => text)
      .join("\n");
    firstAt.set(window, [...(firstAt.get(window) ?? []), i]);
  }
  const found: Duplicate[] = [];
  for (const places of firstAt.values()) {
    for (const [k, a] of places.entries()) {
      for (const b of places.slice(k + 1)) {
        // Told where it begins only: the line before differs.
        if (b - a < least || (a > 0 && lines[a - 1].text === lines[b - 1].text)) continue;
        let length = least;
        while (lines[a + length]?.text === lines[b + length]?.text) length++;
        found.push({ places: [lines[a].place, lines[b].place], lines: length });
      }
    }
  }
  return found;
}

/** The sources below a folder by their path from the root of the repository. */
export function textsBelow(folder: string): Map<string, string> {
  return new Map(sourcesBelow(folder).map((path) => [relative(ROOT, path), readFileSync(path, "utf8")]));
}

function codeLines(name: string, text: string): Line[] {
  const bare = text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|\n)import\s[^;]*;/g, (statement) => statement.replace(/[^\n]/g, ""));
  return bare.split("\n").flatMap((line, i) => {
    const code = line.trim();
    return code === "" || code.startsWith("//") ? [] : [{ place: `${name}:${i + 1}`, text: code }];
  });
}
