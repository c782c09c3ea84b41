import { expect } from "vitest";
import { PARAMETERS, type ParameterTable } from "../conformance/parameters.ts";
import { type Answer, call, type Json } from "../support/world.ts";

/**
 * What a parameter changes: two requests that differ in it alone, and the difference that the specification promises. `id` is
 * the row of docs/conformance.md.
 */
export interface Effect {
  id: `parameter.${string}.${string}`;
  /** The difference, in a few words. */
  effect: string;
  /** Added to the required parameters in both requests. */
  both?: Json;
  /** Added in the first request, and in the second; `undefined` removes a required parameter. */
  a?: Json;
  b: Json;
  /** The second request is rejected. */
  isRejected?: true;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  expects(a: any, b: any): void;
}

/** The endpoint that a row is about. */
export function tableOf(id: string): ParameterTable {
  const endpoint = id.split(".")[1];
  const table = PARAMETERS.find((one) => one.endpoint === endpoint);
  if (!table) throw new Error(`No endpoint ${endpoint}`);
  return table;
}

export function queryOf(values: Json): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

export function request({ method, path }: ParameterTable, values: Json, key: string): Promise<Answer> {
  return method === "POST"
    ? call("POST", path, { key, json: values })
    : call("GET", `${path}?${queryOf(values)}`, { key });
}

/** Makes both requests and compares their responses. */
export async function showEffect({ id, both, a, b, isRejected, expects }: Effect, key: string): Promise<void> {
  const table = tableOf(id);
  const [first, second] = await Promise.all(
    [a, b].map((own) => request(table, { ...table.least, ...both, ...own }, key)),
  );
  expect([first.status, first.body.meta]).toEqual([200, { code: 200 }]);
  expect(second.status, JSON.stringify(second.body.meta)).toBe(isRejected ? 400 : 200);
  expects(first.body, second.body);
}

interface Point {
  latitude: number;
  longitude: number;
}

/** "latitude,longitude" as a point. */
export function pointOf(text: string): Point {
  const [latitude, longitude] = text.split(",").map(Number);
  return { latitude, longitude };
}

/** Metres between two points, by a formula of the tests. */
export function metresBetween(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const half = (from: number, to: number) => Math.sin(((to - from) * radians) / 2) ** 2;
  const shrink = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  const chord = half(a.latitude, b.latitude) + shrink * half(a.longitude, b.longitude);
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(chord));
}
