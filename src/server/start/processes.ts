import { randomBytes } from "node:crypto";
import { callHeaders } from "../../worker/platform/processes.ts";
import { MAIN, runtimeEnv, runtimeOf } from "../state/runtime.ts";
import { serveBucketFiles } from "./bucket-files.ts";
import { type OpenOptions, type OpenWorker, openWorker, PROCESSES } from "./open-worker.ts";

/** A process of a server: workerd, as Miniflare starts it and starts it again. */
export interface ServerProcess extends OpenWorker {
  /** workerd's id; undefined while none runs. */
  pid(): number | undefined;
  /** Where it alone responds, whatever the path. */
  ownUrl(): Promise<string>;
}

interface ProcessesOptions extends OpenOptions {
  count: number;
  /** The port for calls of the main process. */
  callsPort: number | undefined;
}

/**
 * Starts the processes of a server, the main one first. With more than one, the main one has D1 and the Durable Objects; helpers answer what
 * reads only geodata or geofences (`geodataOnly`, `fencesOnly` of endpoints): geodata from this process (bucket-files.ts), the rest, keys and
 * limits by asking the main one, to which they pass on all other requests. So one workerd opens the SQLite files of a state. Linux spreads connections over all.
 */
export async function openProcesses({ count, callsPort, ...options }: ProcessesOptions): Promise<ServerProcess[]> {
  const { state } = options;
  const opened: ServerProcess[] = [];
  const secret = randomBytes(32).toString("hex");
  const open = async (number: number, more: Partial<OpenOptions>) => {
    const worker = await openWorker({ ...options, runtimeEnv: runtimeEnv(state, number), ...more });
    const isAmong = count > 1;
    opened.push({
      ...worker,
      pid: () => runtimeOf(state, number),
      ownUrl: () => worker.urlOf(worker.name, isAmong ? PROCESSES : undefined),
    });
  };
  if (count === 1 || callsPort === undefined) {
    await open(MAIN, {});
    return opened;
  }
  const helpers = () => opened.slice(1);
  await open(MAIN, {
    among: { secret },
    services: { ...options.services, HELPERS: (request) => askHelpers(helpers(), request, secret) },
  });
  const variables = { ...options.variables };
  const files = await serveBucketFiles(state, bucketNames(opened[0].options), secret);
  const among = { secret, helps: { mainPort: callsPort, files } };
  for (let number = MAIN + 1; number < MAIN + count; number++)
    await open(number, { variables, among, beside: undefined });
  return opened;
}

/** Names of buckets by their bindings. */
const bucketNames = ({ r2Buckets = {} }: OpenWorker["options"]): Record<string, string> =>
  Object.fromEntries(Object.entries(r2Buckets).map(([name, one]) => [name, typeof one === "string" ? one : one.id]));

/** How long a helper may take for a call [ms]: one that computes responds after it. */
const PATIENCE_MS = 2000;

/** Passes a call of the main process on to all helpers. @returns of calls that read, the texts by the numbers of processes */
async function askHelpers(helpers: readonly ServerProcess[], request: Request, secret: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  const body = request.method === "POST" ? await request.text() : undefined;
  const calls = helpers.map(async (helper, i) => {
    const response = await fetch((await helper.ownUrl()) + pathname, {
      method: request.method,
      headers: callHeaders({ PROCESS_SECRET: secret }),
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return [String(MAIN + 1 + i), await response.text()] as const;
  });
  const answers = await Promise.allSettled(calls);
  return Response.json(Object.fromEntries(answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))));
}
