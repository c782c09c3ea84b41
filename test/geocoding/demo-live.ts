import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import { buildKey } from "../../src/geo/manifest.ts";
import { queryFields } from "../../src/http/serve/body.ts";
import { ApiError } from "../../src/http/serve/errors.ts";
import { validate } from "../../src/http/serve/validate.ts";
import { addressesLayer } from "../../src/importer/addresses/addresses-layer.ts";
import { demoBounds } from "../../src/importer/demo/demo-world.ts";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { placesLayer } from "../../src/importer/places/places-layer.ts";
import { osmRegions } from "../../src/importer/regions/osm-regions.ts";
import { FakeBucket } from "../geodata/fake-bucket.ts";
import { runLayer } from "../regions/extract-harness.ts";

/** What is known of an endpoint without the Worker's types. */
export interface Asked {
  query?: Parameters<typeof validate>[0];
  body?: Parameters<typeof validate>[0];
  handle(call: unknown): Promise<unknown>;
}

/** An endpoint, imported by its path below src/http: its types are the Worker's, which tests under Node do not have. */
export async function endpointOf(path: string, name: string): Promise<Asked> {
  const module: Record<string, Asked> = await import(new URL(`../../src/http/${path}`, import.meta.url).href);
  return module[name];
}

/** A handler with the demo world in its bucket, without a Worker around it. */
export interface DemoLive {
  bucket: FakeBucket;
  ask(
    endpoint: Asked,
    query: string,
    more?: { body?: Record<string, unknown>; params?: Record<string, string> },
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  ): Promise<any>;
}

let live: Promise<DemoLive> | undefined;

/** The demo world of one township: addresses, places and regions. Made once. */
export function demoLive(): Promise<DemoLive> {
  live ??= open();
  return live;
}

async function open(): Promise<DemoLive> {
  Object.assign(globalThis, { scheduler });
  const bucket = new FakeBucket();
  const folder = await mkdtemp(join(tmpdir(), "graticule-demo-"));
  const id = "0123456789abcdef";
  const layers = { regions: osmRegions, addresses: addressesLayer, places: placesLayer };
  try {
    const path = join(folder, "demo.osm.pbf");
    await writeDemoWorld(path, { size: 1 });
    for (const layer of Object.values(layers))
      for (const [key, bytes] of (await runLayer(layer, [path])).objects) bucket.put(buildKey(id, key), bytes);
  } finally {
    await rm(folder, { recursive: true });
  }
  const versions = Object.fromEntries(Object.entries(layers).map(([name, { formatVersion }]) => [name, formatVersion]));
  const build = { name: "demo", id, areas: [demoBounds()], layers: versions, sources: [], previous: [] };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [build] }));
  return { bucket, ask: (endpoint, query, more) => ask(bucket, endpoint, query, more) };
}

/** What a caller would get: the answer, or `{meta: {code, param}}`. */
async function ask(
  bucket: FakeBucket,
  endpoint: Asked,
  query: string,
  { body = {}, params = {} }: { body?: Record<string, unknown>; params?: Record<string, string> } = {},
): Promise<unknown> {
  try {
    const call = {
      params,
      query: endpoint.query ? validate(endpoint.query, queryFields(new URLSearchParams(query))) : {},
      body: endpoint.body ? validate(endpoint.body, body) : {},
      caller: { scope: 2, settings: {} },
      env: { GEODATA: bucket },
      request: new Request("https://demo.invalid/"),
      now: 1_795_000_000_000,
      waitUntil: () => {},
      leftOut: () => {},
    };
    return await endpoint.handle(call);
  } catch (error) {
    if (error instanceof ApiError) return { meta: { code: error.status, param: error.param, message: error.message } };
    throw error;
  }
}
