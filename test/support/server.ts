import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { createTestHarness } from "wrangler";
import { hashKey, KEY_BYTES, KEY_KINDS, keyHint, mintKey } from "../../src/auth/key.ts";
import { buildDashboard } from "../../src/cli/build-dashboard.ts";
import { type R2, testGeodata } from "./geodata.ts";

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
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.WRANGLER_SEND_METRICS = "false";
  const root = resolve(import.meta.dirname, "../..");
  await buildDashboard();
  const harness = createTestHarness({
    workers: [
      { configPath: resolve(root, "wrangler.toml") },
      { configPath: resolve(import.meta.dirname, "control/wrangler.toml") },
    ],
  });
  const run = mkdtempSync(join(tmpdir(), "graticule-test-run-"));
  process.env.GRATICULE_TEST_RUN = run;
  const { url } = await harness.listen();
  const worker = harness.getWorker();
  await worker.applyD1Migrations("DB");
  const behind = harness.getWorker("control");
  const publish = testGeodata(r2Behind(behind));
  const sql = async (query: string, ...bindings: unknown[]): Promise<Record<string, unknown>[]> => {
    const answer = await behind.fetch("http://control/sql", {
      method: "POST",
      body: JSON.stringify({ query, bindings }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>[];
  };

  const commands: Record<string, (input: never) => Promise<unknown>> = {
    async project({ settings = {}, quota = null, disabled = false }: ProjectInput) {
      const [row] = await sql(
        "INSERT INTO project (name, disabled, monthly_quota, settings, created_at) VALUES ('test', ?, ?, ?, 0) RETURNING id",
        ...[disabled ? 1 : 0, quota, JSON.stringify(settings)],
      );
      const id = Number(row.id);
      const keys: Record<string, string> = {};
      for (const [name, kind] of Object.entries(KEY_KINDS)) {
        const key = mintKey(kind, crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
        keys[name] = key;
        const [live, secret] = [kind.live ? 1 : 0, kind.secret ? 1 : 0];
        await sql(
          "INSERT INTO api_key (hash, project, live, secret, hint, created_at) VALUES (?, ?, ?, ?, ?, 0)",
          ...[await hashKey(key), id, live, secret, keyHint(key)],
        );
      }
      return { id, keys };
    },
    sql: ({ query, bindings = [] }: { query: string; bindings?: unknown[] }) => sql(query, ...bindings),
    async evict({ object, name }: { object: string; name: string }) {
      await worker.evictDurableObject(object as never, { name });
      return {};
    },
    /** Makes the world base or the demo world live; the Worker sees it within seconds. */
    async geodata({ name }: { name: string }) {
      await publish(name);
      return {};
    },
    /** One request as it comes from a country: the platform tells it, no header does. */
    async fetchFrom({ country, method, path, headers, body }: ForeignRequest) {
      const response = await worker.fetch(new URL(path, url).href, {
        method,
        headers,
        body,
        cf: { country: country as "FR" },
      });
      return { status: response.status, body: await response.json() };
    },
    /** The hourly round, as if it were `now`. */
    async scheduled({ now }: { now: number }) {
      return worker.scheduled({ cron: "7 * * * *", scheduledTime: new Date(now) });
    },
    /** An object straight into the bucket of geodata. */
    async putObject({ key, text }: { key: string; text: string }) {
      await r2Behind(behind).put(key, new TextEncoder().encode(text));
      return {};
    },
    async logs() {
      return harness.getLogs();
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
  await new Promise<void>((listening) => control.listen(0, "127.0.0.1", listening));
  project.provide("baseUrl", url.origin);
  project.provide("controlUrl", `http://127.0.0.1:${(control.address() as AddressInfo).port}`);
  return async () => {
    control.close();
    await harness.close();
    rmSync(run, { recursive: true, force: true });
  };
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
}

/** As much of the harness as is used here. */
interface Fetcher {
  fetch(
    url: string,
    init?: { method?: string; body?: Uint8Array },
  ): Promise<{ ok: boolean; status: number; arrayBuffer(): Promise<ArrayBuffer> }>;
}

function r2Behind({ fetch }: Fetcher): R2 {
  const at = (key: string) => `http://control/r2?key=${encodeURIComponent(key)}`;
  return {
    async get(key) {
      const answer = await fetch(at(key));
      return answer.ok ? { arrayBuffer: () => answer.arrayBuffer() } : null;
    },
    async put(key, bytes) {
      const answer = await fetch(at(key), { method: "PUT", body: bytes });
      if (!answer.ok) throw new Error(`${key} could not be stored: ${answer.status}`);
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text || "{}";
}
