import { readFile, writeFile } from "node:fs/promises";

/** Which nodes of an extract are others than in the state before it: they stand elsewhere, came, or went. */
interface MovedNodes {
  /** SHA-256 of the extract that the changes were applied to. */
  before: string;
  /** Ascending ids. */
  nodes: Float64Array;
}

/** Next to an extract with changes applied: 64 characters of SHA-256, then the ids [float64]. */
const pathOf = (extract: string) => `${extract}.moved`;
const HEX = 64;

export async function writeMoved(extract: string, { before, nodes }: MovedNodes): Promise<void> {
  await writeFile(pathOf(extract), Buffer.concat([Buffer.from(before, "latin1"), new Uint8Array(nodes.buffer)]));
}

/** undefined of an extract that no update has made. */
export async function readMoved(extract: string): Promise<MovedNodes | undefined> {
  const bytes = await readFile(pathOf(extract)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!bytes || bytes.length < HEX || (bytes.length - HEX) % 8 !== 0) return undefined;
  const before = bytes.subarray(0, HEX).toString("latin1");
  return { before, nodes: new Float64Array(new Uint8Array(bytes.subarray(HEX)).buffer) };
}
