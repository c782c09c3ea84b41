import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { divide } from "../../../src/importer/frame/budget.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";

/**
 * An import of all layers that is killed in the midst of each phase and step it has not been killed in before: `node killed-process.ts
 * EXTRACT FOLDER`. Where a phase tells of its progress that is at its first word, else when it is done.
 */
const [extract, folder] = process.argv.slice(2);
const list = join(folder, "killed.txt");
const survived = new Set(existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : []);
/** By day, one phase of reading, one step of a layer, and the end; EVERY_KILL=1 kills all. */
const BY_DAY = ["nodes", "roads: car", "publish"];
const isSpared = (where: string) => !process.env.EVERY_KILL && !BY_DAY.includes(where);
function kill(where: string): void {
  if (survived.has(where) || isSpared(where)) return;
  appendFileSync(list, `${where}\n`);
  process.kill(process.pid, "SIGKILL");
}
const bucket = openLocalBucket(join(folder, "state"), "geodata");
await importGeodata({
  name: "town",
  extracts: [extract],
  files: { addresses: [] },
  layers,
  cache: join(folder, "cache"),
  bucket,
  budget: divide(600e6, 2),
  reporter: {
    ...silent,
    begin(phase) {
      return { expect() {}, advance: () => kill(phase), end: () => kill(phase) };
    },
  },
});
bucket.close();
