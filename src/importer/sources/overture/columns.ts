import type { Leaf } from "./leaf.ts";

/** The columns of a row group: each is decoded when it is requested, so that a reader holds what it makes of them, not the columns. */
export interface GroupColumns {
  readonly rows: number;
  /** The column of this name ("sources/dataset"); undefined where the file does not have it, or it has only nulls. */
  leaf(name: string): Leaf | undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** Texts by row, "" for null. Each distinct text is changed once. */
export function textColumn(leaf: Leaf | undefined, change?: (text: string) => string): (row: number) => string {
  if (!leaf) return () => "";
  const { entries } = leaf;
  const texts = textsOf(leaf, change);
  return (row) => (entries[row] < 0 ? "" : texts[entries[row]]);
}

function textsOf({ values }: Leaf, change?: (text: string) => string): string[] {
  return values.map((value) => {
    const text = textOf(value);
    return change ? change(text) : text;
  });
}

/** The texts of a list by row, "" for null. */
export function listColumn(leaf: Leaf | undefined): (row: number) => string[] {
  if (!leaf?.starts) return () => [];
  const { entries, starts } = leaf;
  const texts = textsOf(leaf);
  return (row) => {
    const list: string[] = [];
    for (let i = starts[row]; i < starts[row + 1]; i++) list.push(entries[i] < 0 ? "" : texts[entries[i]]);
    return list;
  };
}

/** The first text of a list by row, "" without one. */
export function firstColumn(leaf: Leaf | undefined): (row: number) => string {
  if (!leaf?.starts) return () => "";
  const { entries, starts } = leaf;
  const texts = textsOf(leaf);
  return (row) => {
    const at = starts[row];
    return at < starts[row + 1] && entries[at] >= 0 ? texts[entries[at]] : "";
  };
}

/** A file without a dictionary has as many lists as rows. */
const MAX_DISTINCT = 100_000;

/**
 * What a list of texts in each row becomes, such as the levels of a town. Neighbors mostly have the same list, and it is made of each
 * distinct one once.
 *
 * @param leaves lists side by side, of the same lengths
 */
export function distinctLists<Made>(
  leaves: readonly (Leaf | undefined)[],
  make: (...lists: string[][]) => Made,
): (row: number) => Made {
  const present = leaves.filter((leaf) => leaf?.starts !== undefined) as Leaf[];
  const lists = leaves.map((leaf) => listColumn(leaf));
  const known = new Map<string, Made>();
  const made = (row: number): Made => {
    let key = "";
    for (const { entries, starts } of present) {
      for (let i = starts![row]; i < starts![row + 1]; i++) key += `${entries[i]},`;
      key += ";";
    }
    let found = known.get(key);
    if (found === undefined) {
      if (known.size >= MAX_DISTINCT) known.clear();
      found = make(...lists.map((list) => list(row)));
      known.set(key, found);
    }
    return found;
  };
  let last = -1;
  let own: Made;
  return (row) => {
    if (last < 0 || !present.every((leaf) => isSame(leaf, last, row))) own = made(row);
    last = row;
    return own;
  };
}

function isSame({ entries, starts }: Leaf, a: number, b: number): boolean {
  const [from, to] = [starts![a], starts![b]];
  const length = starts![a + 1] - from;
  if (starts![b + 1] - to !== length) return false;
  for (let i = 0; i < length; i++) if (entries[from + i] !== entries[to + i]) return false;
  return true;
}

export interface RowSource {
  dataset: string;
  license: string | undefined;
}

/** The dataset of each whole row: where `sources/property` is empty. Rows of one dataset share it. */
export function sourceColumn(columns: GroupColumns): (row: number) => RowSource {
  const leaves = ["sources/property", "sources/dataset", "sources/license"].map((name) => columns.leaf(name));
  return distinctLists(leaves, (properties, datasets, licenses) => {
    const whole = Math.max(
      0,
      datasets.findIndex((_, i) => (properties[i] ?? "") === ""),
    );
    return { dataset: datasets[whole] || "unknown", license: licenses[whole] || undefined };
  });
}
