import { createHash } from "node:crypto";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ImportError } from "../common/import-error.ts";
import { BlobFile } from "../osm/pbf/blob-file.ts";
import type { Reporter } from "../report/reporter.ts";
import { download, isUrl } from "./download.ts";
import { isPostalDump } from "./postal-dump.ts";
import { unzip } from "./zip.ts";

interface Sources {
  /** .osm.pbf files. */
  extracts: string[];
  /** OpenAddresses CSV files. */
  addresses: string[];
  /** Tables of GeoNames' postal codes. */
  postalCodes: string[];
  /** Words that name Parquet files of Overture: they are read by ranges (overture/fetch-overture.ts). */
  overture: string[];
}

interface SourceOptions {
  /** Where downloads and unpacked archives are kept. */
  cache: string;
  reporter: Reporter;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
}

/**
 * Sorts the sources of the command line (paths and https URLs) into files by kind. The kind of a file
 * follows from what is in it. @throws ImportError naming the file that is of no kind known
 */
export async function findSources(named: readonly string[], options: SourceOptions): Promise<Sources> {
  const found: Sources = { extracts: [], addresses: [], postalCodes: [], overture: [] };
  const others: string[] = [];
  for (const name of named) (await isParquet(name)) ? found.overture.push(name) : others.push(name);
  const paths = others.map((name) => (isUrl(name) ? undefined : resolve(name)));
  // Local files are examined before anything is downloaded.
  for (const path of paths) if (path !== undefined) await kindOf(path);
  for (const [i, name] of others.entries()) await sort(paths[i] ?? (await fetchSource(name, options)), found, options);
  return found;
}

/** A file of Parquet, a folder with some, or a URL of one: those that are folders of a bucket, or end so. */
export async function isParquet(word: string): Promise<boolean> {
  if (isUrl(word)) return word.startsWith("s3://") || /(\/|\.parquet)(?:[?#].*)?$/.test(word);
  const found = await stat(resolve(word)).catch(() => undefined);
  if (found?.isDirectory())
    return (await readdir(resolve(word), { recursive: true })).some((name) => name.endsWith(".parquet"));
  return found?.isFile() === true && (await beginning(resolve(word))).toString("latin1", 0, 4) === "PAR1";
}

async function fetchSource(url: string, { cache, reporter, allowHttp }: SourceOptions): Promise<string> {
  const progress = reporter.begin("download");
  const path = await download(url, { folder: join(cache, "downloads"), progress, allowHttp });
  progress.end();
  return path;
}

/** Of an archive: tables (US.txt, GB_full.txt and allCountries.txt are GeoNames'), and the files with their licenses (credits.ts). */
const WANTED = /\.csv$|(^|\/)([A-Z]{2}(_full)?|allCountries)\.txt$|\.json$|(^|\/)LICEN[CS]E(\.txt|\.md)?$/i;

async function sort(path: string, found: Sources, { cache }: SourceOptions): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "addresses") found.addresses.push(path);
  else if (kind === "extract") found.extracts.push(path);
  else if (kind === "postal codes") found.postalCodes.push(path);
  else {
    const folder = join(cache, "unpacked", createHash("sha256").update(path).digest("hex").slice(0, 16));
    const files = await unzip(path, folder, (name) => WANTED.test(name) && !name.includes("__MACOSX"));
    const tables = await Promise.all(
      files.filter((file) => /\.(csv|txt)$/.test(file)).map(async (file) => ({ file, start: await beginning(file) })),
    );
    const fitting = tables.filter(({ start }) => isOpenAddresses(start)).map(({ file }) => file);
    const codes = tables.filter(({ start }) => isPostalDump(start.toString("utf8"))).map(({ file }) => file);
    if (fitting.length + codes.length === 0)
      throw new ImportError(`${basename(path)} holds no OpenAddresses CSV file, and no postal codes of GeoNames.`);
    found.addresses.push(...fitting);
    found.postalCodes.push(...codes);
  }
}

/** @throws ImportError for a file of no kind known, naming what it looks like */
async function kindOf(path: string): Promise<"archive" | "addresses" | "postal codes" | "extract"> {
  const start = await beginning(path);
  if (start.length === 0) throw new ImportError(`${basename(path)} is empty.`);
  if (start.toString("latin1", 0, 4) === "PK\x03\x04") return "archive";
  if (isOpenAddresses(start)) return "addresses";
  if (isPostalDump(start.toString("utf8"))) return "postal codes";
  if (/\.csv$/i.test(path) || looksLikeTable(start)) {
    throw new ImportError(
      `${basename(path)} is a table whose first line lacks the columns LON, LAT, NUMBER and STREET of OpenAddresses. ` +
        "Specify your own tables with --places, --speeds or --dma.",
    );
  }
  // A PBF, or BlobFile says in a sentence what is wrong with it.
  await (await BlobFile.open(path)).close();
  return "extract";
}

/** Text whose first line has commas; a PBF begins with a length of four bytes, of which the first is 0. */
function looksLikeTable(start: Buffer): boolean {
  const text = start.toString("latin1");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells data from text
  return !/[\x00-\x08]/.test(text) && text.split("\n", 1)[0].includes(",");
}

/** OpenAddresses' CSV: a header line with at least LON, LAT, NUMBER and STREET. */
function isOpenAddresses(start: Buffer): boolean {
  const header = start
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .split(/\r?\n/, 1)[0];
  const columns = header.split(",").map((column) => column.replaceAll('"', "").trim().toUpperCase());
  return ["LON", "LAT", "NUMBER", "STREET"].every((column) => columns.includes(column));
}

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new ImportError(`Cannot read ${path}: ${why}.`);
  });
  try {
    const bytes = Buffer.alloc(1024);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0).catch((error: NodeJS.ErrnoException) => {
      throw new ImportError(`Cannot read ${path}: ${error.code === "EISDIR" ? "it is a folder" : error.message}.`);
    });
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
