import { createHash } from "node:crypto";
import { copyFile, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ImportError } from "../common/import-error.ts";
import { refusePipe } from "../common/refuse-pipe.ts";
import { OF_GEOJSON } from "../common/shown-name.ts";
import { systemReason } from "../common/system-reason.ts";
import { checkUtf8, encodingOf, startOf } from "../common/text-file.ts";
import { BlobFile } from "../osm/pbf/blob-file.ts";
import { withNodes, xmlToPbf } from "../osm/xml/plain-extract.ts";
import type { Reporter } from "../report/reporter.ts";
import { download, isUrl } from "./download.ts";
import { geoJsonKind, geoJsonToCsv } from "./forms/geojson-addresses.ts";
import { gunzipFile } from "./forms/unpack.ts";
import { isPostalDump } from "./postal-dump.ts";
import { formOf, isOpenAddresses } from "./source-form.ts";
import { unzip } from "./zip.ts";

interface Sources {
  /** .osm.pbf files. */
  extracts: string[];
  /** OpenAddresses as CSV files. */
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
 * follows from what is in it; other forms of the same data are written as files that are read (forms). @throws ImportError naming the file that is of no kind known
 */
export async function findSources(named: readonly string[], options: SourceOptions): Promise<Sources> {
  const found: Sources = { extracts: [], addresses: [], postalCodes: [], overture: [] };
  const others: string[] = [];
  for (const name of named) (await isParquet(name)) ? found.overture.push(name) : others.push(name);
  const paths = others.map((name) => (isUrl(name) ? undefined : resolve(name)));
  // Local files are examined before anything is downloaded.
  for (const path of paths) if (path !== undefined) formOf(basename(path), await beginning(path));
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

/** Of an archive: extracts, tables (US.txt, GB_full.txt and allCountries.txt are GeoNames'), features, and the files with their licenses (credits.ts). */
const WANTED =
  /\.csv$|\.osm$|\.pbf$|\.geojson(\.meta)?$|(^|\/)([A-Z]{2}(_full)?|allCountries)\.txt$|\.json$|(^|\/)LICEN[CS]E(\.txt|\.md)?$/i;

/** @param name without what it was packed with, @param shown as the operator knows it */
async function sort(
  path: string,
  found: Sources,
  options: SourceOptions,
  name = basename(path),
  shown = name,
): Promise<void> {
  const start = await beginning(path);
  const form = formOf(shown, start);
  const folder = (use: string) =>
    join(options.cache, use, createHash("sha256").update(path).digest("hex").slice(0, 16));
  const made = (to: string, make: () => Promise<void>) => madeOnce(path, to, make);
  const stem = name.replace(/\.(osm|xml|geojson|json|pbf)$/i, "").replace(/\.osm$/i, "");
  if (form === "table") {
    await checkUtf8(path);
    found.addresses.push(path);
  } else if (form === "postal codes") found.postalCodes.push(path);
  else if (form === "geojson") {
    const table = join(folder("forms"), `${stem}${OF_GEOJSON}`);
    found.addresses.push(await made(table, () => geoJsonToCsv(path, shown, table)));
  } else if (form === "xml") {
    const extract = join(folder("forms"), `${stem}.osm.pbf`);
    found.extracts.push(await made(extract, () => xmlToPbf(path, shown, encodingOf(start), extract)));
  } else if (form === "pbf") {
    const file = await BlobFile.open(path);
    await file.close();
    const extract = join(folder("forms"), `${stem}.osm.pbf`);
    found.extracts.push(file.header.placesOnWays ? await made(extract, () => withNodes(path, extract)) : path);
  } else if (form === "gzip") {
    const inner = name.replace(/\.gz$/i, "");
    const unpacked = join(folder("unpacked"), inner);
    await made(unpacked, () => gunzipFile(path, unpacked));
    if ((await beginning(unpacked)).toString("latin1", 0, 2) === "\x1f\x8b")
      throw new ImportError(`${shown} is packed twice. Unpack it once (gunzip) and import that.`);
    await sort(unpacked, found, options, inner, shown);
  } else await sortArchive(path, folder("unpacked"), found, options);
}

/** Of what is made of a file, to be made again when it changes. */
const FORMS_VERSION = 1;

/** Makes a file of another, unless it was made of the same: an import that is started again continues with it. */
async function madeOnce(from: string, to: string, make: () => Promise<void>): Promise<string> {
  const { size, mtimeMs } = await stat(from);
  const state = `${FORMS_VERSION} ${size} ${mtimeMs}`;
  const isMade = await stat(to).catch(() => undefined);
  if (isMade && (await readFile(`${to}.from`, "utf8").catch(() => "")) === state) return to;
  await make();
  await writeFile(`${to}.from`, state);
  return to;
}

async function sortArchive(path: string, folder: string, found: Sources, options: SourceOptions): Promise<void> {
  const files = await unzip(path, folder, (name) => WANTED.test(name) && !name.includes("__MACOSX"));
  let any = false;
  for (const file of files.filter((one) => /\.(csv|txt|geojson|osm|pbf)$/i.test(one))) {
    if (/\.(osm|pbf)$/i.test(file)) {
      any = true;
      await sort(file, found, options);
      continue;
    }
    const start = startOf(await beginning(file));
    const isAddresses = isOpenAddresses(start) || geoJsonKind(start) === "addresses";
    if (!isAddresses && !isPostalDump(start)) continue;
    any = true;
    const before = found.addresses.length;
    await sort(file, found, options);
    // The licence is in a file next to the features, which follows them in the order of names.
    const meta = files[files.indexOf(file) + 1];
    const [table] = found.addresses.slice(before);
    if (table !== undefined && table !== file && meta?.endsWith(`${basename(file).replace(/^\d+-/, "")}.meta`))
      await copyFile(meta, table.replace(/\.csv$/, ".json"));
  }
  if (!any)
    throw new ImportError(
      `${basename(path)} holds no extract (.osm, .osm.pbf), no addresses of OpenAddresses, and no postal codes of GeoNames.`,
    );
}

async function beginning(path: string): Promise<Buffer> {
  await refusePipe(path);
  try {
    const file = await open(path);
    try {
      const bytes = Buffer.alloc(4096);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
  }
}
