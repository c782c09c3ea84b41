import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { WORLD } from "../core/geo/builds/manifest.ts";
import { ImportError } from "../importer/common/import-error.ts";
import { keyUntil, momentsOf, orAnotherMoment } from "./backup/continuous/moments.ts";
import type { BackupManifest } from "./backup/manifest.ts";
import { openPlace, trouble } from "./backup/place.ts";
import { readBackup } from "./backup/read-backup.ts";
import { restoreLocal } from "./backup/restore-local.ts";
import { restoreObject } from "./backup/restore-object.ts";
import { restoreRemote } from "./backup/restore-remote.ts";
import { ageSentence, verified } from "./backup/verify-restored.ts";
import { rowsIn } from "./backup/write-backup.ts";
import { CommandError, readArguments, runCommand, UsageError } from "./base/command.ts";
import { keepPrivate } from "./base/private-files.ts";
import { databaseIds, ROOT, workerName } from "./base/wrangler.ts";
import { DEFAULT_STATE } from "./data/local-database.ts";
import { geodataBucketName } from "./geodata/geodata-bucket.ts";

const USAGE = "npm run restore -- DIR|s3://BUCKET/PREFIX [options]";

const HELP = `${USAGE}

Restores a backup (npm run backup) into an empty target. All checksums are verified before anything is written. docs/backup.md

  --remote          restore into the Cloudflare deployment
  --persist-to DIR  the local state of npm start or npm run dev (${DEFAULT_STATE})
  --force           replace existing data
  --check           only verify the backup
  --list            list the moments that a continuous backup keeps
  --at TIME         restore the newest moment until then (2026-11-26T12:00:00Z) of a continuous backup
  --object NAME     restore one database (DB) or Durable Object (CLASS/ID) alone; the file that is there is set aside
  --verify          restore into a scratch folder, compare its rows and objects with the backup, and remove it
  --help            show this help`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: resolve(ROOT, DEFAULT_STATE) },
      force: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      at: { type: "string" },
      object: { type: "string" },
      verify: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.length !== 1) throw new UsageError("Specify a source: a folder, or s3://BUCKET/PREFIX.");
  const place = openPlace(positionals[0]);
  const { force, remote, verify, object } = values;
  if (object !== undefined && (remote || verify))
    throw new UsageError("--object restores into a local state: use it without --remote and --verify.");
  if (verify && (remote || force))
    throw new UsageError("--verify restores into a folder of its own: use it without --remote and --force.");
  if (values.list) return console.log(await momentsOf(place));
  const work = mkdtempSync(join(tmpdir(), "graticule-restore-"));
  const state = verify ? join(work, "state") : resolve(values["persist-to"]);
  if (!verify) keepPrivate(state);
  try {
    const key = values.at === undefined ? undefined : await keyUntil(place, values.at);
    const backup = await readBackup(place, work, key).catch(async (error) => {
      throw await orAnotherMoment(place, error);
    });
    const { manifest } = backup;
    if (values.check) return console.log(`${place.where} is intact: ${summary(manifest)}.`);
    const local = { state, worker: workerName(), ...databaseIds(), bucket: geodataBucketName() };
    if (object !== undefined)
      return console.log(`${restoreObject(backup, object, local)} is restored to ${manifest.madeAt}.`);
    if (remote) await restoreRemote(backup, place, { force, work });
    else await restoreLocal(backup, place, { ...local, force, work });
    if (verify) {
      console.log(verified(backup, local, place));
      return console.log(ageSentence(manifest, place.where, { isNewest: values.at === undefined, now: Date.now() }));
    }
    console.log(
      `${remote ? "The deployment" : state} is restored to ${manifest.madeAt}: ${summary(manifest)}.${next(manifest, remote)}`,
    );
  } catch (error) {
    if (error instanceof ImportError) throw new CommandError(error.message);
    throw trouble(error, state);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function summary(manifest: BackupManifest): string {
  const { objects, uploads } = manifest;
  const sum = (counts: Record<string, number> = {}) =>
    Object.values(counts)
      .reduce((all, one) => all + one, 0)
      .toLocaleString("en-US");
  return `${rowsIn(manifest).toLocaleString("en-US")} rows, ${sum(objects?.counts)} Durable Objects, ${uploads.length} icons and styles`;
}

/** Returns the next steps: re-imports of builds that are not in the backup, and a note on devices of a deployment. */
function next({ geodata, objects }: BackupManifest, remote: boolean): string {
  const lines: string[] = [];
  const builds = geodata.whole ? [] : geodata.builds.filter(({ name }) => name !== WORLD);
  if (builds.length > 0) lines.push("", "Re-import the live builds:");
  for (const { name, inputs, command } of builds)
    lines.push(
      `  ${command ?? `${name}, of ${inputs.join(", ")}: npm run import -- FILES --name ${name}`}${command && remote ? " --remote" : ""}`,
    );
  if (remote && objects)
    lines.push(
      "",
      "Devices start as new users with their next update, because their Durable Objects cannot be restored.",
    );
  return lines.map((line) => `\n${line}`).join("");
}

await runCommand(main, USAGE);
