import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Bucket } from "../../../importer/publish/bucket.ts";
import { CommandError } from "../../base/command.ts";
import { ROOT } from "../../base/wrangler.ts";
import { GEODATA_CACHE } from "../../geodata/geodata-bucket.ts";
import { geodataS3 } from "../../geodata/geodata-s3.ts";
import { archiveKeys, copyArchive, dropOldArchive } from "../archive.ts";
import { CHUNK_BYTES, ChunkStore, piecesOf } from "../chunks.ts";
import { DamagedBackup } from "../damaged.ts";
import { inParallel, listedBuilds } from "../geodata.ts";
import { packLearning } from "../learning.ts";
import {
  type BackupManifest,
  FORMAT,
  formatManifest,
  IN_PIECES,
  isContinuous,
  MANIFEST_KEY,
  type Part,
  parseManifest,
} from "../manifest.ts";
import type { BackupPlace } from "../place.ts";
import type { LocalPlace, Upload } from "../take-local.ts";
import { uploadsIn } from "../take-remote.ts";
import { aboutOpenDatabase, partsOf, programVersion } from "../write-backup.ts";
import { HISTORY, historyKey, keptMoments, momentOf } from "./history.ts";
import { PlaceOwner } from "./owner.ts";
import { type Moment, piecesOfFile, StateReader } from "./state-reader.ts";

/** What learning collects changes once an hour: it is read as often [ms]. */
const LEARNING_INTERVAL = 3_600_000;
/** Chunks that someone removed would be missing from all moments that follow: so often the place is asked which it has [ms]. */
const LIST_INTERVAL = 3_600_000;

/** Buckets that are not on this machine do not tell when. */
type TakenUpload = Omit<Upload, "uploadedAt"> & { uploadedAt?: number };

/** What one backup wrote. */
export interface BackedUp {
  madeAt: Date;
  /** Chunks that were not there yet, and their bytes, deflated. */
  chunks: number;
  bytes: number;
  pausedMs: number;
  /** Durable Objects whose files are damaged: they are in the backup as they were before, or left out. */
  damaged: string[];
}

/** Manifests by their moments [ms]; undefined for one that is damaged, which no backup can be restored from. */
export type Moments = Map<number, BackupManifest | undefined>;

interface Opened {
  place: BackupPlace;
  bucket: Bucket;
  work: string;
  /** Time between two backups, for whoever looks whether they are late [ms]. */
  everyMs?: number;
  now?: () => number;
  known?: Moments;
}

/** Backs up a state into a place again and again: each backup writes what has changed, and old moments are removed. */
export class ContinuousBackup {
  readonly #state: LocalPlace;
  readonly #place: BackupPlace;
  readonly #bucket: Bucket;
  readonly #reader: StateReader;
  #store: ChunkStore;
  #listedAt: number;
  readonly #kept: Moments;
  readonly #work: string;
  readonly #owner: PlaceOwner;
  readonly #now: () => number;
  readonly #everyMs: number | undefined;
  #learning: { parts: NonNullable<BackupManifest["learning"]>; readAt: number } | undefined;

  private constructor(
    state: LocalPlace,
    { place, bucket, work, everyMs, now }: Omit<Opened, "known"> & { now: () => number },
    store: ChunkStore,
    kept: Moments,
  ) {
    this.#state = state;
    this.#place = place;
    this.#bucket = bucket;
    this.#reader = new StateReader(state, work, now);
    this.#store = store;
    this.#listedAt = now();
    this.#kept = kept;
    this.#work = work;
    this.#owner = new PlaceOwner(place, state.state);
    this.#now = now;
    this.#everyMs = everyMs;
  }

  /**
   * @param work a folder that only this process uses
   * @param known manifests that were read before: they do not change
   * @throws CommandError if the place has a backup of another kind, or those of another state
   */
  static async open(
    state: LocalPlace,
    { place, bucket, work, everyMs, now = Date.now, known = new Map() }: Opened,
  ): Promise<ContinuousBackup> {
    const kept = await manifestsIn(place, known);
    if (kept.size === 0 && (await place.get(MANIFEST_KEY)))
      throw new CommandError(
        `${place.where} contains a single backup (npm run backup). Use an empty destination for continuous backups.`,
      );
    const newest = kept.size > 0 ? Math.max(...kept.keys()) : undefined;
    await new PlaceOwner(place, state.state).claim(newest, now());
    const store = await ChunkStore.open(place);
    // Left by one that failed; and whoever cleans folders of temporary files may have removed it.
    const own = join(work, "moment");
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true, mode: 0o700 });
    return new ContinuousBackup(state, { place, bucket, work: own, everyMs, now }, store, kept);
  }

  /** Moments in the place. */
  get moments(): ReadonlyMap<number, BackupManifest | undefined> {
    return this.#kept;
  }

  /** Whether it still reads the files of the state: not if a restore replaced them. */
  isCurrent(): boolean {
    return this.#reader.isCurrent();
  }

  /**
   * Writes what has changed since the last backup. Every step can be interrupted: what counts is only the manifest, written last.
   * @throws what the state, the place or the bucket throw: the last backup stays valid
   */
  async run(): Promise<BackedUp> {
    await this.#owner.check();
    const now = this.#now();
    if (Math.abs(now - this.#listedAt) >= LIST_INTERVAL) {
      this.#store = await ChunkStore.open(this.#place);
      this.#listedAt = now;
    }
    const [chunks, bytes] = [this.#store.writtenChunks, this.#store.writtenBytes];
    const { manifest, ...rest } = await this.#reader.read(async (moment) => ({
      manifest: await this.#write(moment),
      pausedMs: moment.pausedMs,
      damaged: moment.objects.damaged,
    }));
    const madeAt = new Date(manifest.madeAt);
    const text = Buffer.from(formatManifest(manifest));
    // Writing may have taken long: another server may have taken the place.
    await this.#owner.check();
    await this.#place.put(historyKey(madeAt.getTime()), text);
    await this.#place.put(MANIFEST_KEY, text);
    this.#kept.set(madeAt.getTime(), manifest);
    return {
      madeAt,
      chunks: this.#store.writtenChunks - chunks,
      bytes: this.#store.writtenBytes - bytes,
      ...rest,
    };
  }

  async #write(moment: Moment): Promise<BackupManifest> {
    const { madeAt, databases, objects, keys } = moment;
    const own = geodataS3() ? await uploadsIn(this.#bucket) : moment;
    const all = new Map<string, Part & { rows: Record<string, number> }>();
    let migrations: string[] = [];
    for (const { binding, at } of databases) {
      const { rows, migrations: applied } = aboutOpenDatabase(at.database);
      if (binding === "DB") migrations = applied;
      all.set(binding, { ...(await this.#store.keep(at.pieces(CHUNK_BYTES))), rows });
    }
    const { DB: database, ...further } = Object.fromEntries(all);
    const archived = [...new Set(databases.flatMap(({ at }) => archiveKeys(at.database)))];
    const archive = await copyArchive(this.#bucket, archived, this.#place);
    const uploads: BackupManifest["uploads"] = [];
    for (const { key, bytes, uploadedAt } of own.uploads as readonly TakenUpload[]) {
      const part = await this.#store.keep(piecesOf(bytes));
      uploads.push({ ...part, key, ...(uploadedAt !== undefined && { uploadedAt }) });
    }
    const learning = await this.#learned(madeAt.getTime());
    return {
      format: FORMAT,
      version: IN_PIECES,
      program: programVersion(),
      madeAt: madeAt.toISOString(),
      ...(this.#everyMs !== undefined && { everyMs: this.#everyMs }),
      from: "local",
      worker: this.#state.worker,
      migrations,
      database,
      ...(databases.length > 1 && { further }),
      objects: { ...(await this.#store.keep(objects.pieces())), counts: objects.counts },
      uploads,
      ...(archive.length > 0 && { archive }),
      ...(learning.length > 0 && { learning }),
      ...(keys && { keys: await this.#store.keep(piecesOf(keys)) }),
      geodata: {
        whole: false,
        objects: 0,
        builds: await listedBuilds(this.#bucket, own.live, resolve(ROOT, GEODATA_CACHE)),
      },
    };
  }

  async #learned(now: number): Promise<NonNullable<BackupManifest["learning"]>> {
    if (this.#learning && Math.abs(now - this.#learning.readAt) < LEARNING_INTERVAL) return this.#learning.parts;
    const parts: NonNullable<BackupManifest["learning"]> = [];
    for (const { name, path, objects } of await packLearning(this.#bucket, this.#work)) {
      parts.push({ ...(await this.#store.keep(piecesOfFile(path))), name, objects });
      rmSync(path);
    }
    this.#learning = { parts, readAt: now };
    return parts;
  }

  /** Removes moments that are past their time, and what only they name. */
  async removeOld(): Promise<void> {
    const kept = keptMoments([...this.#kept.keys()], this.#now());
    const gone = [...this.#kept.keys()].filter((at) => !kept.has(at));
    if (gone.length === 0) return;
    // Writing may have taken long.
    await this.#owner.check();
    // Manifests first: without its chunks, a moment would be damaged.
    await this.#place.delete(gone.map(historyKey));
    for (const at of gone) this.#kept.delete(at);
    const manifests = [...this.#kept.values()].filter((one) => one !== undefined);
    await this.#store.retain(manifests.flatMap(partsOf));
    await dropOldArchive(manifests, this.#place);
  }

  close(): void {
    this.#reader.close();
  }
}

/** Manifests of all moments in a place. @throws CommandError for one of a newer version, whose chunks must not be removed */
async function manifestsIn(place: BackupPlace, known: Moments): Promise<Moments> {
  const manifests: Moments = new Map();
  const listed = [...(await place.sizes(HISTORY)).keys()].map(momentOf).filter((at) => at !== undefined);
  await inParallel(listed, async (at) => {
    const manifest = known.get(at) ?? (await manifestOf(place, historyKey(at)));
    if (manifest !== "missing") manifests.set(at, manifest);
  });
  // A list that is behind does not show the last one, which needs its chunks, too.
  const newest = await manifestOf(place, MANIFEST_KEY);
  if (newest && newest !== "missing" && isContinuous(newest)) manifests.set(Date.parse(newest.madeAt), newest);
  return manifests;
}

async function manifestOf(place: BackupPlace, key: string): Promise<BackupManifest | undefined | "missing"> {
  const text = await place.get(key);
  if (!text) return "missing";
  try {
    return parseManifest(Buffer.from(text).toString("utf8"), join(place.where, key));
  } catch (error) {
    if (error instanceof DamagedBackup) return undefined;
    throw error;
  }
}
