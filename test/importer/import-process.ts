import { join } from "node:path";
import { importGeodata } from "../../src/importer/import.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { silent } from "../../src/importer/reporter.ts";
import { census } from "./census-layer.ts";

/** One import in a process of its own that says which phase begins: `node import-process.ts EXTRACT FOLDER`. */
const [extract, folder] = process.argv.slice(2);
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
      process.stdout.write(`begin ${phase}\n`);
      return silent.begin(phase);
    },
  },
});
bucket.close();
