import { ts } from "@ts-morph/common";
import { sitesOf } from "./mutators.ts";

/** One change of one rule. */
export interface Mutation {
  /** Path from the root of the repository. */
  file: string;
  /** The first line of the changed text, from 1. */
  line: number;
  /** Offsets of the changed text in the file. */
  start: number;
  end: number;
  /** An expression is replaced; a statement is skipped. */
  kind: "expression" | "statement";
  /** Name of the rule that changed it. */
  mutator: string;
  /** The text before and after; `mutated` is empty for a statement. */
  original: string;
  mutated: string;
  /** The line where it starts, trimmed. */
  source: string;
}

/** All mutations of a TypeScript source, in the order of the text; outer ones before those inside them. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const lines = text.split("\n");
  const found = new Map<string, Mutation>();
  for (const { node, kind, mutator, mutated } of sitesOf(tree)) {
    const [start, end] = [node.getStart(tree), node.getEnd()];
    const original = text.slice(start, end);
    if (mutated === original) continue;
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const source = lines[line - 1].trim();
    found.set(`${start} ${end} ${mutated}`, { file, line, start, end, kind, mutator, original, mutated, source });
  }
  return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Names a mutation for as long as its file stays as it is. */
export const keyOf = ({ file, start, end, mutated }: Mutation) => `${file}:${start}-${end}:${mutated}`;

/** A change as one line: `a < b` → `a <= b`. */
export function changeOf({ kind, original, mutated }: Mutation): string {
  const short = (text: string) => text.replace(/\s+/g, " ").replace(/^(.{100}).{4,}$/, "$1 ...");
  return kind === "statement" ? `remove \`${short(original)}\`` : `\`${short(original)}\` → \`${short(mutated)}\``;
}
