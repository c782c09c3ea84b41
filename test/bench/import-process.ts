import { rmSync } from "node:fs";
import { join } from "node:path";
import { importGeodata } from "../../src/importer/import.ts";
import { layers } from "../../src/importer/layers.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { silent } from "../../src/importer/reporter.ts";

/** What one phase took. */
export interface PhaseFigures {
  phase: string;
  seconds: number;
  /** Most memory held until its end, since the process began [MB]. */
  peakMb: number;
}

export interface ImportFigures {
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
  bytesOut: number;
  phases: PhaseFigures[];
}

/**
 * One import in a process of its own, so that its memory is its own: `node import-process.ts EXTRACT FOLDER LAYERS`, the
 * layers by name and comma. Prints ImportFigures as JSON.
 */
const [extract, folder, names] = process.argv.slice(2);
const chosen = layers.filter(({ name }) => names.split(",").includes(name));
const peakMb = () => process.resourceUsage().maxRSS / 1000;
const phases: PhaseFigures[] = [];
rmSync(folder, { recursive: true, force: true });
const bucket = openLocalBucket(join(folder, "state"), "geodata");
const start = performance.now();
const { manifest } = await importGeodata({
  name: "bench",
  extracts: [extract],
  files: { addresses: [] },
  layers: chosen,
  cache: join(folder, "cache"),
  bucket,
  reporter: {
    ...silent,
    begin(phase) {
      const began = performance.now();
      return {
        ...silent.begin(phase),
        end: () => phases.push({ phase, seconds: (performance.now() - began) / 1000, peakMb: peakMb() }),
      };
    },
  },
});
const { user, system } = process.cpuUsage();
const figures: ImportFigures = {
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: (user + system) / 1e6,
  peakMb: peakMb(),
  bytesOut: Object.values(manifest.layers).reduce((sum, { bytes }) => sum + bytes, 0),
  phases,
};
bucket.close();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(figures));
