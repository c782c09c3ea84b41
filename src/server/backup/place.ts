import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openS3Bucket } from "../../importer/publish/s3-bucket.ts";
import { CommandError, UsageError } from "../base/command.ts";
import { codeOfFolder, fileTrouble } from "../base/file-trouble.ts";

/** Destination of a backup: a folder, or a bucket of an S3-compatible service. */
export interface BackupPlace {
  /** For sentences. */
  readonly where: string;
  /** Keys below a prefix with their sizes [bytes]. */
  sizes(prefix: string): Promise<Map<string, number>>;
  get(key: string): Promise<Uint8Array | undefined>;
  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Writes what is there for good when this returns, or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  putFile(key: string, path: string): Promise<void>;
  delete(keys: readonly string[]): Promise<void>;
  /** Returns the file path of an object, if it is a file. */
  pathOf?(key: string): string;
  /** Whether a folder is on the disk of the system, or in the file system of a container. */
  isOnSystemDisk?(): boolean;
}

/** A failed attempt is said within half a minute, and the next interval tries again. */
const PATIENCE = { tries: 3, silence: 10_000 };

const S3_HELP = `s3://BUCKET/PREFIX needs its credentials in the environment:

  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
  AWS_REGION         (auto)
  AWS_ENDPOINT_URL   of the service; without it Amazon's of that region. For R2: https://ACCOUNT.r2.cloudflarestorage.com`;

/** @param target a folder, or s3://bucket/prefix @throws UsageError */
export function openPlace(target: string, environment: NodeJS.ProcessEnv = process.env): BackupPlace {
  // "S3://…" and "gs://…" would be folders of that name.
  if (!/^(s3:|[\w+.-]+:\/\/)/.test(target)) return new Folder(refuseFile(resolve(target)));
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(target) ?? [];
  if (!bucket || !/^[\w!.*'()/-]*$/.test(prefix))
    throw new UsageError(
      `"${target}" is not a valid s3://BUCKET/PREFIX. Names may contain letters, digits and !-_.*'().`,
    );
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY || (!AWS_REGION && !AWS_ENDPOINT_URL))
    throw new CommandError(S3_HELP);
  return new S3Place(
    openS3Bucket({
      endpoint: (AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`).replace(/\/+$/, ""),
      region: AWS_REGION ?? "auto",
      bucket,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      patience: PATIENCE,
    }),
    prefix.replace(/\/+$/, ""),
    target,
  );
}

/** @throws CommandError if it, or a part of its path, is a file */
function refuseFile(folder: string): string {
  const at = existing(folder);
  if (statSync(at).isDirectory()) return folder;
  throw new CommandError(`${at} is a file, not a folder. Use another.`);
}

/** The path, or what there is of it. */
function existing(path: string): string {
  let at = path;
  while (!statSync(at, { throwIfNoEntry: false }) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Readable by its owner only: the hashes of keys and the secrets of webhooks are in it. */
class Folder implements BackupPlace {
  readonly where: string;

  constructor(folder: string) {
    this.where = folder;
  }

  pathOf(key: string): string {
    return join(this.where, key);
  }

  isOnSystemDisk(): boolean {
    return statSync(existing(this.where)).dev === statSync(parse(this.where).root).dev;
  }

  async sizes(prefix: string): Promise<Map<string, number>> {
    const below = join(this.where, prefix);
    if (!existsSync(below)) return new Map();
    const files = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(this.where.length + 1), statSync(path).size];
      }),
    );
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return existsSync(join(this.where, key)) ? readFile(join(this.where, key)) : undefined;
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = join(this.where, key);
    return existsSync(path) ? createReadStream(path, { highWaterMark: 1 << 20 }) : undefined;
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    // Geodata is many small objects, which are compared when they are restored.
    const flush = !key.startsWith("geodata/");
    return this.#whole(key, (part) => writeFile(part, bytes, { mode: 0o600, flush }));
  }

  putFile(key: string, path: string): Promise<void> {
    return this.#whole(key, (part) =>
      pipeline(createReadStream(path), createWriteStream(part, { mode: 0o600, flush: true })),
    );
  }

  async #whole(key: string, write: (part: string) => Promise<void>): Promise<void> {
    const path = join(this.where, key);
    const part = `${path}.part`;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await write(part);
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw trouble(error, this.where);
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) rmSync(join(this.where, key), { force: true });
  }
}

class S3Place implements BackupPlace {
  readonly where: string;
  readonly #bucket: ReturnType<typeof openS3Bucket>;
  readonly #prefix: string;

  constructor(bucket: ReturnType<typeof openS3Bucket>, prefix: string, where: string) {
    this.#bucket = bucket;
    this.#prefix = prefix && `${prefix}/`;
    this.where = where;
  }

  async sizes(prefix: string): Promise<Map<string, number>> {
    const found = await this.#bucket.list(this.#prefix + prefix);
    return new Map([...found].map(([key, size]) => [key.slice(this.#prefix.length), size]));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return (await this.#bucket.get(this.#prefix + key))?.bytes;
  }

  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#bucket.read(this.#prefix + key);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(this.#prefix + key, bytes);
  }

  putFile(key: string, path: string): Promise<void> {
    return this.#bucket.putFile(this.#prefix + key, { path, offset: 0, length: statSync(path).size }, () => {});
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.#bucket.delete(keys.map((key) => this.#prefix + key));
  }
}

/**
 * SQLite's error codes for a full disk (sqlite.org/rescode.html): SQLITE_FULL, and SQLITE_IOERR_WRITE, _SHMOPEN,
 * _SHMSIZE and _SHMMAP, because even reading a database that a server writes needs a small shared file.
 */
const SQLITE_FULL = new Set([13, 778, 4618, 4874, 5386]);

/** The reason why a folder's disk does not take or give what is wanted, as a sentence; else the error itself. */
export function trouble(error: unknown, where: string): unknown {
  const { errcode, path } = error as NodeJS.ErrnoException & { errcode?: number };
  const code = codeOfFolder(error, where);
  if (path !== undefined && !path.startsWith(where)) {
    const aboutFile = fileTrouble(error);
    if (aboutFile !== undefined) return new CommandError(aboutFile);
  }
  if (code === "ENOSPC" || code === "EDQUOT" || SQLITE_FULL.has(errcode ?? 0))
    return new CommandError(`The disk of ${where} is full. Free some space and rerun the command, which resumes.`);
  if (code === "EROFS")
    return new CommandError(`${where} is on a read-only file system. Mount it writable, or use another folder.`);
  if (code === "EACCES" || code === "EPERM")
    return new CommandError(`This user cannot write to ${where}. Change its owner (chown), or use another folder.`);
  if (code === "ENOTDIR" || code === "EEXIST")
    return new CommandError(`${where} is a file, not a folder. Use another.`);
  return error;
}

export async function sha256OfFile(path: string): Promise<string> {
  return sha256Of(createReadStream(path, { highWaterMark: 1 << 20 }));
}

async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

/** Fetches an object into a file, reading it once. @returns its SHA-256, or undefined when it is not there */
export async function fetchTo(place: BackupPlace, key: string, path: string): Promise<string | undefined> {
  const pieces = await place.read(key);
  if (!pieces) return undefined;
  const hash = createHash("sha256");
  const counted = async function* () {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(path, { mode: 0o600 }));
  return hash.digest("hex");
}
