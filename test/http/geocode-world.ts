import { query } from "../../src/cli/database.ts";
import { geodataBucketName } from "../../src/cli/geodata-bucket.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { startPlatform } from "../bench/worker.ts";
import { publishWorld } from "../support/kept-worlds.ts";

/** A Worker of its own with the demo world in its bucket. */
export interface GeocodeWorld {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  get(path: string): Promise<{ status: number; headers: Headers; body: any }>;
  request(path: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const ENDPOINTS = [
  "forwardGeocode",
  "reverseGeocode",
  "ipGeocode",
  "autocomplete",
  "autocompleteClick",
  "validateAddress",
];

/** @param limits calls per second by endpoint; a thousand where nothing is said */
export async function openGeocodeWorld(limits: Record<string, number> = {}): Promise<GeocodeWorld> {
  const rateLimits = Object.fromEntries(ENDPOINTS.map((name) => [name, limits[name] ?? 1000]));
  const platform = await startPlatform({
    async prepare(database, project, state) {
      await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), project);
      const bucket = openLocalBucket(state, geodataBucketName());
      await publishWorld("village", bucket).finally(() => bucket.close());
    },
  });
  const request = (path: string, init: RequestInit) =>
    fetch(`${platform.url}${path}`, {
      ...init,
      headers: { authorization: platform.keys.testPublishable, ...init.headers },
    });
  return {
    request,
    async get(path) {
      const response = await request(path, {});
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    close: () => platform.stop(),
  };
}
