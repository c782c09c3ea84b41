import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ensureDashboardFolder } from "../../src/cli/dashboard-folder.ts";
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
  prepare?(database: Database, projectId: number, state: string): Promise<void>;
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
  await prepare?.(database, id, state);
  database.close();
  const worker = await startOnce(PLATFORM, state, bindings);
  return { ...worker, keys, projectId: id, state };
}

/** Starts an empty Hono handler the same way, in a workerd of its own. */
export function startFloor(): Promise<BenchWorker> {
  return startOnce(join(import.meta.dirname, "floor.toml"), mkdtempSync(join(tmpdir(), "graticule-floor-")));
}

/** Builds and starts; stopping leaves nothing behind. */
async function startOnce(config: string, state: string, bindings?: Record<string, string>): Promise<BenchWorker> {
  const built = buildWorker(config);
  const worker = await startBuilt(built, state, bindings);
  return {
    ...worker,
    async stop() {
      await worker.stop();
      built.discard();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

const PLATFORM = join(ROOT, "wrangler.toml");

export interface BuiltWorker {
  config: string;
  /** Where the bundle lies. */
  folder: string;
  /** To be called by who has built it, when it is needed no more. */
  discard(): void;
}

/**
 * Bundles the Worker of a wrangler.toml as a deployment would. The tests of one run share the platform's bundle, in a
 * folder that the run makes and removes (test/support/server.ts).
 */
export function buildWorker(config = PLATFORM): BuiltWorker {
  const run = process.env.GRATICULE_TEST_RUN;
  if (run === undefined || config !== PLATFORM) return bundle(config);
  const folder = join(run, "bundle");
  if (!existsSync(folder)) {
    const made = bundle(config);
    try {
      renameSync(made.folder, folder);
    } catch (error) {
      made.discard();
      // Another process of the run was faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return { config, folder, discard() {} };
}

function bundle(config: string): BuiltWorker {
  ensureDashboardFolder();
  const folder = mkdtempSync(join(tmpdir(), "graticule-build-"));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", WRANGLER, "deploy", "--config", config, "--dry-run", "--outdir", folder],
    { cwd: ROOT, env: { ...process.env, ...QUIET }, encoding: "utf8" },
  );
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${config} does not build:\n${stdout}${stderr}`);
  }
  return { config, folder, discard: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Starts a bundle on a state, which stays when it stops: what was acknowledged must be there at the next start, however the last
 * one ended. Without the dashboard's files: for those, Miniflare puts two Workers of its own in front of each request.
 * @param state a folder as `--persist-to` names it
 */
export async function startBuilt(
  { config, folder }: Pick<BuiltWorker, "config" | "folder">,
  state: string,
  bindings: Record<string, string> = {},
): Promise<BenchWorker> {
  // its type loses every field to an index signature on the way through Omit
  const { assets: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions as V4WorkerOptions;
  const earlier = childrenNamed("workerd");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      bindings: { ...options.bindings, ...bindings },
      rootPath: folder,
      modulesRoot: folder,
      modules: modulesIn(folder),
      resourcePersistencePath: join(state, "v3"),
      // INSPECT=9333: a profiler may look in while a bench runs
      inspectorPort: Number(process.env.INSPECT ?? 0) || undefined,
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
  return { url, pid, stop: () => miniflare.dispose() };
}

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
