import ipaddr from "ipaddr.js";
import { BoundedMap } from "../geo/bounded-map.ts";

/**
 * The client address of a request behind proxies. `ipaddr.js` 2.5 (MIT, 10 KB minified, no dependencies) parses
 * addresses and networks of both families; its input is bounded.
 */

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The proxies whose headers are trusted, and a cache of recent addresses and whether they are among them. */
export interface TrustedProxies {
  readonly networks: readonly Network[];
  readonly known: Map<string, boolean>;
}

/** This machine. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Maximum length of an IPv6 address with a zone. */
const MAX_ADDRESS_LENGTH = 64;
/** Maximum number of chained proxies that are trusted. */
const MAX_HOPS = 10;
/** Maximum number of cached addresses: nearly all requests come through a few proxies. */
const MAX_KNOWN = 1_000;

/**
 * Parses a list of addresses and networks: "10.0.0.2, 192.168.0.0/16, fd00::/8". "none" trusts no proxy.
 * @throws Error with the entry that is neither an address nor a network
 */
export function parseProxies(text: string): TrustedProxies {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const none = names.length === 1 && names[0] === "none";
  const networks = none
    ? []
    : names.flatMap((name) => (name === "loopback" ? LOOPBACK.map(networkOf) : [networkOf(name)]));
  return { networks, known: new BoundedMap(MAX_KNOWN) };
}

function networkOf(text: string): Network {
  const [address, bits] = text.split("/", 2);
  const parsed = text.length <= MAX_ADDRESS_LENGTH ? parse(address) : undefined;
  const most = parsed?.kind() === "ipv4" ? 32 : 128;
  const length = bits === undefined ? most : bits === "" ? Number.NaN : Number(bits);
  if (!parsed || !Number.isInteger(length) || length < 0 || length > most)
    throw new Error(`"${text.slice(0, MAX_ADDRESS_LENGTH)}" is neither an IP address nor a network such as 10.0.0.0/8`);
  return [parsed, length];
}

/** An address in canonical form; IPv4 within IPv6 (::ffff:1.2.3.4) as IPv4. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.length > MAX_ADDRESS_LENGTH || !isWhole(text)) return undefined;
  try {
    return ipaddr.process(text);
  } catch {
    return undefined;
  }
}

/** The library also accepts "127.1" and "0x7f000001", as old C libraries do. */
const isWhole = (text: string) => text.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(text);

export function isTrusted(address: string, { networks, known }: TrustedProxies): boolean {
  let trusted = known.get(address);
  if (trusted === undefined) {
    const parsed = parse(address);
    trusted =
      parsed !== undefined &&
      networks.some(
        ([network, bits]) =>
          parsed.kind() === network.kind() && (parsed as ipaddr.IPv6).match([network as ipaddr.IPv6, bits]),
      );
    known.set(address, trusted);
  }
  return trusted;
}

/**
 * "192.0.2.1:4711" and "[2001:db8::1]:4711" → the address; a peer without an IP address, such as a Unix socket, stays
 * unchanged.
 */
export function addressOfPeer(peer: string): string {
  const end = peer.startsWith("[") ? peer.indexOf("]") : peer.lastIndexOf(":");
  if (end < 0) return peer;
  const address = peer.startsWith("[") ? peer.slice(1, end) : peer.slice(0, end);
  // The platform writes IPv4 in canonical form, which needs no parsing; IPv6 may contain IPv4.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  return parse(address)?.toString() ?? peer;
}

/**
 * The client address of a request: the peer's, or behind trusted proxies the last one in X-Forwarded-For that is not a
 * trusted proxy. Earlier entries were written by the client.
 * @param forwardedFor the header, its lines joined by commas
 */
export function clientAddress(peer: string, forwardedFor: string | null, proxies: TrustedProxies): string {
  let client = peer;
  let end = forwardedFor?.length ?? 0;
  for (let hop = 0; hop < MAX_HOPS && forwardedFor && end > 0 && isTrusted(client, proxies); hop++) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const named = forwardedFor.slice(Math.max(comma + 1, end - MAX_ADDRESS_LENGTH), end).trim();
    const parsed = parse(named) ?? parse(addressOfPeer(named));
    if (!parsed) break;
    client = parsed.toString();
    end = comma;
  }
  return client;
}
