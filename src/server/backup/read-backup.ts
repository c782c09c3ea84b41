import { join } from "node:path";
import { buildKey, LIVE_KEY, type ObjectList } from "../../core/geo/builds/manifest.ts";
import { CommandError } from "../base/command.ts";
import { knownMigrations } from "../data/local-database.ts";
import { checkArchive } from "./archive.ts";
import { assemble } from "./chunks.ts";
import { damaged } from "./damaged.ts";
import { buildsOf, GEODATA, geodataKey } from "./geodata.ts";
import {
  type BackupManifest,
  isContinuous,
  MANIFEST_KEY,
  type Part,
  parseManifest,
  partKey,
  refuseNewer,
} from "./manifest.ts";
import { type BackupPlace, fetchTo, sha256OfFile } from "./place.ts";
import { partsOf } from "./write-backup.ts";

/** A verified backup: all objects of its manifest exist and are intact. */
export interface WholeBackup {
  manifest: BackupManifest;
  /** File path of a part. */
  fileOf(part: Part): string;
  /** With geodata: live.json, and of each build its objects' sizes and checksums. */
  live?: Uint8Array;
  builds: Map<string, ObjectList>;
}

/** @param work where parts of a backup in a bucket are put @throws CommandError for a half-written, damaged or newer backup */
export async function readBackup(place: BackupPlace, work: string, key = MANIFEST_KEY): Promise<WholeBackup> {
  const text = await place.get(key);
  if (!text) {
    const begun = (await place.sizes("")).size > 0;
    throw new CommandError(
      begun
        ? `${place.where} contains an unfinished backup without ${MANIFEST_KEY}. Rerun npm run backup into it, or use another backup.`
        : `${place.where} contains no backup.`,
    );
  }
  const manifest = parseManifest(Buffer.from(text).toString("utf8"), place.where);
  refuseNewer(manifest, knownMigrations());
  if (isContinuous(manifest)) {
    const fileOf = ({ sha256 }: Part) => join(work, sha256);
    for (const part of partsOf(manifest)) await assemble(place, part, fileOf(part));
    return withGeodata(manifest, fileOf, place);
  }
  const fileOf = ({ sha256 }: Part) => place.pathOf?.(partKey(sha256)) ?? join(work, sha256);
  const sizes = await place.sizes("parts/");
  for (const part of partsOf(manifest)) {
    const key = partKey(part.sha256);
    const isThere = sizes.get(key) === part.bytes;
    const found = !isThere
      ? undefined
      : place.pathOf
        ? await sha256OfFile(fileOf(part))
        : await fetchTo(place, key, fileOf(part));
    if (found !== part.sha256) throw damaged(place, key, sizes.has(key));
  }
  return withGeodata(manifest, fileOf, place);
}

async function withGeodata(
  manifest: BackupManifest,
  fileOf: WholeBackup["fileOf"],
  place: BackupPlace,
): Promise<WholeBackup> {
  await checkArchive(manifest, place);
  if (!manifest.geodata.whole) return { manifest, fileOf, builds: new Map() };
  const live = await place.get(geodataKey(LIVE_KEY));
  if (!live) throw damaged(place, geodataKey(LIVE_KEY), false);
  return { manifest, fileOf, live, builds: await buildsIn(place, live) };
}

/**
 * Lists the objects of the builds, and checks their existence and sizes. Their contents are verified when they are
 * copied.
 */
async function buildsIn(place: BackupPlace, live: Uint8Array): Promise<WholeBackup["builds"]> {
  const sizes = await place.sizes(GEODATA);
  const builds = new Map<string, ObjectList>();
  for (const { id } of buildsOf(live)) {
    const key = geodataKey(buildKey(id, "objects.json"));
    const text = await place.get(key);
    if (!text) throw damaged(place, key, false);
    const list = JSON.parse(Buffer.from(text).toString("utf8")) as ObjectList;
    for (const [object, [bytes]] of Object.entries(list)) {
      const path = geodataKey(buildKey(id, object));
      if (sizes.get(path) !== bytes) throw damaged(place, path, sizes.has(path));
    }
    builds.set(id, list);
  }
  return builds;
}
