import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import { makeLive, readManifest } from "../../importer/publish/live-list.ts";
import { localBucketPath } from "../../importer/publish/local-bucket.ts";
import { geodataBucketName, openGeodataBucket } from "../geodata/geodata-bucket.ts";
import { damagedLiveList } from "./integrity.ts";
import { tellDamaged } from "./mend.ts";

/**
 * Makes a damaged list of live builds again before a server starts: of each name, the build that was imported last is live, and those before
 * are what a rollback goes to. Without a list, geodata is unknown to all; with an empty one, places and regions would be left.
 */
export async function remakeLiveList(state: string): Promise<void> {
  const [file] = damagedLiveList(state);
  if (!file) return;
  const { path, damage, holds } = file;
  const setAside = join(state, "damaged", `${LIVE_KEY}-${new Date().toISOString().replaceAll(":", "")}`);
  mkdirSync(join(state, "damaged"), { recursive: true, mode: 0o700 });
  if (damage !== "it is missing") renameSync(path, setAside);
  const bucket = openGeodataBucket({ remote: false, state });
  const [live, lost]: [Set<string>, string[]] = [new Set(), []];
  try {
    await bucket.delete([LIVE_KEY]);
    for (const id of buildsIn(state)) {
      try {
        const manifest = await readManifest(bucket, id);
        await makeLive(bucket, manifest);
        live.add(manifest.name);
      } catch {
        lost.push(id);
      }
    }
  } finally {
    bucket.close();
  }
  const names = [...live].sort().join(", ") || "nothing";
  tellDamaged({
    ...{ file: path, damage, ...(damage !== "it is missing" && { setAside }), holds },
    done: `It is made again of the builds in the bucket: ${names}. Of each, the last import is live.`,
    ...(lost.length > 0 && { unreadable: lost }),
    todo: "Was another one live, or none? npm run geodata -- list, then rollback or remove",
  });
}

/** Ids of the builds in the bucket on the disk, the oldest first. */
function buildsIn(state: string): string[] {
  const database = new DatabaseSync(localBucketPath(state, geodataBucketName()), { readOnly: true, timeout: 5000 });
  try {
    const keys = database.prepare(
      "SELECT key FROM _mf_objects WHERE key LIKE 'builds/%/manifest.json' ORDER BY uploaded, key",
    );
    return keys.all().map(({ key }) => String(key).split("/")[1]);
  } finally {
    database.close();
  }
}
