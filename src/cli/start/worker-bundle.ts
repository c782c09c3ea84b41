import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CommandError } from "../command.ts";
import { ensureDashboardFolder } from "../dashboard-folder.ts";
import { QUIET, ROOT, WRANGLER } from "../wrangler.ts";

/** Where the Worker lies as a deployment would upload it; git ignores it. */
const BUNDLE = join(ROOT, "dist/server");
/** Says of which source it was built. */
const STAMP = join(ROOT, "dist/server.source");

/** Whatever becomes part of the Worker. */
const SOURCES = ["src", "wrangler.toml", "package-lock.json"];
const NOT_OF_THE_WORKER = /^src\/(cli|importer|dashboard)\//;

/** Bundles the Worker unless that was done of this very source: some seconds, or some milliseconds. @returns the folder */
export function workerBundle({ tell = () => {} }: { tell?: (line: string) => void } = {}): string {
  const source = sourceHash();
  if (existsSync(BUNDLE) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === source) return BUNDLE;
  tell("Building the Worker…");
  ensureDashboardFolder();
  const made = `${BUNDLE}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", WRANGLER, "deploy", "--dry-run", "--outdir", made],
    { cwd: ROOT, env: { ...process.env, ...QUIET }, encoding: "utf8" },
  );
  if (status !== 0) throw new CommandError(`The Worker does not build.\n${stdout}${stderr}`);
  rmSync(BUNDLE, { recursive: true, force: true });
  renameSync(made, BUNDLE);
  writeFileSync(STAMP, source);
  return BUNDLE;
}

/** The modules of a bundle as Miniflare takes them. */
export function modulesIn(folder: string) {
  return (
    readdirSync(folder)
      .filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
      // the entry first: workerd starts with the first module
      .sort((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js")))
      .map((file) => ({ type: moduleType(file), path: join(folder, file), contents: readFileSync(join(folder, file)) }))
  );
}

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
