import fc from "fast-check";
import { cpuSeconds, residentBytes } from "../bench/support/process-cpu.ts";
import { dereferenced } from "../support/open-api.ts";
import { judgeOf, type Seen } from "./judge.ts";
import type { FuzzPlatform } from "./platform.ts";
import { type ApiDocument, type Drawn, type Operation, operationsOf, requestsOf } from "./requests.ts";

export interface FuzzOptions {
  /** Requests to each endpoint. */
  runs: number;
  seed: number;
  /** operationIds to be looked at; all when absent. */
  only?: readonly string[];
  report?(line: string): void;
}

export interface Fault {
  operationId: string;
  what: string;
  /** The smallest request found that shows it. */
  curl: string;
  answer: string;
}

export interface FuzzResult {
  endpoints: number;
  requests: number;
  statuses: Record<string, number>;
  faults: Fault[];
  /** The most CPU that one request took [s], and which. */
  dearest: { cpu: number; curl: string };
  /** Memory of the Worker's process after each quarter of the requests [MB]. */
  memoryMb: number[];
}

const QUARTERS = 4;
/** Requests that may be spent on making a failing one smaller. */
const SHRINKING = 200;
const PATIENCE_MS = 60_000;

/**
 * Sends drawn requests to every endpoint of the Worker's own reference, one after the other, and judges each answer. Requests come
 * in four rounds over all endpoints: what one has stored, another reads, and the memory after each round can be compared.
 */
export async function fuzz(platform: FuzzPlatform, options: FuzzOptions): Promise<FuzzResult> {
  const { runs, seed, only, report = () => {} } = options;
  const document = dereferenced((await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDocument);
  const operations = operationsOf(document).filter(({ operationId }) => !only || only.includes(operationId));
  const judge = judgeOf(document);
  const ids: string[] = [];
  const known = new Set<string>();
  const result: FuzzResult = {
    endpoints: operations.length,
    requests: 0,
    statuses: {},
    faults: [],
    dearest: { cpu: 0, curl: "" },
    memoryMb: [],
  };

  const ask = async (operation: Operation, drawn: Drawn): Promise<{ seen: Seen; curl: string }> => {
    const request = fill(platform, operation, drawn, ids);
    const before = cpuSeconds(platform.pid);
    let seen: Seen;
    try {
      const { path, ...init } = request;
      const response = await fetch(platform.url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
      const text = await response.text();
      const contentType = response.headers.get("content-type") ?? "";
      seen = { status: response.status, contentType, text, cpu: cpuSeconds(platform.pid) - before };
    } catch (error) {
      seen = { status: 599, contentType: "", text: String(error), cpu: cpuSeconds(platform.pid) - before };
    }
    result.requests++;
    result.statuses[seen.status] = (result.statuses[seen.status] ?? 0) + 1;
    const curl = curlOf(request);
    if (seen.cpu > result.dearest.cpu) result.dearest = { cpu: seen.cpu, curl };
    if (seen.status === 200) noteIds(seen.text, ids);
    return { seen, curl };
  };

  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    for (const operation of operations) {
      let left = Math.ceil(runs / QUARTERS);
      for (let attempt = 0; left > 0; attempt++) {
        const fault = await firstFault(operation, left, seed + quarter + attempt * QUARTERS);
        left -= fault?.runs ?? left;
        if (!fault) continue;
        known.add(`${operation.operationId} ${fault.what}`);
        result.faults.push({ operationId: operation.operationId, ...fault });
        report(`${operation.operationId}: ${fault.what}\n  ${fault.curl}\n  ${fault.answer}`);
      }
    }
    result.memoryMb.push(Math.round(residentBytes(platform.pid) / 2 ** 20));
    report(`round ${quarter + 1} of ${QUARTERS}: ${result.requests} requests, ${result.memoryMb.at(-1)} MB`);
  }
  return result;

  /** Draws requests until one shows a fault that was not seen before, and makes that one as small as it gets. */
  async function firstFault(operation: Operation, numRuns: number, seed: number) {
    let failed: { what: string; curl: string; answer: string } | undefined;
    let spent = 0;
    const property = fc.asyncProperty(requestsOf(operation), async (drawn) => {
      if (failed && spent++ >= SHRINKING) return;
      const { seen, curl } = await ask(operation, drawn);
      const what = judge(operation, seen).find((one) => !known.has(`${operation.operationId} ${one}`));
      // While it is made smaller it must stay the same fault.
      if (what === undefined || (failed && failed.what !== what)) return;
      failed = { what, curl, answer: `${seen.status} ${seen.text.slice(0, 300)}` };
      throw new Error(what);
    });
    const details = await fc.check(property, { numRuns, seed });
    return failed && { ...failed, runs: details.numRuns };
  }
}

interface Filled {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The request that a drawn one stands for. */
export function fill(
  platform: Pick<FuzzPlatform, "keys" | "settingsKeys" | "member">,
  operation: Operation,
  drawn: Drawn,
  ids: readonly string[],
): Filled {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const part = drawn.parts[name];
    const value = typeof part === "string" ? part : (ids[part.known % Math.max(1, ids.length)] ?? "nobody");
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(drawn.query).toString();
  const keys = operation.operationId === "patchSettings" ? platform.settingsKeys : platform.keys;
  const fitting = operation["x-key-level"] === "publishable" ? keys.testPublishable : keys.testSecret;
  const key = {
    fitting,
    publishable: keys.testPublishable,
    live: keys.liveSecret,
    unknown: `prj_test_sk_${"0".repeat(40)}`,
    none: undefined,
  }[drawn.key];
  const headers: Record<string, string> = {};
  // The dashboard's own, as its pages ask: in a project of their own, as they rotate keys and disable projects.
  if (operation.path.startsWith("/dashboard/")) headers["sec-fetch-site"] = "same-origin";
  const hasSession = operation["x-key-level"] === "member" && (drawn.key === "fitting" || drawn.key === "live");
  if (hasSession && !operation.operationId.startsWith("signOut")) {
    headers.cookie = platform.member.cookie;
    headers["x-graticule-project"] = String(platform.member.project);
    headers["x-graticule-environment"] = drawn.key === "live" ? "live" : "test";
  } else if (key) headers.authorization = key;
  if (drawn.body !== undefined) headers["content-type"] = drawn.contentType;
  return { path: query ? `${path}?${query}` : path, method: operation.method, headers, body: drawn.body };
}

/** A line for a shell that sends the same request to `npm run dev`. */
function curlOf({ path, method, headers, body }: Filled): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const sent = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const shown = body !== undefined && body.length > 1500 ? `${body.slice(0, 1500)}… (${body.length} characters)` : body;
  return [
    ...["curl -i -X", method, quote(`http://localhost:8787${path}`), ...sent],
    ...(shown === undefined ? [] : [`--data-raw ${quote(shown)}`]),
  ].join(" ");
}

/** Keeps the latest ids that answers told, so that later requests find something. */
function noteIds(text: string, ids: string[]): void {
  for (const [, id] of text.matchAll(/"_id":"([^"]{1,60})"/g)) {
    if (!ids.includes(id)) ids.unshift(id);
  }
  ids.length = Math.min(ids.length, 21);
}
