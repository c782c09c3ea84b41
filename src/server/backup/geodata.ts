import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildKey, LIVE_KEY, type LiveBuild, parseLiveList, WORLD } from "../../core/geo/builds/manifest.ts";
import { type PreviousImport, readPreviousImport } from "../../importer/frame/stores/previous-import.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { readManifest } from "../../importer/publish/live-list.ts";
import { CommandError } from "../base/command.ts";
import type { BackupManifest } from "./manifest.ts";
import type { BackupPlace } from "./place.ts";

/** Prefix of the bucket's objects in a backup. */
export const GEODATA = "geodata/";
/** Returns the path of a bucket object in a backup. In a folder, "head" and "head/a" could not both be files. */
export const geodataKey = (key: string) => `${GEODATA}${key}.object`;
/** Objects up to this size are sent many at a time [bytes]. */
const SMALL = 8_000_000;
const PARALLEL = 16;

type Listed = BackupManifest["geodata"]["builds"];

/** The live builds, and what makes each again: its command where this machine remembers the import, else what went in. */
export async function listedBuilds(bucket: Bucket, live: Uint8Array | undefined, cache: string): Promise<Listed> {
  const listed: Listed = [];
  for (const { name, id } of buildsOf(live)) {
    const { inputs } = await readManifest(bucket, id);
    const command = name === WORLD ? undefined : await readPreviousImport(cache, name).then(commandOf, () => undefined);
    listed.push({ name, id, inputs: inputs.map((input) => input.name), ...(command && { command }) });
  }
  return listed;
}

export function buildsOf(live: Uint8Array | undefined): LiveBuild[] {
  return live ? parseLiveList(Buffer.from(live).toString("utf8")).builds : [];
}

/** The command that imports the same again. */
export function commandOf({ name, extracts, files, layers, attribution }: PreviousImport): string {
  const options: [string, string | undefined][] = [
    ["name", name],
    ["layers", layers.join()],
    ["dma", files.dma],
    ["postal-codes", files.postalCodes],
    ["places", files.places],
    ["speeds", files.speeds],
    ["attribution", attribution],
  ];
  const words = [
    ...extracts,
    ...files.addresses,
    ...options.flatMap(([option, value]) => (value ? [`--${option}`, value] : [])),
  ];
  return ["npm run import --", ...words.map(quoted)].join(" ");
}

const quoted = (word: string) => (/^[\w./:@,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Copies the live builds, except objects that already exist: they are immutable. @returns the number of objects */
export async function copyBuilds(
  bucket: Bucket,
  live: Uint8Array | undefined,
  place: BackupPlace,
  work: string,
  log: (line: string) => void,
): Promise<number> {
  const held = await place.sizes(GEODATA);
  let count = 0;
  for (const { name, id } of buildsOf(live)) {
    const objects = await bucket.list(buildKey(id, ""));
    const missing = [...objects].filter(([key, size]) => held.get(geodataKey(key)) !== size);
    if (missing.length > 0) log(`Geodata ${name}: ${missing.length.toLocaleString("en-US")} objects…`);
    await inParallel(missing, async ([key, size]) => {
      if (size <= SMALL) return place.put(geodataKey(key), await whole(bucket, key));
      const file = join(work, key.replaceAll("/", "-"));
      const pieces = await bucket.read(key);
      if (!pieces) throw gone(key);
      await writeFile(file, pieces);
      await place.putFile(geodataKey(key), file);
      await rm(file);
    });
    count += objects.size;
  }
  if (live) await place.put(geodataKey(LIVE_KEY), live);
  return count;
}

async function whole(bucket: Bucket, key: string): Promise<Uint8Array> {
  const object = await bucket.get(key);
  if (!object) throw gone(key);
  return object.bytes;
}

const gone = (key: string) =>
  new CommandError(`${key} was removed during the backup, because another import replaced it. Rerun the command.`);

/** Runs work for each, some at a time; the first failure ends it. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: PARALLEL }, async () => {
    for (const item of queue) await work(item);
  });
  // All have ended before the error is thrown, so that none writes while the caller begins again.
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
