import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPUTING, CREATION_LIMITS } from "../../src/core/limits/table.ts";
import { type Database, query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { createProject, type ProjectKeys } from "../../src/server/project/projects.ts";
import { cacheMegabytes } from "../../src/server/start/cache-size.ts";
import { type OpenOptions, openWorker } from "../../src/server/start/open-worker.ts";
import { GATHERED } from "../../src/server/start/server.ts";
import { bundleWorker, PLATFORM_CONFIG, workerBundle } from "../../src/server/start/worker-bundle.ts";
import { childrenNamed } from "./support/process-cpu.ts";

/** A Worker in a workerd of its own, reached without any layer between. */
export interface BenchWorker {
  /** Base URL, without a slash at its end. */
  url: string;
  /** The workerd process. */
  pid: number;
  /** A round of a cron, as if it were then [ms]. */
  scheduled?(cron: string, at: number): Promise<void>;
  /** Where the Worker beside it answers, if there is one. */
  urlBeside?: string;
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
  /** Another Worker in the same process (src/server/start/open-worker.ts). */
  beside?: OpenOptions["beside"];
  /** A folder in which the world stays, and is found when it is there already: some take longer to make than to measure. */
  keptIn?: string;
  /** Work on the database before the Worker starts: a world to measure in. */
  prepare?(database: Database, projectId: number, state: string): Promise<void>;
}

/** Starts the built Worker on a socket of workerd itself: `wrangler dev` puts proxies in front that cost more than the Worker. */
export async function startPlatform({
  unlimited = [],
  bindings = {},
  beside,
  keptIn,
  prepare,
}: PlatformOptions): Promise<PlatformWorker> {
  const state = keptIn ?? mkdtempSync(join(tmpdir(), "graticule-bench-"));
  const note = join(state, "bench.json");
  if (!existsSync(note)) {
    const database = openLocalDatabase(state);
    const { id, keys } = await createProject(database, "bench");
    const created = unlimited.includes("track") ? Object.keys(CREATION_LIMITS) : [];
    // Publishable keys may compute for half of a core: less than a bench asks for.
    const names = unlimited.length > 0 ? [...unlimited, COMPUTING, ...created] : [];
    const rateLimits = Object.fromEntries(names.map((name) => [name, 1_000_000]));
    await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), id);
    await prepare?.(database, id, state);
    database.close();
    writeFileSync(note, JSON.stringify({ keys, projectId: id }));
  }
  const made = JSON.parse(readFileSync(note, "utf8")) as Pick<PlatformWorker, "keys" | "projectId">;
  const worker = await startOnce(PLATFORM_CONFIG, state, bindings, beside, keptIn !== undefined);
  return { ...worker, ...made, state };
}

/** Starts an empty Hono handler the same way, in a workerd of its own. */
export function startFloor(): Promise<BenchWorker> {
  return startOnce(join(import.meta.dirname, "support/floor.toml"), mkdtempSync(join(tmpdir(), "graticule-floor-")));
}

/** Builds and starts; stopping leaves nothing behind, but for a state that is to be kept. */
async function startOnce(
  config: string,
  state: string,
  bindings?: Record<string, string>,
  beside?: OpenOptions["beside"],
  keep = false,
): Promise<BenchWorker> {
  const built = await buildWorker(config);
  // With what `npm start` sets.
  const worker = await startBuilt(
    built,
    state,
    { ...GATHERED, GEODATA_CACHE_MB: cacheMegabytes(), ...bindings },
    beside,
  );
  return {
    ...worker,
    async stop() {
      await worker.stop();
      built.discard();
      if (!keep) rmSync(state, { recursive: true, force: true });
    },
  };
}

export interface BuiltWorker {
  /** Where the bundle lies. */
  folder: string;
  /** To be called by who has built it, when it is needed no more. */
  discard(): void;
}

/**
 * Bundles the Worker of a wrangler.toml as a deployment would. The tests of one run share the platform's bundle, in a
 * folder that the run makes and removes (test/support/server.ts); GRATICULE_TEST_BUNDLE names another (test/mutation).
 */
export async function buildWorker(config = PLATFORM_CONFIG): Promise<BuiltWorker> {
  const changed = process.env.GRATICULE_TEST_BUNDLE;
  if (changed !== undefined && config === PLATFORM_CONFIG) return { folder: changed, discard() {} };
  const run = process.env.GRATICULE_TEST_RUN;
  if (run === undefined || config !== PLATFORM_CONFIG) return bundle(config);
  const folder = join(run, "bundle");
  if (!existsSync(folder)) {
    // The bundle that `npm start` builds, which the next run of the same source uses again. A copy, because a later source replaces it.
    const copy = `${folder}-${process.pid}`;
    cpSync(await workerBundle(), copy, { recursive: true });
    try {
      renameSync(copy, folder);
    } catch (error) {
      rmSync(copy, { recursive: true, force: true });
      // Another process of the run was faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return { folder, discard() {} };
}

async function bundle(config: string): Promise<BuiltWorker> {
  const folder = mkdtempSync(join(tmpdir(), "graticule-build-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    await bundleWorker(config, folder);
  } catch (error) {
    discard();
    throw error;
  }
  return { folder, discard };
}

/**
 * Starts a bundle on a state, which stays when it stops: what was acknowledged must be there at the next start, however the last
 * one ended. Without the dashboard's files, which nobody measures.
 * @param state a folder as `--persist-to` names it
 */
export async function startBuilt(
  { folder }: Pick<BuiltWorker, "folder">,
  state: string,
  variables: Record<string, string> = {},
  beside?: OpenOptions["beside"],
): Promise<BenchWorker> {
  const earlier = childrenNamed("workerd");
  const { name, miniflare, urlOf, runCron } = await openWorker({
    bundle: folder,
    state,
    beside,
    // as npm start does: benches are proxies of many clients, whose addresses they name where an endpoint limits them
    variables: { TRUSTED_PROXIES: "loopback", ...variables },
    // INSPECT=9333: a profiler may look in while a bench runs
    inspectorPort: Number(process.env.INSPECT ?? 0) || undefined,
    // a line per request would bury the figures; what goes wrong is shown
    log(level, message) {
      if (level === "error" || level === "warn") console.error(message);
    },
  });
  await miniflare.ready;
  const [pid] = childrenNamed("workerd").filter((child) => !earlier.includes(child));
  return {
    ...(beside && { urlBeside: await urlOf(beside.name) }),
    url: await urlOf(name),
    pid,
    stop: () => miniflare.dispose(),
    scheduled: runCron,
  };
}
