import { addressRateOf } from "../../../core/limits/table.ts";
import { commonDatabase } from "../../db/databases.ts";
import { readText } from "../serve/body.ts";
import { limitAddress } from "../serve/callers/address-limit.ts";
import type { Caller } from "../serve/callers/identity.ts";
import type { Call } from "../serve/endpoint.ts";
import { count } from "../serve/usage.ts";

/** The largest request [bytes]. */
const MAX_BODY_BYTES = 512 * 1024;
/** Messages of one request: clients of the revision 2025-03-26 may send several. */
const MAX_MESSAGES = 10;
/** Codes of JSON-RPC 2.0, section 5.1. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32700, -32600];

/** The messages of a request, or the response to one that has none. @throws ApiError 413 */
export async function readMessages(request: Request): Promise<{ body: unknown; messages: unknown[] } | Response> {
  const text = await readText(request, MAX_BODY_BYTES);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return rpcError(PARSE_ERROR, "Parse error: Invalid JSON");
  }
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_MESSAGES)
    return rpcError(INVALID_REQUEST, `Too many messages in one request. Send up to ${MAX_MESSAGES}.`);
  const ids = messages.flatMap((message) => (message as { id?: unknown } | null)?.id ?? []);
  if (new Set(ids).size < ids.length)
    return rpcError(INVALID_REQUEST, "Two requests have the same id. Send each with its own.");
  return { body, messages };
}

/**
 * Counts each message toward the limit of its address, which has counted the first, and as usage. Calls of tools count as calls of the
 * endpoints that they use, and members' requests do not count.
 * @throws ApiError 429
 */
export function countMessages(
  { ip, env, now, waitUntil }: Pick<Call, "ip" | "env" | "now" | "waitUntil">,
  caller: Caller,
  messages: readonly unknown[],
): void {
  for (let i = 1; i < messages.length; i++) limitAddress(ip, "calls of mcp", addressRateOf("mcp"), now);
  if (caller.member) return;
  const own = messages.filter((message) => (message as { method?: unknown } | null)?.method !== "tools/call").length;
  const written = own > 0 && count(commonDatabase(env), caller, "mcp", now, "calls", own);
  if (written) waitUntil(written);
}

const rpcError = (code: number, message: string) =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
