import { createHash } from "node:crypto";
import { z } from "zod";
import { CommandError } from "../base/command.ts";
import { DamagedBackup } from "./damaged.ts";

/**
 * A backup, in a folder or under a prefix of a bucket:
 *
 *     backup.json           its parts with checksums; written last: without a valid one there is no backup
 *     parts/<sha256>        the databases, the packed Durable Objects, uploads, and what learning collected, named by
 *                           their contents
 *     archive/…             archived events, under their keys in the bucket
 *     geodata/…             with --geodata: live.json and the objects of its builds, as their key + ".object"
 *
 * Continuous backups have no parts/ but
 *
 *     history/<moment>.json the manifests of all moments that are kept; backup.json is the newest
 *     chunks/…              parts in chunks, deflated: a part's sha256 names the list of its chunks (chunks.ts)
 *
 * Parts are never overwritten, so a second backup to the same destination never damages the first, and reuses its
 * parts.
 */
export const MANIFEST_KEY = "backup.json";
export const FORMAT = "graticule-backup";
/** Raised when an older program could not restore what this one writes: one that knows of no further databases would leave them out, one that knows of no chunks would find no parts, and one that knows of no pieces would restore empty objects. */
export const [VERSION, WITH_FURTHER, IN_PIECES] = [1, 2, 4];
const IN_CHUNKS = 3;

/** Continuous backups have their parts in chunks. */
export const isContinuous = ({ version }: { version: number }) => version >= IN_CHUNKS;

export const partKey = (sha256: string) => `parts/${sha256}`;

const Part = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.number().int().nonnegative() });
export type Part = z.infer<typeof Part>;

const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal([VERSION, WITH_FURTHER, IN_CHUNKS, IN_PIECES]),
  /** Version of the program (package.json). */
  program: z.string(),
  /** The moment that all of it shows [ISO 8601]. */
  madeAt: z.string(),
  /** Of continuous backups: the time between two of them [ms]. */
  everyMs: z.number().optional(),
  /** Of this machine, or of a deployment: that has no Durable Objects. */
  from: z.enum(["local", "deployment"]),
  /** Migrations that the database has had, by name. */
  migrations: z.array(z.string()),
  /** The Worker's name: the ids of Durable Objects follow from it. */
  worker: z.string(),
  /** A SQLite file; rows of each table. */
  database: Part.extend({ rows: z.record(z.string(), z.number()) }),
  /** Further databases by their bindings, from version 2. */
  further: z.record(z.string(), Part.extend({ rows: z.record(z.string(), z.number()) })).optional(),
  /** A SQLite file of packed Durable Objects (objects-pack.ts); how many of each class. */
  objects: Part.extend({ counts: z.record(z.string(), z.number()) }).optional(),
  /** Icons and styles. `uploadedAt` [ms] is what lists of them show. */
  uploads: z.array(Part.extend({ key: z.string().startsWith("custom/"), uploadedAt: z.number().optional() })),
  /** Archived events, their objects under their keys in the bucket; absent: there are none. */
  archive: z.array(Part.extend({ key: z.string().startsWith("archive/") })).optional(),
  /** SQLite files of packed objects of learning (learning.ts), by week; absent: nothing was collected. */
  learning: z.array(Part.extend({ name: z.string(), objects: z.number() })).optional(),
  /** The keys of the first project, which only `npm start` keeps in a file. */
  keys: Part.optional(),
  geodata: z.object({
    /** Are the builds themselves in the backup? */
    whole: z.boolean(),
    objects: z.number(),
    /** The live builds, with what makes each again. */
    builds: z.array(
      z.object({ name: z.string(), id: z.string(), inputs: z.array(z.string()), command: z.string().optional() }),
    ),
  }),
});
export type BackupManifest = z.infer<typeof Manifest>;

export function formatManifest(manifest: BackupManifest): string {
  return `${JSON.stringify({ sha256: hashOf(manifest), ...manifest }, undefined, 1)}\n`;
}

/** @throws CommandError if it is not a backup, is damaged, or was created by a newer version */
export function parseManifest(text: string, where: string): BackupManifest {
  const damaged = new DamagedBackup(
    `${where} is damaged: ${MANIFEST_KEY} does not match its checksum. Use another backup.`,
  );
  let content: Record<string, unknown>;
  let sha256: unknown;
  try {
    ({ sha256, ...content } = JSON.parse(text));
  } catch {
    throw damaged;
  }
  if (content.format !== FORMAT || sha256 !== hashOf(content)) throw damaged;
  const { version, program } = content;
  if (typeof version === "number" && version > IN_PIECES)
    throw new CommandError(
      `${where} was created by Graticule ${program} (backup version ${version}). This version supports backup version ${IN_PIECES}. Install ${program} or newer to restore it.`,
    );
  const parsed = Manifest.safeParse(content);
  if (!parsed.success) throw damaged;
  return parsed.data;
}

/** A database may be brought forward, never back. @throws CommandError naming what this program does not know */
export function refuseNewer({ migrations, program }: BackupManifest, known: readonly string[]): void {
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new CommandError(
    `The backup was created by Graticule ${program}, which has newer migrations: ${unknown.join(", ")}. Install ${program} or newer to restore it.`,
  );
}

/** Checksum of a manifest without its checksum field, in the order of its members. */
const hashOf = (content: object) => createHash("sha256").update(JSON.stringify(content)).digest("hex");
