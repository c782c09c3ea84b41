import { getPath } from "hono/utils/url";
import { looksLikeKey } from "../../../core/auth/key.ts";
import type { ApiError } from "../../platform/errors.ts";
import type { Fields } from "./body.ts";

/** Another service, whose clients work here after their host is changed (http/peers). */
export interface Peer {
  /** The first segment of its paths. */
  name: string;
  /**
   * Writes an error as the service does. `status`: another one than the error's; `type`: of a body that is not JSON.
   * @param url of the request
   */
  errorOf(error: ApiError, url: string): { status?: number; body: unknown; type?: string };
}

/** The parameters in which clients of other services send a key. */
const KEY_PARAMETERS = ["access_token", "api_key", "apiKey", "key"] as const;

/** `/key/prj_live_pk_…/nominatim/search`: for clients in which only a URL can be set. */
const KEY_PATH = /^(https?:\/\/[^/?#]*)?\/key\/([^/?#]*)(\/(?:osrm|mapbox|nominatim|photon|vroom)(?:[/?#]|$).*)/s;

/** The path of a request by which its endpoint is found: without a key in front of the path of a peer. */
export function pathWithoutKey(request: Request): string {
  const path = getPath(request);
  return path.startsWith("/key/") ? path.replace(KEY_PATH, "$3") : path;
}

/** The key in front of the path; undefined if there is none. */
export function keyInPath(url: string): string | undefined {
  return KEY_PATH.exec(url)?.[2];
}

/**
 * The fields of a query with the key as `publishableKey`, whatever the client calls it, so that the endpoint's schema has
 * no key; and without empty ones, which clients send for what is not set.
 */
export function withPeerKey(fields: Fields, inPath: string | undefined): Fields {
  const { publishableKey, ...given } = fields;
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  let key: unknown = publishableKey ?? inPath;
  for (const name of KEY_PARAMETERS) {
    const own = rest[name];
    delete rest[name];
    key ??= typeof own === "string" ? keyInToken(own) : own;
  }
  return key === undefined ? rest : { ...rest, publishableKey: key };
}

/** Mapbox's clients accept only tokens of three parts, the second of which names a user: the key is the third. */
function keyInToken(token: string): string {
  const last = token.slice(token.lastIndexOf(".") + 1);
  return looksLikeKey(last) ? last : token;
}
