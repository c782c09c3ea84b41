import { createHash } from "node:crypto";
import { expect, inject } from "vitest";
import { breachesOf } from "./wire-rules.ts";

/** Reaches the Worker under test, and behind it. */

export type Json = Record<string, unknown>;
// Answers are looked into field by field; their shapes are checked against the reference in test/worker/http/reference/shapes.test.ts.
// biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
export type Answer = { status: number; headers: Headers; body: any };

export interface World {
  id: number;
  keys: Record<"testPublishable" | "testSecret" | "livePublishable" | "liveSecret", string>;
}

/** Regions and places off: what a test of geofences sees does not depend on which geodata another test made live. */
const NO_GEODATA = { regions: { country: false, state: false, dma: false, postalCode: false }, places: false };

/** A project of its own for one test; `geodata`: with regions and places, as projects have them by default. */
export function makeWorld({
  geodata = false,
  settings = {},
  ...options
}: {
  settings?: Json;
  quota?: number;
  disabled?: boolean;
  geodata?: boolean;
  /** Where it lives. */
  database?: "DB" | "DB_2" | "DB_EU";
} = {}): Promise<World> {
  return control("project", { ...options, settings: geodata ? settings : { tracking: NO_GEODATA, ...settings } });
}

/** Rows straight from the database. */
export function sql<T = Json>(query: string, ...bindings: unknown[]): Promise<T[]> {
  return control("sql", { query, bindings });
}

/** The same, of any database. */
export function sqlIn<T = Json>(
  database: "DB" | "DB_2" | "DB_EU",
  query: string,
  ...bindings: unknown[]
): Promise<T[]> {
  return control("sql", { query, bindings, database });
}

export async function control<T>(command: string, input: unknown = {}): Promise<T> {
  const response = await fetch(`${inject("controlUrl")}/${command}`, { method: "POST", body: JSON.stringify(input) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/**
 * The address of the client that the running test is: each test has its own, so that no test meets a limit per address that another
 * has used up. The Worker under test trusts it, as it trusts a proxy.
 */
function addressOfTest(): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const [second, third, fourth] = createHash("sha256").update(`${testPath} ${currentTestName}`).digest();
  return `10.${second}.${third}.${fourth}`;
}

/** One request from the test's own address; a `json` body is sent as JSON, a `form` as a form. */
export async function call(
  method: string,
  path: string,
  options: {
    key?: string;
    json?: unknown;
    form?: Record<string, string>;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { "x-forwarded-for": addressOfTest(), ...options.headers };
  if (options.key) headers.authorization = options.key;
  let body = options.body;
  if (options.json !== undefined) {
    headers["content-type"] = "application/json";
    body = JSON.stringify(options.json);
  } else if (options.form) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    body = new URLSearchParams(options.form).toString();
  }
  const response = await fetch(`${inject("baseUrl")}${path}`, { method, headers, body });
  const text = await response.text();
  const parsed = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  const breaches = breachesOf(parsed, response.status);
  if (breaches.length > 0) throw new Error(`${method} ${path} breaks the rules of the wire: ${breaches.join("; ")}`);
  return { status: response.status, headers: response.headers, body: parsed };
}

export const get = (path: string, key?: string) => call("GET", path, { key });
export const post = (path: string, key: string, json: unknown) => call("POST", path, { key, json });
export const put = (path: string, key: string, json: unknown) => call("PUT", path, { key, json });
export const del = (path: string, key: string) => call("DELETE", path, { key });

/**
 * Sends requests at the same time until one of them is limited (429): a busy machine takes longer than the second in which they are
 * counted. Returns the responses of the last attempt.
 */
export async function untilLimited<T extends { status: number }>(send: () => Promise<T[]>): Promise<T[]> {
  for (let attempt = 1; ; attempt++) {
    const answers = await send();
    if (attempt === 20 || answers.some(({ status }) => status === 429)) return answers;
  }
}

/** Asks until the answer satisfies, at most `forMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  forMs = 20_000,
): Promise<T> {
  const until = Date.now() + forMs;
  for (;;) {
    const answer = await ask();
    if (satisfied(answer) || Date.now() > until) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Makes "demo" (a town at 49° N on the border of the US and Canada), "world" or "traffic" (one at 41° N in Portugal with
 * speeds by time) live, and waits until the Worker has it; for the last, a test waits for what it asks.
 */
export async function withGeodata(name: "demo" | "world" | "traffic"): Promise<void> {
  await control("geodata", { name });
  if (name === "traffic") return;
  asker ??= makeWorld({ geodata: true });
  const { testSecret } = (await asker).keys;
  // Something that only this world knows: each isolate looks at the list of builds by itself.
  const path =
    name === "demo"
      ? "/v1/search/places?near=48.99,-111.2&radius=10000&categories=food-beverage"
      : "/v1/context?coordinates=52.52,13.4";
  await eventually(
    () => get(path, testSecret),
    ({ body }) => (name === "demo" ? body.places?.length > 0 : body.context?.country !== undefined),
    60_000,
  );
}

/** A project of those who wait for geodata. */
let asker: Promise<World> | undefined;

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
