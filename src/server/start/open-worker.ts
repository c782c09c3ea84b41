import { join } from "node:path";
import type { Miniflare as MiniflareServer, V4WorkerOptions } from "miniflare";
import { ROOT } from "../base/wrangler.ts";
import { inTemporary } from "../state/temporary.ts";
import { filesService } from "./files-service.ts";
import { CoreHeaders, convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "./miniflare.ts";
import { modulesIn, readSetup } from "./worker-bundle.ts";

/**
 * Sends webhooks through workerd's own network, which blocks names that resolve to private addresses unless the
 * operator allows them. Miniflare would wrap the Worker's plain `fetch` in another Worker, which is a measurable cost
 * per message.
 */
function outbound({ ALLOW_PRIVATE_HOSTS }: Record<string, string>) {
  const allow = ALLOW_PRIVATE_HOSTS === "true" ? ["public", "private"] : ["public"];
  return { network: { allow, tlsOptions: { trustBrowserCas: true } } };
}

/**
 * Miniflare configures workerd to read `request.cf` from a header (MF-CF-Blob), which any direct client could send.
 * Without the header's name, workerd sets the peer's address itself: `{clientIp: "192.0.2.1:4711"}`. Miniflare reads
 * the name when it writes workerd's configuration, and has no option for it. test/server/commands/start/start.test.ts fails if a release
 * changes this.
 */
function keepClientsOutOfCf(): void {
  (CoreHeaders as { CF_BLOB: string | undefined }).CF_BLOB = undefined;
}

/**
 * V8's young generation in workerd is at most three times this. Requests, responses, streams and answers of D1 and of Durable Objects are
 * small in JavaScript and keep some kB of workerd's own memory each, which V8 does not count and frees only with them. With V8's default
 * of 16 MB, so much comes together that workerd's heap is twice as large and grows for hours (docs/decisions/cli.md).
 */
const YOUNG_MB = 2;

/** What Miniflare reads when it configures workerd, with no option for it: flags by spaces. An operator may set another size in it. */
const V8_FLAGS = "MINIFLARE_WORKERD_V8_FLAGS";

function limitYoungGenerations(): void {
  const flag = "--max-semi-space-size";
  const own = process.env[V8_FLAGS] ?? "";
  if (!own.includes(flag)) process.env[V8_FLAGS] = `${flag}=${YOUNG_MB} ${own}`.trim();
}

export type Logged = (level: string, message: string) => void;

export interface OpenOptions {
  /** The folder of a bundle (worker-bundle.ts). */
  bundle: string;
  /** Folder of D1, R2 and Durable Objects, as `--persist-to` names it. */
  state: string;
  host?: string;
  /** 0: any that is free. */
  port?: number;
  /** Environment variables of the Worker in addition to wrangler.toml. */
  variables?: Record<string, string>;
  /** Serve the dashboard's files, too. */
  files?: boolean;
  /** Services of this process that the Worker may ask, by the names of their bindings. */
  services?: Record<string, (request: Request) => Promise<Response>>;
  /** Databases in addition to wrangler.toml: the ids of their files by binding. */
  databases?: Record<string, string>;
  /** Buckets in addition to wrangler.toml: their names by binding. */
  buckets?: Record<string, string>;
  /** Another Worker in the same process, with the same database, bucket and Durable Objects, which it may evict: its script. */
  beside?: {
    name: string;
    script: string;
    /** A queue in memory that ours has as EVENTS_QUEUE, and that it consumes. */
    queue?: string;
  };
  /**
   * A process among several (processes.ts): listens for calls of the others, as the main one, or a helper of the one at a port, which reads
   * buckets at an address and opens no file of the state.
   */
  among?: { secret: string; helps?: { mainPort: number; files: string } };
  /** Environment variables of workerd's process. */
  runtimeEnv?: Record<string, string>;
  inspectorPort?: number;
  /** Every line that the Worker logs. */
  log: Logged;
}

/** A Worker that listens in its own workerd. */
export interface OpenWorker {
  /** Its name in wrangler.toml: the ids of its Durable Objects hang on it. */
  name: string;
  miniflare: MiniflareServer;
  /** The Worker's setup, as wrangler.toml says it. */
  options: V4WorkerOptions;
  /** Returns the URL of a Worker of this process, or of one of its entrypoints, without a trailing slash. */
  urlOf(name: string, entrypoint?: string): Promise<string>;
  /**
   * Runs a cron of our Worker as if it were `at` [ms]. Rejects if the run fails. Not by Miniflare's proxy of the Worker: that call
   * holds this thread until workerd answers, and workerd, once the pipe of its log lines is full, waits for this thread to read them.
   */
  runCron(cron: string, at: number): Promise<void>;
}

/** The Worker's entrypoint for other processes of the same server (src/worker/index.ts). */
export const PROCESSES = "Processes";

/** Bindings of another Worker to the Durable Objects of this one. */
function objectsOf(scriptName: string, bindings: V4WorkerOptions["durableObjects"] = {}) {
  const own = Object.entries(bindings) as [string, { className: string }][];
  return Object.fromEntries(own.map(([binding, { className }]) => [binding, { className, scriptName }]));
}

const server = (address: string) => ({ external: { address, http: {} } });

/** Miniflare's address of cron runs, and a host that it does not read. */
const SCHEDULED = "http://localhost/cdn-cgi/local/scheduled";

/**
 * Runs workerd with Miniflare's configuration, the only one that provides D1 and R2 outside Cloudflare. Requests reach
 * workerd's own socket. The dashboard's files are a separate Worker; Miniflare would put two slower ones in front of
 * ours. There is no inspector, no reload, and no download. Miniflare restarts a workerd that dies. `npm start`, tests
 * and benchmarks all use this function, optionally on the same state.
 */
export async function openWorker({
  bundle,
  state,
  host = "127.0.0.1",
  port = 0,
  variables = {},
  files = false,
  services = {},
  databases = {},
  buckets = {},
  beside,
  among,
  runtimeEnv,
  inspectorPort,
  log,
}: OpenOptions): Promise<OpenWorker> {
  keepClientsOutOfCf();
  limitYoungGenerations();
  const { name, options, assets } = readSetup(bundle);
  const platform = options as V4WorkerOptions & Record<string, unknown>;
  const { compatibilityDate } = platform;
  const r2Buckets = { ...(platform.r2Buckets as object), ...buckets };
  const further = Object.entries(databases).map(([binding, id]) => [binding, { id }]);
  const d1Databases = { ...(platform.d1Databases as object), ...Object.fromEntries(further) };
  const helps = among?.helps;
  const workers: unknown[] = [
    {
      ...platform,
      name,
      ...(helps ? { d1Databases: {}, durableObjects: {}, r2Buckets: {} } : { d1Databases, r2Buckets }),
      rootPath: bundle,
      modulesRoot: bundle,
      modules: modulesIn(bundle),
      bindings: {
        ...platform.bindings,
        ...variables,
        ...(among && { PROCESS_SECRET: among.secret }),
        ...(helps && {
          MAIN_DATABASES: Object.keys(d1Databases).join(" "),
          FILE_BUCKETS: Object.keys(r2Buckets).join(" "),
        }),
      },
      serviceBindings: {
        OUTBOUND: outbound(variables),
        ...services,
        ...(helps && { MAIN: server(`127.0.0.1:${helps.mainPort}`), FILES: server(helps.files) }),
        ...(files && assets && { ASSETS: filesService(join(ROOT, assets.directory)) }),
      },
      unsafeDirectSockets: [{ host, port }, ...(among ? [{ host: "127.0.0.1", port: 0, entrypoint: PROCESSES }] : [])],
      ...(beside?.queue && { queueProducers: { EVENTS_QUEUE: beside.queue } }),
    },
  ];
  if (beside)
    workers.push({
      name: beside.name,
      modules: [{ type: "ESModule", path: `${beside.name}.js`, contents: beside.script }],
      compatibilityDate,
      // `workerd:unsafe` has the eviction
      compatibilityFlags: ["unsafe_module"],
      durableObjects: objectsOf(name, platform.durableObjects),
      d1Databases,
      r2Buckets,
      unsafeDirectSockets: [{ host, port: 0 }],
      // tests ask ours through it, as if from another country
      serviceBindings: { MAIN: name },
      ...(beside.queue && { queueConsumers: { [beside.queue]: { maxBatchSize: 10, maxBatchTimeout: 1 } } }),
    });
  const setup = convertV4MiniflareOptions({
    // Of a helper, in a temporary folder: Miniflare's cache has a SQLite file, too.
    ...(!helps && { resourcePersistencePath: join(state, "v3") }),
    // Miniflare's own entry point, for cron runs and tests. It is not reachable from outside.
    host: "127.0.0.1",
    port: 0,
    cf: false,
    inspectorPort,
    unsafeRuntimeEnv: runtimeEnv,
    // Only of Miniflare's own entry point.
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ level, message }) => log(level, message),
    log: new Log(LogLevel.ERROR),
    workers: workers as V4WorkerOptions[],
  } as Parameters<typeof convertV4MiniflareOptions>[0]);
  const miniflare = inTemporary(state, () => new Miniflare(setup));
  return {
    name,
    miniflare,
    options: platform,
    urlOf: async (worker, entrypoint) =>
      String(await miniflare.unsafeGetDirectURL(worker, entrypoint)).replace(/\/$/, ""),
    async runCron(cron, at) {
      const asked = `${SCHEDULED}?${new URLSearchParams({ cron, time: String(at) })}`;
      const response = await miniflare.dispatchFetch(asked);
      const outcome = await response.text();
      if (response.status !== 200) throw new Error(`the run of "${cron}" ended with ${outcome.slice(0, 300)}`);
    },
  };
}
