import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
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
import { join, relative } from "node:path";
import { FRUGAL as FRUGAL_TOOLS } from "../base/frugal.ts";
import { QUIET, ROOT, wranglerScript } from "../base/wrangler.ts";
import { ensureDashboardFolder } from "../make/dashboard-folder.ts";
import { letOthersRead } from "../make/let-others-read.ts";
import { built } from "./build-child.ts";
import { narrowText } from "./narrow-text.ts";
import type { WorkerSetup } from "./worker-setup.ts";

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
    // In the image, the server runs as another user.
    letOthersRead(made);
    // Another start may have built the same meanwhile, and may be reading it.
    if (isBuiltOf(source)) return BUNDLE;
    rmSync(BUNDLE, { recursive: true, force: true });
    renameSync(made, BUNDLE);
    return BUNDLE;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function isBuiltOf(source: string): boolean {
  const stamp = join(BUNDLE, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === source;
}

/** Without these, wrangler takes 80 MB more, next to esbuild. */
const FRUGAL = ["--no-warnings", "--max-old-space-size=150", "--max-semi-space-size=2", "--optimize-for-size"];
/** Building the map takes both 140 MB more; nothing reads it here. A bundle of the same version made with it resolves a stack. */
const NO_MAP = "--upload-source-maps=false";

/**
 * Bundles the Worker of a wrangler.toml into a folder, as a deployment would, with its configuration. Wrangler runs in processes of its own,
 * started by this one: one between would take 47 MB more where a start needs most.
 */
export async function bundleWorker(config: string, folder: string): Promise<void> {
  ensureDashboardFolder();
  const bundling = [wranglerScript(), "deploy", "--config", config, "--dry-run", "--outdir", folder, NO_MAP];
  await run([...FRUGAL, ...bundling]);
  await run(["--no-warnings", join(import.meta.dirname, "worker-setup.ts"), config, join(folder, SETUP)]);
}

async function run(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...FRUGAL_TOOLS, ...process.env, ...QUIET },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await built(child, "Worker", () => said);
}

/** In the bundle: how Miniflare runs it. */
const SETUP = "setup.json";

/** @param folder of a bundle */
export const readSetup = (folder: string) => JSON.parse(readFileSync(join(folder, SETUP), "utf8")) as WorkerSetup;

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
