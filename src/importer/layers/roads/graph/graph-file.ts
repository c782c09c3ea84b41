import type { FileHandle } from "node:fs/promises";
import { open, rename } from "node:fs/promises";
import { type Numbers, type NumbersOf, sharedNumbers } from "./column.ts";
import { COLUMNS, type ColumnName, openGraph, type PlainParts, shareGraph } from "./graph-columns.ts";
import type { RoadGraph } from "./road-graph.ts";

/**
 * A graph on disk, for an import that continues after an interruption on the same machine: no format for others.
 *
 *     header length (8 bytes) · header (JSON: plain parts, counts of the columns) · the columns as they are in memory
 */
interface Header {
  plain: PlainParts;
  counts: Record<ColumnName, number>;
}

const NAMES = Object.keys(COLUMNS) as ColumnName[];
/** Data for the tiles only: lines and names, about half of a graph. */
const SHAPES: ReadonlySet<ColumnName> = new Set(["shapeLatitude", "shapeLongitude", "recordStarts", "recordBytes"]);
/** Bytes per read and write: a single one may not reach 2 GB. */
const CHUNK = 16 * 1024 * 1024;
const PREFIX = 8;

/** Writes the graph, whole or not at all: the file takes its name when everything is in it. */
export async function saveGraph(path: string, graph: RoadGraph): Promise<void> {
  const { columns, plain } = shareGraph(graph);
  const counts = Object.fromEntries(NAMES.map((name) => [name, columns[name].length])) as Header["counts"];
  const header = Buffer.from(JSON.stringify({ plain, counts } satisfies Header));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeDoubleLE(header.length);
  const file = await open(`${path}.part`, "w");
  try {
    await file.writeFile(prefix);
    await file.writeFile(header);
    for (const name of NAMES) {
      const bytes = bytesOf(columns[name]);
      for (let at = 0; at < bytes.length; at += CHUNK) await file.writeFile(bytes.subarray(at, at + CHUNK));
    }
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

/**
 * The graph of a file. Without `shapes` it has no points between junctions and no records; dividing it and searching in it
 * need neither. Columns that `known`, the same graph, still holds are copied from there.
 */
export async function loadGraph(
  path: string,
  { shapes = true, known }: { shapes?: boolean; known?: RoadGraph } = {},
): Promise<RoadGraph> {
  const there = known && shareGraph(known).columns;
  const file = await open(path);
  try {
    const prefix = Buffer.alloc(PREFIX);
    await fill(file, path, prefix, 0);
    const text = Buffer.alloc(prefix.readDoubleLE());
    await fill(file, path, text, PREFIX);
    const { plain, counts } = JSON.parse(text.toString()) as Header;
    const columns = {} as Record<ColumnName, Numbers>;
    let at = PREFIX + text.length;
    for (const name of NAMES) {
      if (!shapes && SHAPES.has(name)) columns[name] = emptyShape(name);
      else if (there && there[name].length === counts[name]) columns[name] = there[name];
      else {
        columns[name] = sharedNumbers(kindOf(name), counts[name]);
        await fill(file, path, bytesOf(columns[name]), at);
      }
      at += counts[name] * kindOf(name).BYTES_PER_ELEMENT;
    }
    return openGraph({ columns, plain });
  } finally {
    await file.close();
  }
}

/** The graph as `loadGraph` gives it without `shapes`. */
export function withoutShapes(graph: RoadGraph): RoadGraph {
  const { columns, plain } = shareGraph(graph);
  for (const name of SHAPES) columns[name] = emptyShape(name);
  return openGraph({ columns, plain });
}

const kindOf = (name: ColumnName) => COLUMNS[name] as NumbersOf<Numbers>;

/** No records are one number: where the first would begin. */
const emptyShape = (name: ColumnName): Numbers => sharedNumbers(kindOf(name), name === "recordStarts" ? 1 : 0);

async function fill(file: FileHandle, path: string, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, Math.min(CHUNK, bytes.length - at), offset + at);
    if (bytesRead === 0) throw new Error(`${path} is shorter than its header says`);
    at += bytesRead;
  }
}

const bytesOf = (numbers: Numbers): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
