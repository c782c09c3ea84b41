import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** The largest Worker that Cloudflare's free plan allows, gzipped [bytes]. */
export const BUNDLE_LIMIT = 3 * 2 ** 20;

interface BundleSize {
  /** [bytes] */
  raw: number;
  /** All modules compressed together, as Cloudflare counts [bytes]. */
  gzip: number;
}

/** The size of what `wrangler deploy --outdir` wrote: every module, without source maps and wrangler's own readme. */
export function bundleSize(folder: string): BundleSize {
  const modules = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".map") && entry.name !== "README.md")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const all = Buffer.concat(modules);
  return { raw: all.length, gzip: gzipSync(all).length };
}
