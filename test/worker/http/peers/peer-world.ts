// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
import { inject } from "vitest";
import { isNight } from "../../../support/night.ts";
import { get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** The towns of the demo world, through the doors of other services. */

/** Random questions per service: as many as the issue asks for at night, and where PEER_QUESTIONS says so. */
export const QUESTIONS = Number(process.env.PEER_QUESTIONS ?? (isNight ? 500 : 25));

const COUNTED = ["directions", "matrix", "distance", "match", "optimize", "optimizeFleet", "isochrone"];
const FOUND = ["forwardGeocode", "reverseGeocode", "autocomplete", "getAddress", "listLiveGeodata"];

export interface PeerWorld {
  world: World;
  /** The server's URL. */
  host: string;
  /** Asks through a door, with a secret key unless `headers` has another one; JSON is parsed. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: any; headers: Headers }>;
  /** Asks one of our own endpoints. */
  own(path: string): Promise<any>;
}

export async function openPeerWorld(settings: Record<string, unknown> = {}): Promise<PeerWorld> {
  await withGeodata("demo");
  const rateLimits = Object.fromEntries([...COUNTED, ...FOUND].map((name) => [name, 1000]));
  const world = await makeWorld({ settings: { rateLimits, ...settings } });
  const host = inject("baseUrl");
  return {
    world,
    host,
    async ask(path, init = {}) {
      const headers = { authorization: world.keys.testSecret, ...init.headers };
      const response = await fetch(`${host}${path}`, { ...init, headers });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json");
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    },
    own: async (path) => (await get(path, world.keys.testSecret)).body,
  };
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A point in the demo towns, in the order of the peers. */
export function randomPoint(random: () => number): [longitude: number, latitude: number] {
  return [Number((-111.25 + 0.09 * random()).toFixed(5)), Number((48.97 + 0.05 * random()).toFixed(5))];
}

export const lonLat = (points: readonly (readonly number[])[]) => points.map((point) => point.join(",")).join(";");
export const latLon = (points: readonly (readonly number[])[]) =>
  points.map(([longitude, latitude]) => `${latitude},${longitude}`).join("|");
export const choice = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)];
