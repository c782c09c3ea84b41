import type { Mutation } from "./mutations.ts";

/** A mutation and the number that switches it on. */
export interface Mutant extends Mutation {
  id: number;
}

/**
 * The source with all its mutants in it, each behind `$mutant(id)`: one compilation serves them all. Mutations may lie inside each
 * other, but do not overlap otherwise. Lines stay where they are, unless a mutated text has line breaks of its own.
 * @throws Error when the text is another than the mutants were made of
 */
export function switchedText(text: string, mutants: readonly Mutant[]): string {
  const moved = mutants.find(({ start, end, original }) => text.slice(start, end) !== original);
  if (moved) throw new Error(`${moved.file} has changed since the run began.`);
  const ordered = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  let next = 0;
  const render = (from: number, to: number): string => {
    let out = "";
    let at = from;
    while (next < ordered.length && ordered[next].start < to) {
      const { start, end } = ordered[next];
      const same: Mutant[] = [];
      while (next < ordered.length && ordered[next].start === start && ordered[next].end === end)
        same.push(ordered[next++]);
      out += text.slice(at, start);
      out += same.reduceRight(wrapped, render(start, end));
      at = end;
    }
    return out + text.slice(at, to);
  };
  return render(0, text.length);
}

const rank = ({ kind }: Mutant) => (kind === "statement" ? 0 : 1);

const wrapped = (inside: string, { id, kind, mutated }: Mutant): string =>
  kind === "statement" ? `{ if (!$mutant(${id})) ${inside} }` : `($mutant(${id}) ? (${mutated}) : (${inside}))`;
