import { machineFigures } from "../../objects/machine.ts";
import type { Execution } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";
import { roleOf } from "./callers/session.ts";
import type { Endpoint } from "./endpoint.ts";

/** Cache time of the machine's disk state [ms]. */
const BELIEVED_MS = 1000;
const RETRY_AFTER_S = 30;

let isFull = false;
let requestedAt = Number.NEGATIVE_INFINITY;

/** Whether the disk is known to be full. Deferrable writes are then skipped. */
export function isDiskFull(): boolean {
  return isFull;
}

/**
 * Rejects writes while the disk is full, so that reads keep working: a failed write closes the database, which
 * cannot be reopened without free space. Only `npm start` knows its disk; nothing is awaited.
 * @throws ApiError 503
 */
export function refuseWhenFull(endpoint: Endpoint, env: Env, execution: Execution, now: number): void {
  if (!env.MACHINE) return;
  if (Math.abs(now - requestedAt) > BELIEVED_MS) {
    requestedAt = now;
    execution.waitUntil(ask(env.MACHINE));
  }
  // An operator's page of the server's status is a read, whoever may see it.
  const isRead = roleOf(endpoint) === "read" || (endpoint.level === "member" && endpoint.method === "GET");
  if (isFull && !isRead) throw diskFull();
}

/** The disk-full error, if a full disk caused an unexpected error. */
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
    // The cached state stays valid.
  }
}
