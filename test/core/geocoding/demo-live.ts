import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import type { z } from "zod";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { demoBounds } from "../../../src/demo/world/demo-world.ts";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import { queryFields } from "../../../src/worker/http/serve/body.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { keptOnce } from "../../support/worlds/kept-layers.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { runLayer } from "../regions/extract-harness.ts";

/** Endpoints by name, and the file of each: loaded by name, as their types are those of the Worker's platform. */
const FILES = {
  forwardGeocode: "geocode/forward",
  reverseGeocode: "geocode/reverse",
  autocomplete: "geocode/autocomplete",
  geocodeBatch: "geocode/batch",
  getAddress: "addresses/address",
  getPlace: "places/place",
  searchPlaces: "places/places",
};
type Name = keyof typeof FILES;

interface Endpoint {
  query?: z.ZodType;
  body?: z.ZodType;
  handle(call: unknown): unknown;
}

async function endpointOf(name: Name): Promise<Endpoint> {
  const file = new URL(`../../../src/worker/http/${FILES[name]}.ts`, import.meta.url);
  return (await import(file.href))[name];
}

/** A handler with the demo world in its bucket, without a Worker around it. */
export interface DemoLive {
  bucket: FakeBucket;
  ask(
    name: Name,
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

const layers = { regions: osmRegions, addresses: addressesLayer, places: placesLayer };

/** All objects of these layers. */
async function buildLayers(): Promise<[key: string, bytes: Uint8Array][]> {
  const folder = await mkdtemp(join(tmpdir(), "graticule-demo-"));
  try {
    const path = join(folder, "demo.osm.pbf");
    await writeDemoWorld(path, { size: 1 });
    const objects: [string, Uint8Array][] = [];
    for (const layer of Object.values(layers)) objects.push(...(await runLayer(layer, [path])).objects);
    return objects;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function open(): Promise<DemoLive> {
  Object.assign(globalThis, { scheduler });
  const bucket = new FakeBucket();
  const id = "0123456789abcdef";
  for (const [key, bytes] of await keptOnce("demo-live", buildLayers)) bucket.put(buildKey(id, key), bytes);
  const versions = Object.fromEntries(Object.entries(layers).map(([name, { formatVersion }]) => [name, formatVersion]));
  const build = { name: "demo", id, areas: [demoBounds()], layers: versions, sources: [], previous: [] };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [build] }));
  return { bucket, ask: (name, query, more) => ask(bucket, name, query, more) };
}

/** Grants what is asked, up to ten rows. */
const limiter = {
  idFromName: (name: string) => name,
  get: () => ({ take: async (_: number, wanted: number) => ({ granted: Math.min(10, wanted) }) }),
};

/** What a caller would get: the answer, or `{meta: {code, param}}`. */
async function ask(
  bucket: FakeBucket,
  name: Name,
  query: string,
  { body = {}, params = {} }: { body?: Record<string, unknown>; params?: Record<string, string> } = {},
): Promise<unknown> {
  const endpoint = await endpointOf(name);
  try {
    const call = {
      params,
      query: endpoint.query ? validate(endpoint.query, queryFields([...new URLSearchParams(query)])) : {},
      body: endpoint.body ? validate(endpoint.body, body) : {},
      // A member's calls are in no figure, so nothing asks for a database.
      caller: { scope: 2, settings: {}, member: { id: "m", email: "m@demo.invalid", role: "read" } },
      env: { GEODATA: bucket, RATE_LIMITER: limiter },
      request: new Request("https://demo.invalid/"),
      now: 1_795_000_000_000,
      pace: unpaced(),
      waitUntil: () => {},
      leftOut: () => {},
    };
    return await endpoint.handle(call);
  } catch (error) {
    if (error instanceof ApiError) return { meta: { code: error.status, param: error.param, message: error.message } };
    throw error;
  }
}
