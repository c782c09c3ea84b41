import { writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

/** A wrangler.toml as Miniflare takes it. */
export interface WorkerSetup {
  name: string;
  options: Record<string, unknown>;
  /** The folder of files, from the bundle's root, and how they are served. */
  assets?: { directory: string; assetConfig: object };
}

type Options = Record<string, unknown> & { assets?: { directory: string; assetConfig: object } };

function setupOf(config: string): WorkerSetup {
  const { name = "worker" } = unstable_readConfig({ config });
  const { assets, rootPath: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions as Options;
  if (!assets) return { name, options };
  const directory = relative(dirname(config), assets.directory);
  return { name, options, assets: { directory, assetConfig: assets.assetConfig } };
}

// A process of its own for worker-bundle.ts, which keeps the answer with the bundle: loading wrangler takes longer than all else of a start.
const [config, file] = process.argv.slice(2);
writeFileSync(file, JSON.stringify(setupOf(config)));
