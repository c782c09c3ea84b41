import { describe, expect, it } from "vitest";
import { addressOfPeer, clientAddress, isTrusted, parseProxies } from "../../../src/core/limits/client-address.ts";

const PROXIES = parseProxies("loopback, 10.0.0.0/8, fd00::/8, 192.0.2.7");

describe("the proxies that are trusted", () => {
  it.each(["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "10.255.0.1", "fd12::1", "192.0.2.7"])(
    "are %s",
    (one) => {
      expect(isTrusted(one, PROXIES)).toBe(true);
    },
  );

  it.each(["11.0.0.1", "192.0.2.8", "fe80::1", "::2", "", "localhost", "127.1", "0x7f000001", "1".repeat(100)])(
    "are not %j",
    (one) => {
      expect(isTrusted(one, PROXIES)).toBe(false);
    },
  );

  it("are none if the operator says so", () => {
    expect(parseProxies("none").networks).toEqual([]);
    expect(isTrusted("127.0.0.1", parseProxies("none"))).toBe(false);
  });

  it.each(["proxy", "10.0.0.0/33", "10.0.0.0/x", "::1/129", "10.0.0", "none,10.0.0.1", "1.2.3.4/"])(
    "are not read from %j",
    (text) => {
      expect(() => parseProxies(text)).toThrow(/neither an IP address nor a network/);
    },
  );
});

describe("the address of a client", () => {
  it.each([
    ["is the peer's without a header", "127.0.0.1", null, "127.0.0.1"],
    ["is what a trusted proxy says", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["is the peer's where the peer is not trusted", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
    ["is not what the client wrote before its proxy", "127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["is behind several trusted proxies", "127.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2, 10.0.0.1", "203.0.113.9"],
    ["is the first proxy where all are trusted", "127.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is the last good one where the header holds something else", "127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"],
    ["is read with a port", "::1", "203.0.113.9:4711", "203.0.113.9"],
    ["is read as IPv6", "::1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["is IPv4 within IPv6", "::1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["is the peer's with an empty header", "127.0.0.1", "", "127.0.0.1"],
    ["is no endless text", "127.0.0.1", "1".repeat(100_000), "127.0.0.1"],
  ])("%s", (_, peer, header, client) => {
    expect(clientAddress(peer, header, PROXIES)).toBe(client);
  });

  it.each([
    ["192.0.2.1:4711", "192.0.2.1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[::ffff:192.0.2.1]:1", "192.0.2.1"],
    ["unix:/run/socket", "unix:/run/socket"],
  ])("of the peer %s", (peer, address) => {
    expect(addressOfPeer(peer)).toBe(address);
  });
});
