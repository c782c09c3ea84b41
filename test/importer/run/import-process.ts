import { join } from "node:path";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { census } from "./census-layer.ts";

/**
 * One import in a process of its own: `node import-process.ts EXTRACT FOLDER [PHASE]`. It is killed where the phase begins, as by the
 * system, without a word.
 */
const [extract, folder, last] = process.argv.slice(2);
const bucket = openLocalBucket(join(folder, "state"), "geodata");
await importGeodata({
  name: "town",
  extracts: [extract],
  files: { addresses: [] },
  layers: [census],
  cache: join(folder, "cache"),
  bucket,
  reporter: {
    ...silent,
    begin(phase) {
      if (phase === last) process.kill(process.pid, "SIGKILL");
      return silent.begin(phase);
    },
  },
});
bucket.close();
