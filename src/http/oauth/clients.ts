import {
  ClientProblem,
  checkClientUrl,
  type OAuthClient,
  PREREGISTERED,
  readClientDocument,
} from "../../auth/oauth/client.ts";
import { BoundedMap } from "../../geo/bounded-map.ts";
import { checkOutgoingUrl } from "../../limits/outgoing-url.ts";
import { getOutgoing, rulesOf } from "../../outgoing/outgoing.ts";
import type { Env } from "../../platform/env.ts";
import { limitAddress } from "../serve/callers/address-limit.ts";

/** Documents of clients: a URL that a stranger chose, fetched while a member decides. */

const PATIENCE_MS = 5_000;
/** The draft recommends a limit of 5 KB; logos and translations of names need more. */
const MAX_BYTES = 32 * 1024;
/** Documents that one member may have fetched [per second]. */
const DOCUMENTS_PER_MEMBER = 2;
const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 200;

const kept = new BoundedMap<string, { at: number; client: OAuthClient }>(MAX_KEPT);

/**
 * The client with this client_id.
 * @param member who asks: the limit of fetched documents is per member
 * @throws ClientProblem if there is none; ApiError 429
 */
export async function findClient(env: Env, id: string, member: string, now: number): Promise<OAuthClient> {
  const known = PREREGISTERED.find((client) => client.id === id);
  if (known) return known;
  checkClientUrl(id);
  const { problem } = checkOutgoingUrl(id, rulesOf(env));
  if (problem) throw new ClientProblem(`client_id: ${problem}`);
  const before = kept.get(id);
  if (before && Math.abs(now - before.at) < KEPT_MS) return before.client;
  limitAddress(member, "documents of clients", DOCUMENTS_PER_MEMBER, now);
  const client = readClientDocument(id, new TextDecoder().decode(await fetchDocument(env, id)));
  kept.set(id, { at: now, client });
  return client;
}

async function fetchDocument(env: Env, id: string): Promise<Uint8Array> {
  try {
    return await getOutgoing(env, id, {
      timeoutMs: PATIENCE_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      headers: { accept: "application/json" },
    });
  } catch {
    // Why is not reported: it would tell strangers about hosts that only this server reaches.
    throw new ClientProblem("The document of the client could not be read: client_id must be its public https URL.");
  }
}
