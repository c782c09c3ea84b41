import { query } from "../../../../src/server/data/database.ts";
import { startPlatform } from "../../../bench/worker.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import type { WorldName } from "../../../support/worlds/worlds.ts";

/** A Worker of its own with the demo world in its bucket. */
export interface GeocodeWorld {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  get(path: string): Promise<{ status: number; headers: Headers; body: any }>;
  request(path: string, init: RequestInit): Promise<Response>;
  /** With the secret key. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  secret(method: string, path: string, json?: unknown): Promise<{ status: number; body: any }>;
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

/**
 * @param limits calls per second by endpoint; a thousand where nothing is said
 * @param worlds what is live
 */
export async function openGeocodeWorld(
  limits: Record<string, number> = {},
  worlds: readonly WorldName[] = ["village"],
): Promise<GeocodeWorld> {
  const rateLimits = Object.fromEntries(
    [...ENDPOINTS, ...Object.keys(limits)].map((name) => [name, limits[name] ?? 1000]),
  );
  const platform = await startPlatform({
    async prepare(database, project, state) {
      await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), project);
      await publishWorlds(worlds, state);
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
    async secret(method, path, json) {
      const headers = { authorization: platform.keys.testSecret, "content-type": "application/json" };
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const response = await request(path, { method, headers, ...body });
      return { status: response.status, body: await response.json() };
    },
    close: () => platform.stop(),
  };
}
