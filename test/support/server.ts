import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { hashKey, KEY_BYTES, KEY_KINDS, keyHint, mintKey } from "../../src/core/auth/key.ts";
import { buildDashboard } from "../../src/server/make/build-dashboard.ts";
import { SharedChromium } from "../browser/launch.ts";
import { startCollector } from "./trace-collector.ts";
import { startWorkerUnderTest } from "./worker-under-test.ts";
import type { WorldName } from "./worlds/worlds.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the Worker under test answers. */
    baseUrl: string;
    /** Where tests ask for what no endpoint gives: projects, SQL, evictions. */
    controlUrl: string;
  }
}

/** Starts one Worker for the whole suite; every test makes its own project in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = mkdtempSync(join(tmpdir(), "graticule-test-run-"));
  process.env.GRATICULE_TEST_RUN = run;
  await buildDashboard();
  const state = join(run, "state");
  const collector = await startCollector();
  const worker = await startWorkerUnderTest(state, collector.url);
  const worlds = new Worlds(state);
  const chromium = new SharedChromium();
  // All tests need them, and while pure tests run there is time. Files that somebody names may need none.
  if (!process.argv.some((word) => word.includes("test/"))) worlds.start();
  const behind = (path: string, init: RequestInit) => fetch(`${worker.controlUrl}${path}`, init);
  /** The rows of each statement of a transaction. */
  const batch = async (database: string, statements: Statement[]): Promise<Record<string, unknown>[][]> => {
    const answer = await behind("/sql", { method: "POST", body: JSON.stringify({ statements, database }) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>[][];
  };

  const commands: Record<string, (input: never) => Promise<unknown>> = {
    async project({ settings = {}, quota = null, disabled = false, database = "DB" }: ProjectInput) {
      const keys: Record<string, string> = {};
      const statements: Statement[] = [
        {
          query: `INSERT INTO project (name, disabled, monthly_quota, settings, created_at, "database") VALUES ('test', ?, ?, ?, 0, ?) RETURNING id`,
          bindings: [disabled ? 1 : 0, quota, JSON.stringify(settings), database],
        },
      ];
      for (const [name, kind] of Object.entries(KEY_KINDS)) {
        const key = mintKey(kind, crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
        keys[name] = key;
        statements.push({
          query: `INSERT INTO api_key (hash, project, live, secret, hint, created_at) VALUES (?, (SELECT max(id) FROM project), ?, ?, ?, 0)`,
          bindings: [await hashKey(key), kind.live ? 1 : 0, kind.secret ? 1 : 0, keyHint(key)],
        });
      }
      const [[row]] = await batch("DB", statements);
      return { id: Number(row.id), keys };
    },
    async sql({ query, bindings = [], database = "DB" }: Partial<Statement> & { query: string; database?: string }) {
      return (await batch(database, [{ query, bindings }]))[0];
    },
    async evict({ object, name }: { object: string; name: string }) {
      await worker.evict(object, name);
      return {};
    },
    /** Makes the world base or the demo world live; the Worker sees it within seconds. */
    async geodata({ name }: { name: WorldName }) {
      await worlds.isLive(name);
      return {};
    },
    fetchFrom: ({ country, path, ...init }: ForeignRequest) => worker.fetchFrom(country, path, init),
    /** The hourly round, as if it were `now`; or that of another cron. */
    async scheduled({ now, cron }: { now: number; cron?: string }) {
      await worker.scheduled(new Date(now), cron);
      return {};
    },
    /** An object straight into the bucket of geodata. */
    async putObject({ key, text, base64 }: { key: string; text?: string; base64?: string }) {
      const answer = await behind(`/r2?key=${encodeURIComponent(key)}`, {
        method: "PUT",
        body: text ?? Buffer.from(base64 ?? "", "base64"),
      });
      if (!answer.ok) throw new Error(`${key} could not be stored: ${answer.status}`);
      return {};
    },
    /** Keys of a bucket below a prefix. */
    async keys({ bucket, prefix }: { bucket: "GEODATA" | "BUCKET_EU"; prefix: string }) {
      return (await behind(`/keys?${new URLSearchParams({ bucket, prefix })}`, {})).json();
    },
    async readObject({ bucket, key }: { bucket: "GEODATA" | "BUCKET_EU"; key: string }) {
      return (await behind(`/r2?${new URLSearchParams({ bucket, key })}`, {})).text();
    },
    /** The DevTools URL of the browser for a process of tests. */
    chromium: ({ pid, drawsMaps }: { pid: number; drawsMaps: boolean }) => chromium.url(pid, drawsMaps),
    async logs() {
      return worker.logs();
    },
    /** What the collector of traces received. */
    async traces() {
      return collector.received;
    },
  };

  const control = createServer(async (request, response) => {
    try {
      const command = commands[request.url?.slice(1) ?? ""];
      const result = await command(JSON.parse(await textOf(request)) as never);
      response.end(JSON.stringify(result));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  });
  // Longer than any test leaves it alone: a connection that is closed just then would fail a call.
  control.keepAliveTimeout = 0;
  await new Promise<void>((listening) => control.listen(0, "127.0.0.1", listening));
  project.provide("baseUrl", worker.url);
  project.provide("controlUrl", `http://127.0.0.1:${(control.address() as AddressInfo).port}`);
  return async () => {
    control.close();
    collector.close();
    worlds.stop();
    await chromium.close();
    await worker.stop();
    rmSync(run, { recursive: true, force: true });
  };
}

interface Statement {
  query: string;
  bindings: unknown[];
}

interface ForeignRequest {
  country: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

interface ProjectInput {
  settings?: Record<string, unknown>;
  quota?: number | null;
  disabled?: boolean;
  /** Where it lives. */
  database?: "DB" | "DB_2" | "DB_EU";
}

/** The worlds of publish-worlds.ts, made live one after the other by a process of their own. */
class Worlds {
  readonly #state: string;
  readonly #live = new Map<string, PromiseWithResolvers<void>>();
  #stop: (() => void) | undefined;

  constructor(state: string) {
    this.#state = state;
  }

  start(): void {
    if (this.#stop) return;
    const script = resolve(import.meta.dirname, "worlds/publish-worlds.ts");
    const child = spawn(process.execPath, ["--no-warnings", script, this.#state]);
    this.#stop = () => child.kill("SIGKILL");
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    createInterface(child.stdout).on("line", (name) => this.#of(name).resolve());
    child.once("close", (code) => {
      for (const { reject } of this.#live.values()) reject(new Error(`The worlds were not built (${code}): ${said}`));
    });
  }

  /** Resolves when the world is live, some seconds before the Worker sees it. */
  isLive(name: WorldName): Promise<void> {
    this.start();
    return this.#of(name).promise;
  }

  stop(): void {
    this.#stop?.();
  }

  #of(name: string): PromiseWithResolvers<void> {
    const known = this.#live.get(name);
    if (known) return known;
    const made = Promise.withResolvers<void>();
    // Whoever waits hears of it.
    made.promise.catch(() => undefined);
    this.#live.set(name, made);
    return made;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text || "{}";
}
