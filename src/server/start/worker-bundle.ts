import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { CommandError } from "../base/command.ts";
import { QUIET, ROOT, wranglerScript } from "../base/wrangler.ts";
import { ensureDashboardFolder } from "../make/dashboard-folder.ts";
import { narrowText } from "./narrow-text.ts";

/** Folder of the Worker bundle, as a deployment would upload it; ignored by git. */
const BUNDLE = join(ROOT, "dist/server");
/** In the bundle: says of which source it was built. */
const STAMP = "source.sha256";
export const PLATFORM_CONFIG = join(ROOT, "wrangler.toml");

/** Inputs of the bundle, including the code that builds it. */
const SOURCES = ["src", "wrangler.toml", "package-lock.json"];
const NOT_OF_THE_WORKER = /^src\/(server\/(?!start\/worker-)|client\/|importer\/|dashboard\/|demo\/)/;

/** Bundles the Worker unless that was done of this very source: some seconds, or some milliseconds. @returns the folder */
export async function workerBundle({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> {
  const source = sourceHash();
  if (isBuiltOf(source)) return BUNDLE;
  log("Building the Worker…");
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const made = mkdtempSync(`${BUNDLE}-`);
  try {
    await bundleWorker(PLATFORM_CONFIG, made);
    writeFileSync(join(made, STAMP), source);
    // Of a temporary folder, only its owner may read: in the image, the server runs as another user.
    chmodSync(made, 0o755);
    // Another start may have built the same meanwhile, and may be reading it.
    if (isBuiltOf(source)) return BUNDLE;
    rmSync(BUNDLE, { recursive: true, force: true });
    renameSync(made, BUNDLE);
    return BUNDLE;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Whether a build would change nothing. */
export const isWorkerBuilt = (): boolean => isBuiltOf(sourceHash());

function isBuiltOf(source: string): boolean {
  const stamp = join(BUNDLE, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === source;
}

/** Without these, wrangler takes 80 MB more, next to esbuild. */
const FRUGAL = ["--no-warnings", "--max-old-space-size=150", "--max-semi-space-size=2", "--optimize-for-size"];
/** Building the map takes both 140 MB more; nothing reads it here. A bundle of the same version made with it resolves a stack. */
const NO_MAP = "--upload-source-maps=false";

/** Bundles the Worker of a wrangler.toml into a folder, as a deployment would, with its configuration. */
export async function bundleWorker(config: string, folder: string): Promise<void> {
  ensureDashboardFolder();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...FRUGAL, wranglerScript(), "deploy", "--config", config, "--dry-run", "--outdir", folder, NO_MAP],
    { cwd: ROOT, env: { ...process.env, ...QUIET }, encoding: "utf8" },
  );
  if (status !== 0) throw new CommandError(`The Worker of ${config} does not build.\n${stdout}${stderr}`);
  writeFileSync(join(folder, SETUP), JSON.stringify(await setupOf(config)));
}

/** Converts a wrangler.toml to Miniflare options. */
interface WorkerSetup {
  name: string;
  options: Record<string, unknown>;
  /** The folder of files, from the bundle's root, and how they are served. */
  assets?: { directory: string; assetConfig: object };
}

const SETUP = "setup.json";

/** @param folder of a bundle */
export const readSetup = (folder: string) => JSON.parse(readFileSync(join(folder, SETUP), "utf8")) as WorkerSetup;

/** Kept with the bundle, as loading wrangler takes longer than all else of a start. */
async function setupOf(config: string): Promise<WorkerSetup> {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const { name = "worker" } = unstable_readConfig({ config });
  const { assets, rootPath: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions as Options;
  if (!assets) return { name, options };
  const directory = relative(dirname(config), assets.directory);
  return { name, options, assets: { directory, assetConfig: assets.assetConfig } };
}

type Options = Record<string, unknown> & { assets?: { directory: string; assetConfig: object } };

/** The modules of a bundle as Miniflare takes them. */
export function modulesIn(folder: string) {
  return (
    readdirSync(folder)
      .filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
      // the entry first: workerd starts with the first module
      .sort((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js")))
      .map((file) => ({ type: moduleType(file), path: join(folder, file), contents: contentsOf(join(folder, file)) }))
  );
}

const contentsOf = (path: string): Buffer =>
  path.endsWith(".js") ? narrowText(readFileSync(path, "utf8")) : readFileSync(path);

function moduleType(file: string): "ESModule" | "CompiledWasm" | "Data" | "Text" {
  if (file.endsWith(".js")) return "ESModule";
  if (file.endsWith(".wasm")) return "CompiledWasm";
  return file.endsWith(".bin") ? "Data" : "Text";
}

function sourceHash(): string {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((path) => filesBelow(join(ROOT, path))).map((path) => relative(ROOT, path));
  for (const path of files.filter((path) => !NOT_OF_THE_WORKER.test(path)).sort()) {
    hash.update(path).update("\0");
    hash.update(readFileSync(join(ROOT, path))).update("\0");
  }
  return hash.digest("hex");
}

function filesBelow(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}
