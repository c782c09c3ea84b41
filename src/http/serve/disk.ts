import type { Env } from "../../env.ts";
import { machineFigures } from "../../objects/machine.ts";
import { roleOf } from "./callers/session.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import type { Execution } from "./exact-paths.ts";

/** How long what the machine says of its disk is believed [ms]. */
const BELIEVED_MS = 1000;
const RETRY_AFTER_S = 30;

let isFull = false;
let askedAt = Number.NEGATIVE_INFINITY;

/** Is the disk known to be full? What can wait is then not written. */
export function isDiskFull(): boolean {
  return isFull;
}

/**
 * Refuses what would write while the disk is full, so that what only reads goes on: a write that fails takes the database with it, and that
 * cannot be opened again without room. Only `npm start` knows its disk; nothing is awaited.
 * @throws ApiError 503
 */
export function refuseWhenFull(endpoint: Endpoint, env: Env, execution: Execution, now: number): void {
  if (!env.MACHINE) return;
  if (Math.abs(now - askedAt) > BELIEVED_MS) {
    askedAt = now;
    execution.waitUntil(ask(env.MACHINE));
  }
  if (isFull && roleOf(endpoint) !== "read") throw diskFull();
}

/** What an unexpected error comes from, if the disk has become full: the error that says so. */
export async function fullDiskBehind(error: unknown, env: Env): Promise<unknown> {
  if (!env.MACHINE || error instanceof ApiError) return error;
  await ask(env.MACHINE);
  return isFull ? diskFull() : error;
}

function diskFull(): ApiError {
  const headers = { "Retry-After": String(RETRY_AFTER_S) };
  return new ApiError(503, "The server's disk is full: writes are rejected until space is freed.", { headers });
}

async function ask(machine: NonNullable<Env["MACHINE"]>): Promise<void> {
  try {
    isFull = (await machineFigures(machine)).isDiskFull === true;
  } catch {
    // What was known goes on being believed.
  }
}
