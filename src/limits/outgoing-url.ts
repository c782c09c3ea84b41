/**
 * Which addresses of the world we call for a customer: webhooks, icons of static maps. A customer's URL must not become a way
 * into networks that only we can reach (server-side request forgery).
 *
 * Only names are allowed, never addresses, so that what a name means is decided by the resolver of the platform alone:
 * Cloudflare's egress reaches no private network. A host that runs elsewhere keeps its own firewall, as a name may be made to
 * resolve to anything at the moment of the call. Redirects are for the caller to refuse (`redirect: "manual"`).
 */
export interface OutgoingRules {
  /** Plain http, and receivers on this machine or its private network: for development only. */
  allowPrivate?: boolean;
}

export type OutgoingUrl = { url: URL; problem?: undefined } | { url?: undefined; problem: string };

const MAX_URL_LENGTH = 2048;
const FIRST_USER_PORT = 1024;

/**
 * Names that never lead to a public host: the special-use domains (RFC 6761, 6762, 7686, 8375, 9476; `internal` as ICANN
 * reserved it in 2024), those that private networks are commonly called by, the metadata services of clouds, and public
 * names that stand for the address written in them.
 */
const NEVER_PUBLIC = [
  ...["localhost", "local", "internal", "test", "example", "invalid", "onion", "alt", "arpa"],
  ...["localdomain", "intranet", "private", "corp", "home", "lan"],
  ...["metadata.goog", "nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me"],
];

/** The URL as it will be called, or the sentence that says why it will not be. */
export function checkOutgoingUrl(text: string, { allowPrivate = false }: OutgoingRules = {}): OutgoingUrl {
  if (text.length > MAX_URL_LENGTH) return { problem: `Must have at most ${MAX_URL_LENGTH} characters.` };
  // The parser drops tabs and line breaks wherever they are: what was read is not what would be called.
  if (/[\s\\\p{Cc}]/u.test(text)) return { problem: "Must not contain blanks, backslashes or control characters." };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: "Must be an absolute URL such as https://example.com/hooks." };
  }
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return { problem: "Must begin with https://." };
  if (url.username || url.password) return { problem: "Must not contain a user name or a password." };
  const isPort = url.port === "" || (allowPrivate && url.port === "80") || Number(url.port) >= FIRST_USER_PORT;
  if (!isPort) return { problem: `The port must be 443, or ${FIRST_USER_PORT} and above.` };
  const problem = hostProblem(url.hostname, allowPrivate);
  if (problem) return { problem };
  url.hash = "";
  return { url };
}

/** `host` as the URL parser has made it: lower case, IDNA, IPv4 in four decimals, IPv6 in brackets. */
function hostProblem(host: string, allowPrivate: boolean): string | undefined {
  const kind = host.startsWith("[")
    ? ipv6Kind(host.slice(1, -1))
    : /^\d+(\.\d+){3}$/.test(host)
      ? ipv4Kind(host)
      : "name";
  if (kind !== "name") {
    if (allowPrivate && kind === "private") return undefined;
    return "The host must be a name, not an IP address.";
  }
  const name = host.replace(/\.$/, "");
  const labels = name.split(".");
  if (!labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)))
    return "The host is not a valid name.";
  if (allowPrivate && labels.at(-1) === "localhost") return undefined;
  if (labels.length < 2 || NEVER_PUBLIC.some((end) => name === end || name.endsWith(`.${end}`))) {
    return "The host must be a public name.";
  }
  return undefined;
}

type AddressKind = "private" | "other";

/** `private`: this machine and the networks of RFC 1918. Everything else, link-local and metadata too, is never called. */
function ipv4Kind(address: string): AddressKind {
  const [a, b] = address.split(".").map(Number);
  return a === 127 || a === 10 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b < 32) ? "private" : "other";
}

/** `private`: ::1 and fc00::/7 (RFC 4193). An IPv4 address within one (::ffff:a.b.c.d, 64:ff9b::) is never called. */
function ipv6Kind(address: string): AddressKind {
  return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) ? "private" : "other";
}
