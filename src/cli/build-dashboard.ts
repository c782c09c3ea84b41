import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./wrangler.ts";

/** Where the built dashboard lies; git ignores it. */
export const DASHBOARD = join(ROOT, "dist/dashboard");
/** Says of which source it was built. Beside it, not in it: all that is in it is served. */
const STAMP = join(ROOT, "dist/dashboard.source");

/** Whatever the build reads: the app, the pure rooms that it may enter (types do not count), and what builds it. */
const SOURCES = ["src/dashboard", "src/geo", "src/limits", "src/maps", "src/routing", "src/tracking", "src/auth"];
const CONFIGURATION = ["vite.dashboard.config.ts", "package-lock.json"];

/**
 * Builds the dashboard into dist/dashboard unless it stands there already, built of this very source: some seconds, or some
 * milliseconds.
 * @returns whether it was built now
 */
export async function buildDashboard({ tell = () => {} }: { tell?: (line: string) => void } = {}): Promise<boolean> {
  const source = sourceHash();
  const isThere = existsSync(join(DASHBOARD, "index.html")) && existsSync(STAMP);
  if (isThere && readFileSync(STAMP, "utf8") === source) return false;
  tell("Building the dashboard…");
  const { build } = await import("vite");
  await build({ configFile: join(ROOT, "vite.dashboard.config.ts"), logLevel: "warn" });
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(STAMP, source);
  return true;
}

function sourceHash(): string {
  const hash = createHash("sha256");
  const files = [
    ...SOURCES.flatMap((folder) => filesBelow(join(ROOT, folder))),
    ...CONFIGURATION.map((name) => join(ROOT, name)),
  ];
  for (const path of files.sort())
    hash.update(relative(ROOT, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
