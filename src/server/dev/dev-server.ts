import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../base/command.ts";
import { WATCHING } from "../base/frugal.ts";
import { QUIET, ROOT, wranglerScript } from "../base/wrangler.ts";
import { metricsToken } from "../state/metrics-token.ts";
import { emptyTemporary } from "../state/temporary.ts";

interface DevServerOptions {
  host: string;
  port: number;
  /** Folder of D1, R2 and Durable Objects. */
  state: string;
  /** A line per request and what the Worker logs; otherwise only warnings and errors. */
  verbose: boolean;
}

interface DevServer {
  /** Resolves when the server has ended, with its exit code. */
  ended: Promise<number>;
  /** Ends the server and everything it started. */
  stop(): Promise<void>;
}

/** How long the server may take to shut down before it is killed [ms]. */
const GRACE = 5000;

/**
 * Starts `wrangler dev` as the leader of its own process group, so that stopping it also stops workerd and esbuild. A
 * guard in that group kills it if this process dies unexpectedly.
 */
export function startDevServer({ host, port, state, verbose }: DevServerOptions): DevServer {
  const guard = new URL("./end-with-parent.ts", import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      ...["--no-warnings", "--import", guard, wranglerScript(), "dev"],
      ...["--ip", host, "--port", String(port), "--inspector-port", process.env.INSPECT ?? "0", "--persist-to", state],
      // During development, receivers of webhooks are on this machine, too.
      ...["--var", "ALLOW_PRIVATE_HOSTS:true"],
      ...["--var", `METRICS_TOKEN:${metricsToken(state)}`],
      ...["--log-level", verbose ? "log" : "error", "--show-interactive-dev-session=false"],
    ],
    {
      cwd: ROOT,
      env: { ...WATCHING, ...process.env, ...QUIET, TMPDIR: emptyTemporary(state) },
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  return {
    ended,
    async stop() {
      child.kill("SIGINT");
      await Promise.race([ended, sleep(GRACE, undefined, { ref: false })]);
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // The group is empty: all processes have exited.
      }
      await ended;
    },
  };
}

/**
 * Waits until the Worker responds; wrangler listens slightly earlier.
 * @returns false if the server exited instead
 */
export async function untilReady(baseUrl: string, server: DevServer): Promise<boolean> {
  let gone = false;
  void server.ended.then(() => {
    gone = true;
  });
  while (!gone) {
    try {
      const answer = await fetch(`${baseUrl}/v1/ping`);
      await answer.arrayBuffer();
      if (answer.ok) return true;
    } catch {
      // not listening yet
    }
    await sleep(100);
  }
  return false;
}

/** Is it an address that only this machine reaches? */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Returns the requested port, or a free one for 0. @throws CommandError if the port is in use or not allowed */
export async function freePort(host: string, port: number, command = "npm run dev"): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", (error: NodeJS.ErrnoException) =>
      reject(new CommandError(portTrouble(error, host, port, command))),
    );
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}

function portTrouble(error: NodeJS.ErrnoException, host: string, port: number, command: string): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is in use. Use another: ${command} -- --port ${port < 65535 ? port + 1 : port - 1}`;
  if (error.code === "EACCES")
    return `Port ${port} requires privileges that this user does not have. Use a port above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") return `${host} is not an address of this machine.`;
  return `Cannot listen on ${host} port ${port}: ${error.message}`;
}
