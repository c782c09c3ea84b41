import { addressRateOf } from "../../../../core/limits/table.ts";
import { envIn } from "../../../db/databases.ts";
import type { Env } from "../../../platform/env.ts";
import type { EndpointRequest } from "../input.ts";
import { limitRate } from "../rate-limit.ts";
import { countCall } from "../usage.ts";
import { limitAddress, limitMember } from "./address-limit.ts";
import type { Identity } from "./identify.ts";
import type { Caller } from "./identity.ts";

/** The environment of the caller's project: its database, objects and files. */
export const projectEnv = (env: Env, { database, from }: Caller): Env => envIn(env, database, from);

/** Counts a request against the rate of its address, if the endpoint has one. @throws ApiError 429 */
export function limitByAddress({ endpoint: { name, rate }, client, now }: EndpointRequest): void {
  if (rate === "address") limitAddress(client.ip, `calls of ${name}`, addressRateOf(name), now);
}

/**
 * Counts a request against the rate of its sender. The dashboard's own endpoints have one rate per member.
 * @returns a promise only if the limiter must be asked. @throws ApiError 429
 */
export function limitSender(
  { endpoint: { name, countedAs = name, level, rate = "scope" }, env, now }: EndpointRequest,
  { caller, member }: Identity,
): Promise<void> | undefined {
  if (member && (level === "member" || !caller)) limitMember(member.id, now);
  else if (caller && rate === "scope") return limitRate(projectEnv(env, caller), caller, countedAs, now);
  return undefined;
}

/**
 * Counts a call as usage, after the rate limit: a rejected call does not count. Neither do sessions: the statistics are those of the
 * project's apps and servers.
 */
export function countUsage({ endpoint, env, execution, now }: EndpointRequest, { caller, member }: Identity): void {
  const written = caller && !member && countCall(env.DB, caller, endpoint.countedAs ?? endpoint.name, now);
  if (written) execution.waitUntil(written);
}
