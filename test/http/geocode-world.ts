import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createTestHarness } from "wrangler";
import { hashKey, KEY_BYTES, KEY_KINDS, keyHint, mintKey } from "../../src/auth/key.ts";
import { buildKey, LIVE_KEY, type LiveList, MANIFEST_VERSION } from "../../src/geo/manifest.ts";
import { addressesLayer } from "../../src/importer/addresses/addresses-layer.ts";
import { demoBounds } from "../../src/importer/demo/demo-world.ts";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { osmRegions } from "../../src/importer/regions/osm-regions.ts";
import { runLayer } from "../regions/extract-harness.ts";

/** A Worker of its own with the demo world in its bucket. */
export interface GeocodeWorld {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  get(path: string): Promise<{ status: number; headers: Headers; body: any }>;
  request(path: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface Bucket {
  put(key: string, value: Uint8Array | string): Promise<unknown>;
}
interface Database {
  prepare(query: string): { bind(...values: unknown[]): { run(): Promise<unknown> } };
}

/** @param limits calls per second by endpoint; a thousand where nothing is said */
export async function openGeocodeWorld(limits: Record<string, number> = {}): Promise<GeocodeWorld> {
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.WRANGLER_SEND_METRICS = "false";
  const root = resolve(import.meta.dirname, "../..");
  const harness = createTestHarness({ workers: [{ configPath: resolve(root, "wrangler.toml") }] });
  const { url } = await harness.listen();
  const worker = harness.getWorker();
  await worker.applyD1Migrations("DB");
  const { DB, GEODATA } = (await worker.getEnv()) as { DB: Database; GEODATA: Bucket };
  const names = [
    "forwardGeocode",
    "reverseGeocode",
    "ipGeocode",
    "autocomplete",
    "autocompleteClick",
    "validateAddress",
  ];
  const rateLimits = Object.fromEntries(names.map((name) => [name, limits[name] ?? 1000]));
  await DB.prepare(
    "INSERT INTO project (id, name, disabled, monthly_quota, settings, created_at) VALUES (1, 'test', 0, NULL, ?, 0)",
  )
    .bind(JSON.stringify({ rateLimits }))
    .run();
  const key = mintKey(KEY_KINDS.testPublishable, crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  await DB.prepare("INSERT INTO api_key VALUES (?, 1, 0, 0, ?, 0, NULL, NULL)")
    .bind(await hashKey(key), keyHint(key))
    .run();
  await putDemo(GEODATA);
  const request = (path: string, init: RequestInit) =>
    fetch(`${url.origin}${path}`, { ...init, headers: { authorization: key, ...init.headers } });
  return {
    request,
    async get(path) {
      const response = await request(path, {});
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    close: () => harness.close(),
  };
}

async function putDemo(bucket: Bucket): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "graticule-demo-"));
  const path = join(folder, "demo.osm.pbf");
  await writeDemoWorld(path, { size: 1 });
  const id = "0123456789abcdef";
  for (const layer of [osmRegions, addressesLayer]) {
    const { objects } = await runLayer(layer, [path]);
    const all = [...objects];
    for (let i = 0; i < all.length; i += 20) {
      await Promise.all(all.slice(i, i + 20).map(([name, bytes]) => bucket.put(buildKey(id, name), bytes)));
    }
  }
  await rm(folder, { recursive: true });
  const live: LiveList = {
    version: MANIFEST_VERSION,
    builds: [
      {
        name: "demo",
        id,
        areas: [demoBounds()],
        layers: { regions: osmRegions.formatVersion, addresses: addressesLayer.formatVersion },
        sources: [],
        previous: [],
      },
    ],
  };
  await bucket.put(LIVE_KEY, JSON.stringify(live));
}
