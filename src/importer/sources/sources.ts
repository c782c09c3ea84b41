import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ImportError } from "../import-error.ts";
import { BlobFile } from "../osm/blob-file.ts";
import type { Reporter } from "../reporter.ts";
import { download } from "./download.ts";
import { unzip } from "./zip.ts";

export interface Sources {
  /** .osm.pbf files. */
  extracts: string[];
  /** OpenAddresses CSV files. */
  addresses: string[];
}

export interface SourceOptions {
  /** Where downloads and unpacked archives are kept. */
  cache: string;
  reporter: Reporter;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
}

/**
 * What was named on the command line (paths and https addresses) → files on this machine by kind. What a file is follows
 * from what is in it. @throws ImportError naming the file that is of no kind known
 */
export async function findSources(named: readonly string[], options: SourceOptions): Promise<Sources> {
  const found: Sources = { extracts: [], addresses: [] };
  for (const name of named) {
    const path = /^[a-z]+:\/\//i.test(name) ? await fetchSource(name, options) : resolve(name);
    await sort(path, found, options);
  }
  return found;
}

async function fetchSource(url: string, { cache, reporter, allowHttp }: SourceOptions): Promise<string> {
  const progress = reporter.begin("download");
  const path = await download(url, { folder: join(cache, "downloads"), progress, allowHttp });
  progress.end();
  return path;
}

async function sort(path: string, found: Sources, { cache }: SourceOptions): Promise<void> {
  const start = await beginning(path);
  if (start.toString("latin1", 0, 4) === "PK\x03\x04") {
    const folder = join(cache, "unpacked", createHash("sha256").update(path).digest("hex").slice(0, 16));
    const files = await unzip(path, folder, (name) => name.endsWith(".csv") && !name.includes("__MACOSX"));
    const tables = await Promise.all(
      files.map(async (file) => ({ file, fits: isOpenAddresses(await beginning(file)) })),
    );
    const fitting = tables.filter(({ fits }) => fits).map(({ file }) => file);
    if (fitting.length === 0) throw new ImportError(`${basename(path)} holds no OpenAddresses CSV file.`);
    found.addresses.push(...fitting);
  } else if (isOpenAddresses(start)) found.addresses.push(path);
  else {
    // Not a table: a PBF, or BlobFile says in a sentence what is wrong with it.
    await (await BlobFile.open(path)).close();
    found.extracts.push(path);
  }
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
