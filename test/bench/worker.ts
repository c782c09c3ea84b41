import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { type Database, query } from "../../src/cli/database.ts";
import { openLocalDatabase } from "../../src/cli/local-database.ts";
import { createProject, type ProjectKeys } from "../../src/cli/projects.ts";
import { QUIET, ROOT, WRANGLER } from "../../src/cli/wrangler.ts";
import { childrenNamed } from "./process-cpu.ts";

/** A Worker in a workerd of its own, reached without any layer between. */
export interface BenchWorker {
  /** Base URL, without a slash at its end. */
  url: string;
  /** The workerd process. */
  pid: number;
  stop(): Promise<void>;
}

/** The Worker of this project, with a project of its own in an empty database. */
export interface PlatformWorker extends BenchWorker {
  keys: ProjectKeys;
  projectId: number;
  /** The folder its state lives in, as `--persist-to` names it. */
  state: string;
}

export interface PlatformOptions {
  /** Endpoints, by name, on which the project has no rate limit worth the word. */
  unlimited?: string[];
  /** Variables that the Worker finds in its environment. */
  bindings?: Record<string, string>;
  /** Work on the database before the Worker starts: a world to measure in. */
  prepare?(database: Database, projectId: number): Promise<void>;
}

/** Starts the built Worker on a socket of workerd itself: `wrangler dev` puts proxies in front that cost more than the Worker. */
export async function startPlatform({
  unlimited = [],
  bindings = {},
  prepare,
}: PlatformOptions): Promise<PlatformWorker> {
  const state = mkdtempSync(join(tmpdir(), "graticule-bench-"));
  const database = openLocalDatabase(state);
  const { id, keys } = await createProject(database, "bench");
  const rateLimits = Object.fromEntries(unlimited.map((endpoint) => [endpoint, 1_000_000]));
  await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), id);
  await prepare?.(database, id);
  database.close();
  const worker = await start(join(ROOT, "wrangler.toml"), state, bindings);
  return {
    ...worker,
    keys,
    projectId: id,
    state,
    async stop() {
      await worker.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Starts an empty Hono handler the same way, in a workerd of its own. */
export async function startFloor(): Promise<BenchWorker> {
  const state = mkdtempSync(join(tmpdir(), "graticule-floor-"));
  const worker = await start(join(import.meta.dirname, "floor.toml"), state);
  return {
    ...worker,
    async stop() {
      await worker.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

async function start(config: string, state: string, bindings: Record<string, string> = {}): Promise<BenchWorker> {
  // its type loses every field to an index signature on the way through Omit
  const options = unstable_getMiniflareWorkerOptions(config).workerOptions as V4WorkerOptions;
  const built = build(config);
  const earlier = childrenNamed("workerd");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      bindings: { ...options.bindings, ...bindings },
      rootPath: built.folder,
      modulesRoot: built.folder,
      modules: built.modules,
      resourcePersistencePath: join(state, "v3"),
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      host: "127.0.0.1",
      port: 0,
      cf: false,
      // a line per request would bury the figures; what goes wrong is shown
      handleStructuredLogs({ level, message }) {
        if (level === "error" || level === "warn") console.error(message);
      },
      log: new Log(LogLevel.ERROR),
    }),
  );
  await miniflare.ready;
  const url = String(await miniflare.unsafeGetDirectURL()).replace(/\/$/, "");
  const [pid] = childrenNamed("workerd").filter((child) => !earlier.includes(child));
  return {
    url,
    pid,
    async stop() {
      await miniflare.dispose();
      rmSync(built.folder, { recursive: true, force: true });
    },
  };
}

/** Bundles the Worker of a wrangler.toml as a deployment would. */
function build(config: string) {
  const folder = mkdtempSync(join(tmpdir(), "graticule-build-"));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", WRANGLER, "deploy", "--config", config, "--dry-run", "--outdir", folder],
    { cwd: ROOT, env: { ...process.env, ...QUIET }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${config} does not build:\n${stdout}${stderr}`);
  const modules = readdirSync(folder)
    .filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
    // the entry first: workerd starts with the first module
    .sort((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js")))
    .map((file) => ({ type: moduleType(file), path: join(folder, file), contents: readFileSync(join(folder, file)) }));
  return { folder, modules };
}

function moduleType(file: string): "ESModule" | "CompiledWasm" | "Data" | "Text" {
  if (file.endsWith(".js")) return "ESModule";
  if (file.endsWith(".wasm")) return "CompiledWasm";
  return file.endsWith(".bin") ? "Data" : "Text";
}
