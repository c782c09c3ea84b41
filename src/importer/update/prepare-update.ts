import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ImportError } from "../common/import-error.ts";
import { ProcessLock } from "../common/process-lock.ts";
import { explainWriteFailure } from "../common/write-failure.ts";
import { fingerprints } from "../frame/fingerprints.ts";
import {
  type PreviousImport,
  partsFolder,
  previousFolder,
  readPreviousImport,
} from "../frame/stores/previous-import.ts";
import { openReading } from "../frame/stores/previous-reading.ts";
import { BlobFile, type PbfHeader } from "../osm/pbf/blob-file.ts";
import { digestOfBlob, spansOfBlob } from "../osm/read/cached-reading.ts";
import type { Reporter } from "../report/reporter.ts";
import { download } from "../sources/download.ts";
import { Changes, readChanges } from "./changes.ts";
import type { Merged } from "./choose-changes.ts";
import { mergeExtract, type Reached } from "./merge-extract.ts";
import { changesSince, refuseGaps } from "./replication.ts";

interface UpdateOptions {
  name: string;
  /** Files and addresses of changes, or the address of a replication; none: that of the extract's header. */
  changes: readonly string[];
  cache: string;
  reporter: Reporter;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
}

interface PreparedUpdate {
  /** The import to run. */
  kept: PreviousImport;
  /** A line per extract: what became of it. */
  told: string[];
}

/**
 * Brings the extracts of an import up to date. Those that were there stay until the build of the new ones is live; what was
 * merged before an interruption is used as it is.
 * @returns undefined when there is nothing new
 * @throws ImportError
 */
export async function prepareUpdate(options: UpdateOptions): Promise<PreparedUpdate | undefined> {
  const { name, cache } = options;
  const kept = await readPreviousImport(cache, name);
  const lock = await ProcessLock.take(join(previousFolder(cache, name), "pid"), `An update of ${name}`);
  try {
    const told: string[] = [];
    const extracts: string[] = [];
    let news = false;
    for (const [i, extract] of kept.extracts.entries()) {
      const updated = await updatedExtract(extract, i, kept, options);
      if (updated) told.push(updated.told);
      news ||= updated !== undefined;
      extracts.push(updated?.path ?? extract);
    }
    return news ? { kept: { ...kept, extracts }, told } : undefined;
  } catch (error) {
    throw explainWriteFailure(error);
  } finally {
    await lock.release();
  }
}

async function updatedExtract(
  extract: string,
  number: number,
  { name }: PreviousImport,
  options: UpdateOptions,
): Promise<{ path: string; told: string } | undefined> {
  const { cache, reporter } = options;
  const header = await headerOf(extract, name);
  const { paths, reached } = await findChanges(basename(extract), header, options);
  if (paths.length === 0) return undefined;
  const prints = await fingerprints([extract, ...paths], reporter);
  const key = createHash("sha256")
    .update(JSON.stringify([prints.map(({ sha256 }) => sha256), reached]))
    .digest("hex")
    .slice(0, 16);
  const path = join(previousFolder(cache, name), key, String(number), basename(extract));
  if (await stat(path).catch(() => undefined)) {
    return { path, told: `${basename(extract)} has these changes already, from an update that was interrupted.` };
  }
  const changes = new Changes();
  let newest: number | undefined;
  for (const file of paths) await readChanges(file, changes);
  for (const kind of ["node", "way", "relation"] as const) {
    for (const { time } of changes[kind].values()) if (time !== undefined && time > (newest ?? 0)) newest = time;
  }
  const timestamp = reached.timestamp ?? Math.max(header.timestamp ?? 0, Math.floor((newest ?? 0) / 1000));
  await mkdir(dirname(path), { recursive: true });
  const progress = reporter.begin("changes");
  const folder = partsFolder(cache, name);
  const before = (await stat(folder).catch(() => undefined)) && (await openReading(folder));
  const state = { ...reached, ...(timestamp > 0 && { timestamp }) };
  const spansOf = (blob: Uint8Array) => before && spansOfBlob(before, digestOfBlob(blob));
  const known = { sha256: prints[0].sha256, spansOf };
  const merged = await mergeExtract(extract, path, changes, state, progress, known).finally(() => before?.close());
  progress.end();
  return { path, told: describe(basename(extract), merged, paths.length) };
}

function describe(name: string, { created, modified, deleted, known, elsewhere }: Merged, files: number): string {
  const count = (number: number) => number.toLocaleString("en-US");
  const left = [
    ...(known > 0 ? [`${count(known)} it had already`] : []),
    ...(elsewhere > 0 ? [`${count(elsewhere)} lie elsewhere`] : []),
  ];
  return `${name}: ${count(created)} created, ${count(modified)} modified, ${count(deleted)} deleted, from ${count(files)} ${files === 1 ? "file" : "files"}${left.length > 0 ? ` (${left.join(", ")})` : ""}.`;
}

/** The header of an extract. @throws ImportError when the file is gone or damaged */
async function headerOf(extract: string, name: string): Promise<PbfHeader> {
  if (!(await stat(extract).catch(() => undefined))) {
    throw new ImportError(
      `The extract ${extract}, of which ${name} was made, no longer exists. Import a new one: npm run import -- FILE --name ${name}`,
    );
  }
  const file = await BlobFile.open(extract);
  await file.close();
  return file.header;
}

/** When the data of an import will be so old [ms since 1970]; undefined where its extracts do not say how old they are. */
export async function freshUntil({ extracts, name }: PreviousImport, age: number): Promise<number | undefined> {
  const times: number[] = [];
  for (const extract of extracts) times.push((await headerOf(extract, name)).timestamp ?? 0);
  const oldest = Math.min(...times);
  return oldest > 0 ? (oldest + age) * 1000 : undefined;
}

const isAddress = (word: string) => /^[a-z]+:\/\//i.test(word);
const isFile = (word: string) => /\.osc(\.gz)?([?#].*)?$/i.test(word);

async function findChanges(
  extract: string,
  header: PbfHeader,
  { changes, cache, reporter, allowHttp }: UpdateOptions,
): Promise<{ paths: string[]; reached: Reached }> {
  const folder = join(cache, "downloads");
  const [first] = changes;
  const base = changes.length === 0 ? header.replicationUrl : isAddress(first) && !isFile(first) ? first : undefined;
  if (base === undefined && changes.length === 0) {
    throw new ImportError(
      `${extract} does not say where its changes are. Name files of changes (.osc.gz), or the address of a replication.`,
    );
  }
  if (base !== undefined) {
    if (changes.length > 1) throw new ImportError(`${base} is a replication: name it alone, without files of changes.`);
    if (header.sequence === undefined) {
      throw new ImportError(
        `${extract} does not say which changes it has (osmosis_replication_sequence_number). Name the files of changes (.osc.gz) themselves; a few too many do no harm.`,
      );
    }
    const progress = reporter.begin("download");
    const { paths, reached } = await changesSince(base, header.sequence, {
      folder,
      progress,
      ...(allowHttp && { allowHttp }),
    });
    progress.end();
    const { sequence, timestamp } = reached;
    return { paths, reached: { sequence, replicationUrl: base, ...(timestamp !== undefined && { timestamp }) } };
  }
  refuseGaps(changes);
  const paths: string[] = [];
  for (const word of changes) {
    if (!isAddress(word)) {
      paths.push(resolve(word));
      continue;
    }
    const progress = reporter.begin("download");
    paths.push(await download(word, { folder, progress, ...(allowHttp && { allowHttp }) }));
    progress.end();
  }
  return { paths, reached: {} };
}
