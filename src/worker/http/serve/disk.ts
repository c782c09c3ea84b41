import { isInternal } from "../../db/away.ts";
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

/** The error of a full disk or a damaged database, if that caused an unexpected error. The operator reads of it in the log of `npm start`. */
export async function machineBehind(error: unknown, env: Env): Promise<unknown> {
  if (!env.MACHINE || error instanceof ApiError) return error;
  if (isInternal(error) && (await isDatabaseDamaged(env.MACHINE)))
    return unavailable("The server's database is damaged. Its operator must restore it.");
  await ask(env.MACHINE);
  return isFull ? diskFull() : error;
}

async function isDatabaseDamaged(machine: Fetcher): Promise<boolean> {
  try {
    const answer = await machine.fetch("http://machine/damaged-database", { method: "POST" });
    return (await answer.json<{ isDamaged?: boolean }>()).isDamaged === true;
  } catch {
    return false;
  }
}

const unavailable = (message: string) =>
  new ApiError(503, message, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
const diskFull = () => unavailable("The server's disk is full: writes are rejected until space is freed.");

async function ask(machine: NonNullable<Env["MACHINE"]>): Promise<void> {
  try {
    isFull = (await machineFigures(machine)).isDiskFull === true;
  } catch {
    // The cached state stays valid.
  }
}
