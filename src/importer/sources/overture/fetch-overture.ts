import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { ImportError } from "../../common/import-error.ts";
import type { Area, OvertureKind, OvertureSource } from "../../common/overture-source.ts";
import type { Progress } from "../../common/progress.ts";
import { amount, type Reporter } from "../../report/reporter.ts";
import { isUrl } from "../download.ts";
import { boxesOfCountry, isWithin, joinBoxes, selectGroups } from "./area.ts";
import { ParquetFile } from "./parquet-file.ts";
import { type Dataset, PartBuilder, readPart } from "./part-file.ts";
import { parquetFiles, releaseIn } from "./release.ts";
import type { Keep, RowReader } from "./row-reader.ts";

/** Places of a lower confidence are not imported. */
const DEFAULT_CONFIDENCE = 0.6;
/** Raised where parts have other rows than those of an earlier version of this program. */
const PART_VERSION = 3;
/** Memory that a decoded row group takes, for each of its bytes. */
const DECODED_PER_BYTE = 6;
/** Row groups that are read at a time, over a network. */
const AT_ONCE = 2;

/** The rows of a release that an import reads, as JSON in a file next to its parts. */
export interface OverturePlan {
  /** Raised where parts have another form. */
  version: 2;
  kind: OvertureKind;
  /** "2026-10-21.0", where the paths have it. */
  release?: string;
  rows: number;
  /** Around the rows: several boxes, where they are far from each other. */
  bounds: Bounds[];
  /** Of all parts, by name. */
  datasets: Dataset[];
  /** Rows that were skipped, by reason. */
  skipped: Record<string, number>;
  /** In order: file next to the plan, and beginning of its SHA-256. */
  parts: { file: string; sha256: string }[];
}

interface FetchOptions {
  cache: string;
  reporter: Reporter;
  /** Of each kind that can be imported. */
  readers: readonly RowReader[];
  /** Bytes that may be held. */
  memory: number;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
  retryAfter?: number;
}

/** The plans of an import, by kind. */
export type OverturePlans = Partial<Record<OvertureKind, string>>;

/** A row group to read. */
interface Task {
  file: ParquetFile;
  group: number;
  bytes: number;
  rows: number;
  path: string;
}

/**
 * Reads an area of a release of Overture Maps: of each file the footer, then the row groups whose statistics meet the area, of these the
 * columns in use. What was read of a row group is kept, so an interrupted run continues, and the next import of the same file reads nothing.
 *
 * @returns paths of the plans
 * @throws ImportError
 */
export async function fetchOverture(source: OvertureSource, options: FetchOptions): Promise<OverturePlans> {
  const { cache, reporter, allowHttp = false, retryAfter } = options;
  const boxes = source.country === undefined ? [] : boxesOfCountry(source.country);
  const folder = join(cache, "overture");
  await mkdir(folder, { recursive: true });
  const keep = keeperOf(source, boxes);
  const names = await parquetFiles(source.words, allowHttp);
  const files: ParquetFile[] = [];
  try {
    const tasks = new Map<RowReader, Task[]>();
    const footers = reporter.begin("footers");
    footers.expect(names.length, "files");
    for (const name of names) {
      const file = await ParquetFile.open(name, { allowHttp, ...(retryAfter !== undefined && { retryAfter }) });
      files.push(file);
      const reader = readerOf(file, options.readers, source.kind);
      const own = tasks.get(reader) ?? [];
      own.push(...tasksOf(file, reader, source, boxes, folder));
      tasks.set(reader, own);
      footers.advance();
    }
    footers.end();
    const plans: OverturePlans = {};
    for (const reader of options.readers) {
      const own = tasks.get(reader);
      if (own)
        plans[reader.kind] = await readAll(reader, own, source, keep, folder, {
          ...options,
          files: files.filter((file) => readerOf(file, options.readers, source.kind) === reader).length,
        });
    }
    return plans;
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

function readerOf(file: ParquetFile, readers: readonly RowReader[], wanted: OvertureKind | undefined): RowReader {
  const columns = new Set(file.columns);
  const missing = ({ required }: RowReader) => required.filter((column) => !columns.has(column));
  const reader = readers.find((one) => (wanted === undefined ? missing(one).length === 0 : one.kind === wanted));
  const name = basename(file.source);
  if (!reader) throw new ImportError(`${name} has no addresses, places or division areas of Overture.`);
  const lacking = missing(reader);
  if (lacking.length === 0) return reader;
  const are = lacking.length === 1 ? ["column", "is"] : ["columns", "are"];
  throw new ImportError(
    `${name} has no ${reader.kind} of Overture: the ${are[0]} ${lacking.join(", ")} ${are[1]} missing.`,
  );
}

function tasksOf(
  file: ParquetFile,
  { kind, columns }: RowReader,
  source: OvertureSource,
  boxes: readonly Bounds[],
  folder: string,
) {
  const { country, bounds, confidence = DEFAULT_CONFIDENCE } = source;
  return selectGroups(file.metadata, source, boxes).map((group): Task => {
    const row = file.metadata.row_groups[group];
    const key = JSON.stringify([file.source, file.version, group, kind, PART_VERSION, country, bounds, confidence]);
    const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
    const path = join(folder, `${kind}-${name}.rows`);
    return { file, group, bytes: file.bytesOf(row, columns), rows: Number(row.num_rows), path };
  });
}

async function readAll(
  reader: RowReader,
  tasks: readonly Task[],
  source: OvertureSource,
  keep: Keep,
  folder: string,
  { reporter, memory, files }: FetchOptions & { files: number },
): Promise<string> {
  const { kind } = reader;
  const known = await Promise.all(tasks.map(({ path }) => readPart(path).then((part) => part !== undefined)));
  const open = tasks.filter((_, i) => !known[i]);
  const sum = (list: readonly Task[], of: (task: Task) => number) => list.reduce((total, task) => total + of(task), 0);
  const most = Math.max(0, ...open.map((task) => DECODED_PER_BYTE * decodedBytes(task, reader)));
  if (most > memory)
    throw new ImportError(
      `A row group of ${basename(open[0].file.source)} takes ${amount(most, "B")} of memory to read, more than --memory leaves. Use a larger --memory.`,
    );
  const rows = sum(tasks, (task) => task.rows);
  const bytes = sum(open, (task) => task.bytes);
  const within = `${several(tasks.length, "row group")} of ${several(files, "file")} in the area, with up to ${several(rows, "row")}`;
  reporter.say(`Overture ${kind}: ${within}; ${amount(bytes, "B")} to read. What was read is kept in ${folder}.`);
  const progress = reporter.begin(`overture ${kind}`);
  progress.expect(bytes, "B");
  const width = open.some(({ file }) => isUrl(file.source)) && 2 * most <= memory ? AT_ONCE : 1;
  let next = 0;
  const work = async () => {
    while (next < open.length) await readTask(open[next++], reader, source, keep, progress);
  };
  await Promise.all(Array.from({ length: width }, work));
  progress.end();
  return writePlan(kind, tasks, folder);
}

const several = (count: number, what: string) => amount(count, count === 1 ? what : `${what}s`);

/** Of the columns in use, decompressed. */
function decodedBytes({ file, group, bytes }: Task, { columns: wanted }: RowReader): number {
  const { columns } = file.metadata.row_groups[group];
  const of = (size: "total_compressed_size" | "total_uncompressed_size") =>
    columns.reduce((sum, { meta_data: column }) => sum + Number(column?.[size] ?? 0), 0);
  return (bytes * of("total_uncompressed_size")) / Math.max(1, of("total_compressed_size")) + wanted.length;
}

async function readTask(
  { file, group, bytes, path }: Task,
  reader: RowReader,
  { confidence = DEFAULT_CONFIDENCE }: OvertureSource,
  keep: Keep,
  progress: Progress,
): Promise<void> {
  const part = new PartBuilder();
  reader.read(await file.read(group, reader.columns), part, keep, { confidence });
  await part.write(path);
  progress.advance(bytes);
}

async function writePlan(kind: OvertureKind, tasks: readonly Task[], folder: string): Promise<string> {
  const plan: OverturePlan = {
    version: 2,
    kind,
    rows: 0,
    bounds: [],
    datasets: [],
    skipped: {},
    parts: [],
  };
  const datasets = new Map<string, Dataset>();
  const release = tasks.map(({ file }) => releaseIn(file.source)).find((found) => found !== undefined);
  for (const { path } of tasks) {
    const part = await readPart(path);
    if (!part) throw new ImportError(`${path} is gone. Run the command again.`);
    const { header, sha256 } = part;
    for (const [reason, count] of Object.entries(header.skipped))
      plan.skipped[reason] = (plan.skipped[reason] ?? 0) + count;
    if (header.rows === 0) continue;
    plan.rows += header.rows;
    plan.bounds.push(...header.bounds);
    for (const dataset of header.datasets) datasets.set(dataset.name, { ...dataset, ...datasets.get(dataset.name) });
    plan.parts.push({ file: basename(path), sha256 });
  }
  if (plan.rows === 0) throw new ImportError(`The files have no ${kind} of Overture in this area.`);
  plan.bounds = joinBoxes(plan.bounds);
  plan.datasets = [...datasets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = JSON.stringify({ ...plan, ...(release !== undefined && { release }) });
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const path = join(folder, ["overture", kind, release ?? "files", `${digest}.json`].join("-"));
  await writeFile(path, text);
  return path;
}

/** Rows in the area: by their own country, and where they do not say it by the boxes around the country. */
function keeperOf({ country, bounds }: Area, boxes: readonly Bounds[]): Keep {
  const inBounds: Keep = (longitude, latitude) => !bounds || isWithin(bounds, longitude, latitude);
  if (country === undefined) return inBounds;
  const isIn = (longitude: number, latitude: number) => boxes.some((box) => isWithin(box, longitude, latitude));
  return (longitude, latitude, own) =>
    inBounds(longitude, latitude, own) && (own === "" ? isIn(longitude, latitude) : own === country);
}
