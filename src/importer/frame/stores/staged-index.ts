import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** Where an object of a layer stands among the files of its stage. */
export interface StagedObject {
  key: string;
  /** 0: the pack itself; else its own file (`stagedFile`). */
  file: number;
  offset: number;
  length: number;
  sha256: string;
}

/** The file of a stage with a number. */
export function stagedFile(pack: string, number: number): string {
  return number === 0 ? pack : `${pack}.${number}`;
}

/**
 * The objects of a stage are listed in files next to the pack, a line of text for each, as a country has hundreds of thousands:
 * `PACK.journal` in the order in which they were written, which only grows; `PACK.index` by ascending key, once the layer is done.
 */
export const journalOf = (pack: string): string => `${pack}.journal`;
export const indexOf = (pack: string): string => `${pack}.index`;

export function indexLine({ key, file, offset, length, sha256 }: StagedObject): string {
  return `${key} ${file} ${offset} ${length} ${sha256}\n`;
}

/** The objects of a journal or an index, in its order. */
export async function* readIndex(path: string): AsyncGenerator<StagedObject> {
  for await (const line of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 18 }) })) {
    const [key, file, offset, length, sha256] = line.split(" ");
    yield { key, file: Number(file), offset: Number(offset), length: Number(length), sha256 };
  }
}

/** Creates the index of a journal. Lines are ordered as bytes, without a string for each: 120 bytes an object. */
export async function sortIndex(pack: string): Promise<void> {
  const lines = await readFile(journalOf(pack));
  const starts: number[] = [];
  for (let at = 0; at < lines.length; at = lines.indexOf(10, at) + 1) starts.push(at);
  const ends = starts.map((start) => lines.indexOf(32, start));
  // Keys are ASCII, and no two are equal.
  const order = Uint32Array.from(starts.keys()).sort((a, b) =>
    lines.compare(lines, starts[b], ends[b], starts[a], ends[a]),
  );
  const sorted = Buffer.allocUnsafe(lines.length);
  let used = 0;
  for (const i of order) used += lines.copy(sorted, used, starts[i], starts[i + 1] ?? lines.length);
  await writeFile(indexOf(pack), sorted);
}
