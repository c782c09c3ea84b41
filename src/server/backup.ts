import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ImportError } from "../importer/common/import-error.ts";
import { amount } from "../importer/report/reporter.ts";
import { archiveKeysOf, copyArchive } from "./backup/archive.ts";
import { HISTORY } from "./backup/continuous/history.ts";
import { parseInterval } from "./backup/continuous/interval.ts";
import { backUpEvery } from "./backup/continuous/run.ts";
import { copyBuilds, listedBuilds } from "./backup/geodata.ts";
import { noteBackup } from "./backup/last-backup.ts";
import { learningObjects, packLearning } from "./backup/learning.ts";
import type { BackupManifest } from "./backup/manifest.ts";
import { openPlace, trouble } from "./backup/place.ts";
import { takeLocal } from "./backup/take-local.ts";
import { takeRemote, uploadsIn } from "./backup/take-remote.ts";
import { partsOf, rowsIn, writeBackup } from "./backup/write-backup.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { keepPrivate } from "./base/private-files.ts";
import { databaseIds, ROOT, workerName } from "./base/wrangler.ts";
import { DEFAULT_STATE } from "./data/local-database.ts";
import { GEODATA_CACHE, geodataBucketName, openGeodataBucket } from "./geodata/geodata-bucket.ts";
import { geodataS3 } from "./geodata/geodata-s3.ts";
import { openDeployedBuckets } from "./geodata/project-buckets.ts";
import { refuseInState } from "./start/backup-folder.ts";
import { type DamagedFile, explained, nameOf, sentenceOf } from "./state/integrity.ts";

const USAGE = "npm run backup -- DIR|s3://BUCKET/PREFIX [options]";

const HELP = `${USAGE}

Writes a consistent snapshot of a running server to a folder or a bucket: the database, Durable Objects, icons and styles. A second backup to
the same destination writes only new objects; the previous backup stays valid until it finishes. docs/backup.md

  --geodata         include the imported builds; otherwise only their list and the commands that re-import them
  --every INTERVAL  back up again and again (10s, 60s, 5m) until it is interrupted: each backup writes what has changed, and the
                    destination keeps moments of the last eight weeks
  --remote          back up the Cloudflare deployment: its database, icons and styles
  --persist-to DIR  the local state of npm start or npm run dev (${DEFAULT_STATE})
  --json            print the manifest, for scripts
  --help            show this help`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      geodata: { type: "boolean", default: false },
      every: { type: "string" },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length !== 1) throw new UsageError("Specify a destination: a folder, or s3://BUCKET/PREFIX.");
  const state = resolve(values["persist-to"]);
  const { remote } = values;
  if (!remote) refuseInState("The destination", positionals[0], state);
  keepPrivate(positionals[0].startsWith("s3://") ? undefined : positionals[0]);
  const place = openPlace(positionals[0]);
  if (values.every !== undefined) {
    if (remote || values.geodata) throw new UsageError("--every cannot be combined with --remote or --geodata.");
    return backUpEvery(place, { state, every: parseInterval(values.every), isJson: values.json });
  }
  if ((await place.sizes(HISTORY)).size > 0)
    throw new CommandError(
      `${place.where} contains continuous backups. Use another destination, or back up with --every.`,
    );
  const log = (line: string) => values.json || console.log(line);
  const work = mkdtempSync(join(tmpdir(), "graticule-backup-"));
  try {
    const worker = workerName();
    const local = { state, worker, ...databaseIds(), bucket: geodataBucketName() };
    const read = remote ? await takeRemote(work) : await takeLocal(local, work);
    const bucket = remote ? openDeployedBuckets(() => undefined) : openGeodataBucket({ remote, state });
    try {
      const taken = !remote && geodataS3() ? { ...read, ...(await uploadsIn(bucket)) } : read;
      const builds = await listedBuilds(bucket, taken.live, resolve(ROOT, GEODATA_CACHE));
      const objects = values.geodata ? await copyBuilds(bucket, taken.live, place, work, log) : 0;
      const { madeAt, database, further, uploads, keys } = taken;
      const archive = await copyArchive(bucket, archiveKeysOf([database, ...Object.values(further)]), place);
      const learning = await packLearning(bucket, work);
      const manifest = await writeBackup(
        {
          from: remote ? "deployment" : "local",
          madeAt,
          worker,
          database,
          further,
          uploads,
          ...("objects" in taken && { objects: { path: taken.objects, counts: taken.counts } }),
          ...(keys && { keys }),
          archive,
          learning,
          geodata: { whole: values.geodata, objects, builds },
        },
        place,
      );
      const lacks = "damaged" in taken ? taken.damaged : [];
      const names = lacks.map(({ path }) => nameOf(path));
      if (!remote)
        noteBackup(state, { at: manifest.madeAt, where: place.where, ...(lacks.length > 0 && { damaged: names }) });
      if (values.json) console.log(JSON.stringify(manifest));
      else console.log(report(manifest, place.where, "stoodStill" in taken ? taken.stoodStill : 0));
      if (lacks.length > 0) {
        console.error(lacksText(lacks));
        // An empty file may be that of an object that a full disk did not let begin.
        if (lacks.some(({ damage }) => damage !== "it is empty")) process.exitCode = 1;
      }
    } finally {
      bucket.close();
    }
  } catch (error) {
    if (error instanceof ImportError) throw new CommandError(error.message);
    throw trouble(remote ? error : explained(error, state), work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function report(manifest: BackupManifest, where: string, stoodStill: number): string {
  const { madeAt, objects, uploads, geodata } = manifest;
  const bytes = partsOf(manifest).reduce((sum, part) => sum + part.bytes, 0);
  const rows = rowsIn(manifest);
  const held = Object.values(objects?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  const learned = learningObjects(manifest);
  const learning = learned > 0 ? `, ${count(learned)} objects of learning` : "";
  const whole = geodata.whole ? `geodata included (${count(geodata.objects)} objects)` : "geodata as a list";
  const lines = [
    `${where} contains the state at ${madeAt}: ${count(rows)} rows, ${count(held)} Durable Objects, ${count(uploads.length)} icons and styles${learning}, ${amount(bytes, "B")}; ${whole}.`,
  ];
  if (stoodStill > 0) lines.push(`The server was paused for ${Math.ceil(stoodStill)} ms.`);
  if (!objects) lines.push("The backup does not include a deployment's Durable Objects. See docs/backup.md.");
  return lines.join("\n");
}

/** Damaged files that are named. */
const NAMED = 10;

function lacksText(lacks: readonly DamagedFile[]): string {
  const lines = lacks.slice(0, NAMED).map(sentenceOf);
  if (lacks.length > NAMED) lines.push(`… and ${count(lacks.length - NAMED)} more: npm run doctor`);
  const files = lacks.length === 1 ? "1 file that is" : `${count(lacks.length)} files that are`;
  return [`The backup lacks ${files} damaged. An older backup may have them, so keep it.`, ...lines].join("\n");
}

const count = (n: number) => n.toLocaleString("en-US");

await runCommand(main, USAGE);
