import { expect } from "vitest";
import type { Difference } from "../../../conformance/differences/difference.ts";
import { PARAMETERS, type ParameterTable } from "../../../conformance/parameters.ts";
import { type Answer, call, type Json } from "../../../support/world.ts";

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

/** Sends both requests and compares their responses. */
export async function compare({ id, both, a, b, isRejected, expects }: Difference, key: string): Promise<void> {
  const table = tableOf(id);
  const [first, second] = await Promise.all(
    [a, b].map((own) => request(table, { ...table.least, ...both, ...own }, key)),
  );
  expect([first.status, first.body.meta]).toEqual([200, { code: 200 }]);
  expect(second.status, JSON.stringify(second.body.meta)).toBe(isRejected ? 400 : 200);
  expects(first.body, second.body);
}
