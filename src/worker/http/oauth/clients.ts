import {
  ClientProblem,
  checkClientUrl,
  type OAuthClient,
  PREREGISTERED,
  readClientDocument,
} from "../../../core/auth/oauth/client.ts";
import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { checkOutgoingUrl } from "../../../core/limits/outgoing-url.ts";
import { getOutgoing, rulesOf } from "../../outgoing/outgoing.ts";

/** Documents of clients: a URL that a stranger chose, fetched while a member decides. */

const PATIENCE_MS = 5_000;
/** The draft recommends a limit of 5 KB; logos and translations of names need more. */
const MAX_BYTES = 32 * 1024;
const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 200;

/** The environment that an outgoing request depends on. */
type Way = Parameters<typeof getOutgoing>[0];

const kept = new BoundedMap<string, { at: number; client: OAuthClient }>(MAX_KEPT);

/**
 * The client with this client_id.
 * @param limit counts a document that has to be fetched, or throws
 * @throws ClientProblem if there is none
 */
export async function findClient(env: Way, id: string, limit: () => void, now: number): Promise<OAuthClient> {
  const known = PREREGISTERED.find((client) => client.id === id);
  if (known) return known;
  checkClientUrl(id);
  const { problem } = checkOutgoingUrl(id, rulesOf(env));
  if (problem) throw new ClientProblem(`client_id: ${problem}`);
  const before = kept.get(id);
  if (before && Math.abs(now - before.at) < KEPT_MS) return before.client;
  limit();
  const client = readClientDocument(id, new TextDecoder().decode(await fetchDocument(env, id)));
  kept.set(id, { at: now, client });
  return client;
}

async function fetchDocument(env: Way, id: string): Promise<Uint8Array> {
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
