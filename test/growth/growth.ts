import { cpuSeconds } from "../bench/support/process-cpu.ts";
import type { FuzzPlatform } from "../fuzz/platform.ts";
import { type ApiDocument, type Operation, operationsOf } from "../fuzz/requests.ts";
import { dereferenced } from "../support/open-api.ts";
import type { Amount } from "./amounts.ts";
import { fieldsByHand } from "./by-hand.ts";
import { type Hostile, textOf } from "./hostile.ts";
import { type Measured, measure } from "./judge.ts";
import { type Field, fieldsOf, sharedFieldsOf } from "./requests.ts";

/** Lengths that are tried in turn, until the server accepts one [characters]. */
const BODY_LENGTHS = [1_000_000, 400_000, 60_000];
const LINE_LENGTHS = [60_000, 14_000, 4_000];
const TOO_LONG = new Set([413, 414, 431, 0]);
const PATIENCE_MS = 120_000;

/** Operations whose shared places are measured: the headers and the body of the others go through the same code. */
const SHARED = ["context", "track", "ping", "openapi", "passkeySignInOptions", "importBeacons"];

export interface GrowthResult {
  fields: number;
  requests: number;
  /** Most expensive texts first. */
  worst: (Measured & { name: string })[];
  faults: string[];
  /** Fields whose texts were all too long for the server. */
  unreached: string[];
}

export interface GrowthOptions {
  /** operationIds; all when absent. */
  only?: readonly string[] | undefined;
  /** Names of fields, such as "query string"; all when absent. */
  fields?: readonly string[] | undefined;
  /** Only numbers of parts, without texts. */
  parts?: boolean | undefined;
  report?(line: string): void;
}

/** Sends hostile texts of growing length, and values of growing number, to every field of every endpoint, one after the other, and measures workerd's CPU. */
export async function growth(platform: FuzzPlatform, options: GrowthOptions = {}): Promise<GrowthResult> {
  const { only, fields: named, parts = false, report = () => {} } = options;
  const document = dereferenced((await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDocument);
  const accepted = new Map<string, number>();
  const result: GrowthResult = { fields: 0, requests: 0, worst: [], faults: [], unreached: [] };
  const operations = operationsOf(document).filter(({ operationId }) => !only || only.includes(operationId));
  for (const [i, operation] of operations.entries()) {
    for (const field of placesOf(platform, operation)) {
      if (named && !named.includes(field.name)) continue;
      result.fields++;
      for (const text of parts ? [] : field.texts)
        await note(field, text.name, (onRequest) => measureText(field, text, onRequest));
      for (const amount of field.amounts ?? [])
        await note(field, amount.name, (onRequest) => measureAmount(platform, field, amount, onRequest));
    }
    report(`${i + 1} of ${operations.length}: ${operation.operationId}, ${result.requests} requests`);
  }
  result.worst.sort((a, b) => b.full - a.full);
  return result;

  function measureText(field: Field, text: Hostile, onRequest: () => void): Promise<Reached> {
    return measureField(platform, field, text, accepted, onRequest);
  }

  async function note(field: Field, what: string, run: (onRequest: () => void) => Promise<Reached>): Promise<void> {
    const measured = await run(() => result.requests++);
    const name = `${field.operation.operationId}, ${field.name}: ${what}`;
    if (measured.unreached) result.unreached.push(name);
    result.worst.push({ name, ...measured });
    if (measured.problem === undefined) return;
    result.faults.push(`${name} ${measured.problem}`);
    report(`FAULT ${name} ${measured.problem}`);
  }
}

function placesOf(platform: FuzzPlatform, operation: Operation): Field[] {
  const shared = SHARED.includes(operation.operationId) ? sharedFieldsOf(platform, operation) : [];
  return [...shared, ...fieldsOf(platform, operation), ...fieldsByHand(platform, operation)];
}

/** Numbers of parts that are tried in turn, until the server accepts one: what it refuses must be cheap, too. */
const COUNTS = [16_384, 2_048, 512, 128, 64, 32, 16];

/** Imports of up to 10,000 rows, each written with its cells: about a millisecond of CPU per row [s]. */
const BULK: Readonly<Record<string, number>> = { importGeofences: 15, importBeacons: 15 };

type Reached = Measured & { unreached?: boolean };

async function measureAmount(
  platform: FuzzPlatform,
  field: Field,
  amount: Amount,
  onRequest: () => void,
): Promise<Reached> {
  let worst: Measured = { full: 0 };
  for (const count of COUNTS) {
    let status = 0;
    const measured = await measure(
      async (size) => {
        onRequest();
        const value = amount.of(Math.round(size));
        const sent = await send(platform, () => field.request(value));
        // Half of what is refused may be accepted: it is measured in its turn.
        if (size === count) status = sent.status;
        return sent.cpu;
      },
      count,
      BULK[field.operation.operationId],
    );
    if (status >= 500 && status !== 503) measured.problem ??= `returns ${status} for ${count}`;
    if (measured.problem || (measured.full >= worst.full && !worst.problem)) worst = measured;
    if (status > 0 && status < 400) return worst;
  }
  return worst;
}

/** @param accepted the length that an operation has accepted before, in its body or in its line and headers */
async function measureField(
  platform: FuzzPlatform,
  field: Field,
  text: Hostile,
  accepted: Map<string, number>,
  onRequest: () => void,
): Promise<Reached> {
  const isBody = /^(body|form|JSON|CSV|multipart|any|message)/.test(field.name);
  const kind = `${field.operation.operationId} ${isBody ? "body" : field.name}`;
  const longest = isBody ? BODY_LENGTHS : LINE_LENGTHS;
  // Beyond the documented length only the refusal is measured; within it, what reads the text.
  const lengths = field.maxLength === undefined ? longest : [Math.min(field.maxLength, longest[0]), longest[0]];
  let status = 0;
  const cost = async (length: number) => {
    onRequest();
    const sent = await send(platform, () => field.request(textOf(text, length)));
    status = sent.status;
    return sent.cpu;
  };
  let measured: Measured = { full: 0 };
  if (field.maxLength !== undefined) {
    for (const length of lengths) {
      const one = await measure(cost, length);
      if (status >= 500) one.problem = `returns ${status}`;
      if (one.problem || one.full >= measured.full) measured = one;
    }
    return measured;
  }
  for (const length of lengths) {
    if (status >= 500) break;
    if (length > (accepted.get(kind) ?? Number.POSITIVE_INFINITY)) continue;
    measured = await measure(cost, length);
    if (TOO_LONG.has(status)) continue;
    if (status >= 500) measured.problem = `returns ${status}`;
    accepted.set(kind, length);
    return measured;
  }
  return { ...measured, unreached: true };
}

const LIMITED = 429;
/** Limits of an address are not what is measured [ms]. */
const PAUSE_MS = 300;
const MAX_PAUSES = 5;

async function send(platform: FuzzPlatform, make: () => Request): Promise<{ status: number; cpu: number }> {
  for (let pauses = 0; ; pauses++) {
    const request = make();
    const before = cpuSeconds(platform.pid);
    const status = await statusOf(request);
    if (status !== LIMITED || pauses === MAX_PAUSES) return { status, cpu: cpuSeconds(platform.pid) - before };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function statusOf(request: Request): Promise<number> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
