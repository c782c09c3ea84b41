/**
 * Rules for the URLs that the server calls for a customer: webhooks when they are registered and at each delivery, icons
 * of static maps at the first request and at each redirect. A customer's URL must not give access to networks that only
 * the server can reach (server-side request forgery).
 *
 * Only names are allowed, never addresses, so that only the platform's resolver decides where a name leads: Cloudflare's
 * egress reaches no private network. A host that runs elsewhere needs its own firewall, because a name may resolve to any
 * address at the time of the call: the lists below stop honest mistakes and ready-made tools, but not the owner of a
 * domain. Callers must reject redirects, or check them here hop by hop (`redirect: "manual"`).
 */
export interface OutgoingRules {
  /** Plain http, and receivers on this machine or its private network: only for development. */
  allowPrivate?: boolean;
  /** Only port 443: for calls triggered by a publishable key, which anyone may have. */
  standardPort?: boolean;
}

export type OutgoingUrl = { url: URL; problem?: undefined } | { url?: undefined; problem: string };

const MAX_URL_LENGTH = 2048;
const FIRST_USER_PORT = 1024;

const MAX_NAME_LENGTH = 253;

/** Names that never lead to a public host, including all their subdomains. */
const NEVER_PUBLIC = [
  // Special-use domains: RFC 6761, 6762, 7686 (onion), 8375 and 9665 (below arpa), 9476 (alt); `internal` is ICANN's, of 2024.
  ...["localhost", "test", "invalid", "example", "local", "onion", "arpa", "alt", "internal"],
  // Names of private networks: RFC 6762 (appendix G), the names that ICANN will never delegate, and those assigned by
  // routers.
  ...["intranet", "private", "corp", "home", "lan", "mail", "localdomain", "domain", "localnet", "priv", "workgroup"],
  ...["dhcp", "belkin", "router", "gateway", "ip", "fritz.box"],
  // Service discovery within clusters: Kubernetes, Consul, Nomad, Mesos, Docker; the metadata service of Google Cloud.
  ...["svc", "cluster", "kube", "k8s", "consul", "nomad", "mesos", "docker", "metadata.goog"],
  // The host of containers, as named by Podman, Docker, Lima and minikube, and metadata services of clouds.
  ...["host.containers", "containers", "host", "lima", "minikube", "rancher-desktop", "instance-data", "metadata"],
  ...["local-dev", "docker.internal", "default", "pod", "service", "node", "kubernetes"],
];

/**
 * Public domains whose names all resolve to this machine, to the address written in the name, or alternately to two.
 */
const STANDS_FOR_ADDRESS = [
  ...["nip.io", "sslip.io", "xip.io", "xip.name", "ipq.co", "backname.io", "local-ip.co", "traefik.me", "plex.direct"],
  ...[
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "lacolhost.com",
    "localho.st",
    "local.gd",
    "fuf.me",
    "smackaho.st",
    "ulh.us",
  ],
  ...["localhost.direct", "localdev.me", "lcl.host", "yoogle.com", "127-0-0-1.org.uk", "localcert.net"],
  ...["rbndr.us", "1u.ms", "rebind.it", "rebind.network"],
];

/** The URL to call, or a sentence that explains why it is not allowed. */
export function checkOutgoingUrl(text: string, rules: OutgoingRules = {}): OutgoingUrl {
  const { allowPrivate = false, standardPort = false } = rules;
  if (text.length > MAX_URL_LENGTH) return { problem: `Must have at most ${MAX_URL_LENGTH} characters.` };
  // The parser drops tabs and line breaks anywhere, so the called URL would differ from the given one.
  if (/[\s\\\p{Cc}]/u.test(text)) return { problem: "Must not contain spaces, backslashes or control characters." };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: "Must be an absolute URL such as https://example.com/hooks." };
  }
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return { problem: "Must begin with https://." };
  if (url.username || url.password) return { problem: "Must not contain a username or password." };
  if (standardPort && url.port !== "") return { problem: "The port must be 443." };
  const isPort = url.port === "" || (allowPrivate && url.port === "80") || Number(url.port) >= FIRST_USER_PORT;
  if (!isPort) return { problem: `The port must be 443, or ${FIRST_USER_PORT} and above.` };
  const problem = hostProblem(url.hostname, allowPrivate);
  if (problem) return { problem };
  url.hash = "";
  return { url };
}

/** `host` as normalized by the URL parser: lower case, IDNA, IPv4 in four decimals, IPv6 in brackets. */
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
  const valid = labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  if (!valid || name.length > MAX_NAME_LENGTH) return "The host is not a valid name.";
  if (allowPrivate && labels.at(-1) === "localhost") return undefined;
  const isBelow = (end: string) => name === end || name.endsWith(`.${end}`);
  if (labels.length < 2 || NEVER_PUBLIC.some(isBelow)) return "The host must be a public name.";
  if (STANDS_FOR_ADDRESS.some(isBelow) || spellsPrivateAddress(name))
    return "The host must be a name that does not stand for an address.";
  return undefined;
}

/**
 * "10-0-0-1.any.io", "x.127.0.0.1.any.io": the form in which services not listed here encode an address that no public
 * host has.
 */
function spellsPrivateAddress(name: string): boolean {
  const parts = name.split(/[.-]/);
  return parts.some((_, i) => {
    const four = parts.slice(i, i + 4);
    return four.length === 4 && four.every((part) => /^\d{1,3}$/.test(part)) && isReserved(four.map(Number));
  });
}

/** This machine, the networks of RFC 1918, link-local with its metadata services, and carrier-grade NAT (RFC 6598). */
function isReserved([a, b]: number[]): boolean {
  return isPrivate(a, b) || (a === 169 && b === 254) || (a === 100 && b >= 64 && b < 128);
}

type AddressKind = "private" | "other";

/**
 * `private`: this machine and the networks of RFC 1918. All other reserved addresses, including link-local and
 * metadata, are never called.
 */
function ipv4Kind(address: string): AddressKind {
  const [a, b] = address.split(".").map(Number);
  return isPrivate(a, b) ? "private" : "other";
}

function isPrivate(a: number, b: number): boolean {
  return a === 127 || a === 10 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b < 32);
}

/** `private`: ::1 and fc00::/7 (RFC 4193). An IPv4 address within one (::ffff:a.b.c.d, 64:ff9b::) is never called. */
function ipv6Kind(address: string): AddressKind {
  return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) ? "private" : "other";
}
