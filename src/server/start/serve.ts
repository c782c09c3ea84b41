import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { CommandError, shownError } from "../base/command.ts";
import { onGoodbye } from "../base/goodbye.ts";
import { workerName } from "../base/wrangler.ts";
import { freePort } from "../dev/dev-server.ts";
import { lockForServer } from "../state/lock.ts";
import { tellSetAside } from "../state/mend.ts";
import { setAside } from "../state/set-aside.ts";
import { startBackups } from "./backup-process.ts";
import { DamageWatch } from "./damage-watch.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { machineService } from "./machine.ts";
import { startNightlyLearning } from "./nightly-learning.ts";
import { Restarts } from "./restarts.ts";
import { GRACE, startServer } from "./server.ts";
import type { TlsFiles } from "./socket/tls-front.ts";
import { buildWorldBeside } from "./world-beside.ts";

/** A server on a state that is prepared: values that JSON holds. */
export interface Serving {
  /** Folder of D1, R2 and Durable Objects. */
  state: string;
  host: string;
  port: number;
  /** How many answer requests. */
  processes: number;
  tls?: TlsFiles;
  quiet: boolean;
  /** Folder of the bundled Worker. */
  bundle: string;
  /** Environment variables of the Worker in addition to wrangler.toml. */
  variables: Record<string, string>;
  /** Cron of nightly learning. */
  learning: string;
  backups?: { to: string; every: string };
  /** The world base is of another version. */
  hasOtherWorld?: boolean;
  /** Text for the operator once the server responds. */
  ready: string;
}

/** Minimum time between log messages about a full disk [ms]. */
const DISK_LOG_INTERVAL = 60_000;

/**
 * Serves until a signal, then ends the process: with code 1 if it cannot serve, or not any more. Ending is explicit, as threads and
 * sockets would keep a failed one alive, and no supervisor would start it again.
 */
export async function serve(serving: Serving): Promise<never> {
  try {
    await serveUntilSignal(serving);
  } catch (error) {
    leave(shownError(error));
  }
  process.exit(0);
}

async function serveUntilSignal({
  state,
  host,
  port,
  tls,
  quiet,
  ready,
  backups: wanted,
  hasOtherWorld,
  ...options
}: Serving): Promise<void> {
  const unlock = await lockForServer(state);
  // Install the handlers before startup: a signal during startup stops the server once it runs.
  const ended = new Promise<void>((resolve) => onGoodbye(resolve));
  const damage = new DamageWatch(state);
  const log = logOf(state, quiet, damage);
  const restarts = new Restarts();
  const reserve = new DiskReserve(state, () =>
    console.error(
      `The disk of ${state} is nearly full. Writes return 503; reads still work. Free some space to continue.`,
    ),
  );
  const told = () => ({ isDiskFull: reserve.isFull(), ...restarts.figures() });
  const services = { MACHINE: machineService(state, told, damagedObjects(state), () => damage.isOfDatabase()) };
  const inner = tls ? { host: "127.0.0.1", port: await freePort("127.0.0.1", 0, "npm start") } : { host, port };
  const { bundle, processes } = options;
  const secret = randomBytes(32).toString("hex");
  const variables = tls ? { ...options.variables, FRONT_SECRET: secret } : options.variables;
  const onGone = () => leave("workerd ended and could not be started again. Its messages are above.");
  const starting = startServer({
    ...inner,
    processes,
    state,
    bundle,
    variables,
    services,
    log,
    onGone,
    ...restarts.watch,
  });
  const server = await Promise.race([starting, ended.then(() => sleep(GRACE))]);
  if (!server) throw new CommandError("Stopped before workerd had started.");
  const front = tls && (await openFront(tls, { host, port, target: inner.port, secret }));
  console.log(ready);
  flushCompileCache?.();
  collectGarbage();
  const nightly = startNightlyLearning(state, log, options.learning);
  const backups = wanted && startBackups(wanted.to, wanted.every, state, log);
  const world = hasOtherWorld ? await buildWorldBeside(state, log) : undefined;
  await ended;
  world?.stop();
  nightly.stop();
  await backups?.stop();
  reserve.stop();
  const until = Date.now() + GRACE;
  await front?.stop(GRACE);
  await server.stop(until - Date.now());
  unlock();
}

/** The lock of the state ends with the process, and workerd with the watchdog's pipe (runtime.ts). */
function leave(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}

/** Gives the garbage of the start back: V8 would keep it until there is as much again. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

async function openFront(files: TlsFiles, at: { host: string; port: number; target: number; secret: string }) {
  const { startTlsFront } = await import("./socket/tls-front.ts");
  return startTlsFront({ ...at, files, log: console.log });
}

/** Sets damaged files of Durable Objects aside, and logs each. */
function damagedObjects(state: string): (className: string, id: string) => boolean {
  const worker = workerName();
  return (className, id) => {
    const found = setAside(state, { worker, className, id }, Date.now());
    if (!found) return false;
    tellSetAside(className, found);
    return true;
  };
}

/** Prints the Worker's lines: errors, and without `quiet` all. */
function logOf(state: string, quiet: boolean, damage: DamageWatch) {
  let diskLoggedAt = Number.NEGATIVE_INFINITY;
  return (level: string, message: string) => {
    // workerd says it in the midst of a stack, for each request.
    if (message.includes("SQLITE_FULL") && Date.now() - diskLoggedAt > DISK_LOG_INTERVAL) {
      diskLoggedAt = Date.now();
      console.error(`The disk of ${state} is full, so all writes fail. Free some space to continue.`);
    }
    if (damage.hears(message)) return;
    if (level === "error" || level === "warn") console.error(message);
    else if (!quiet) console.log(message);
  };
}
