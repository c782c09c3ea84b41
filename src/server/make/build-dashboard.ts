import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../base/wrangler.ts";

/** Folder of the built dashboard; ignored by git. */
export const DASHBOARD = join(ROOT, "dist/dashboard");
/** Stores the hash of the source. It is next to the folder, because all files in the folder are served. */
const STAMP = join(ROOT, "dist/dashboard.source");
const DOCS_STAMP = join(ROOT, "dist/docs.source");

/** Inputs of the build: the app, the pure modules that it may import (types are ignored), and the build code. */
const SOURCES = [
  ...[
    "src/dashboard",
    "src/core/geo",
    "src/core/limits",
    "src/core/maps",
    "src/core/routing",
    "src/core/tracking",
    "src/core/auth",
  ],
  ...["src/core/places", "src/core/regions", "src/core/webhooks", "src/worker/wire/tables"],
];
/** Of the guides, which are built in a moment: a changed sentence builds no app. */
const DOCS_SOURCES = [
  ...["src/server/docs", "src/dashboard/docs", "docs/guides", "docs/examples", "docs/hosting", "docs/monitoring"],
  ...[
    "docs/backup.md",
    "docs/databases.md",
    "docs/deploying.md",
    "docs/residency.md",
    "docs/self-hosting.md",
    "docs/upgrading.md",
  ],
];
const CONFIGURATION = ["vite.dashboard.config.ts", "package-lock.json"];

/**
 * Builds the dashboard and the guides into dist/dashboard, which takes some seconds. Skips the build if the source has
 * not changed.
 * @returns whether it was built now
 */
export async function buildDashboard({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<boolean> {
  const appSource = sourceHash(SOURCES);
  const isThere = existsSync(join(DASHBOARD, "index.html"));
  const isNew = !isThere || stampOf(STAMP) !== appSource;
  if (isNew) {
    log("Building the dashboard…");
    const { build } = await import("vite");
    await build({ configFile: join(ROOT, "vite.dashboard.config.ts"), logLevel: "warn" });
    // Loaded by MapLibre's worker, also on pages of others: one file, no module, always of this name.
    await build({
      configFile: false,
      logLevel: "warn",
      build: {
        outDir: DASHBOARD,
        emptyOutDir: false,
        target: "es2022",
        lib: {
          entry: join(ROOT, "src/dashboard/rtl/rtl-text.ts"),
          formats: ["iife"],
          name: "rtlText",
          fileName: () => "rtl-text.js",
        },
      },
    });
    writeStamp(STAMP, appSource);
  }
  const docsSource = sourceHash(DOCS_SOURCES);
  const isDocsNew = isNew || stampOf(DOCS_STAMP) !== docsSource;
  if (isDocsNew) {
    const { buildDocs } = await import("../docs/build-docs.ts");
    await buildDocs(join(DASHBOARD, "docs"));
    writeStamp(DOCS_STAMP, docsSource);
  }
  return isNew || isDocsNew;
}

/** Whether a build would change nothing. */
export const isDashboardBuilt = (): boolean =>
  existsSync(join(DASHBOARD, "index.html")) &&
  stampOf(STAMP) === sourceHash(SOURCES) &&
  stampOf(DOCS_STAMP) === sourceHash(DOCS_SOURCES);

function stampOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function writeStamp(path: string, source: string): void {
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(path, source);
}

function sourceHash(folders: readonly string[]): string {
  const hash = createHash("sha256");
  const files = [
    ...folders.flatMap((folder) => filesBelow(join(ROOT, folder))),
    ...CONFIGURATION.map((name) => join(ROOT, name)),
  ];
  for (const path of files.sort())
    hash.update(relative(ROOT, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
