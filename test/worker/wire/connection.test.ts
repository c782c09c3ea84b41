import { describe, expect, it } from "vitest";
import { clientOf, isHttps, publicOrigin, sameConnection } from "../../../src/worker/http/serve/connection.ts";

/** Where a request comes from, behind the TLS front of `npm start`. */
const SECRET = "5".repeat(64);
const request = (headers: Record<string, string>, url = "http://maps.example.com/v1/ping") =>
  ({ url, headers: new Headers(headers), cf: { clientIp: "127.0.0.1:4711" } }) as unknown as Request;
const ipOf = (headers: Record<string, string>, proxies = "none", place = {}) =>
  clientOf(request(headers), { TRUSTED_PROXIES: proxies, FRONT_SECRET: SECRET, ...place }).ip;
const front = (peer: string) => ({ "x-graticule-front": `${SECRET} ${peer}` });
const FORGED = { "x-forwarded-for": "9.9.9.9", "cf-connecting-ip": "9.9.9.9", forwarded: "for=9.9.9.9" };

describe("a request behind the TLS front", () => {
  it.each([
    ["192.0.2.7:4711", "192.0.2.7"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[::ffff:192.0.2.7]:4711", "192.0.2.7"],
    ["[::1]:4711", "::1"],
    ["127.0.0.1:1", "127.0.0.1"],
  ])("has the address of the front's peer %s", (peer, ip) => {
    expect(ipOf(front(peer))).toBe(ip);
    expect(ipOf({ ...front(peer), ...FORGED })).toBe(ip);
  });

  it.each([
    "x 192.0.2.7:1",
    "192.0.2.7:1",
    `${SECRET.slice(1)} 192.0.2.7:1`,
    `${SECRET}5 192.0.2.7:1`,
    ` ${SECRET.slice(0, -1)} 192.0.2.7:1`,
    `x, ${SECRET} 192.0.2.7:1`,
    "",
    "undefined 192.0.2.7:1",
  ])("has no address that it claims itself with %j, nor https", (told) => {
    const headers = { "x-graticule-front": told, ...FORGED, "x-forwarded-proto": "https" };
    for (const proxies of ["none", "loopback", "0.0.0.0/0"]) expect(ipOf(headers, proxies)).toBeUndefined();
    const place = { TRUSTED_PROXIES: "loopback", FRONT_SECRET: SECRET };
    expect(isHttps(request(headers), place)).toBe(false);
  });

  it("believes a proxy before the front only if the operator names it", () => {
    const headers = { ...front("10.0.0.2:1"), "x-forwarded-for": "9.9.9.9, 192.0.2.7" };
    expect([ipOf(headers), ipOf(headers, "loopback"), ipOf(headers, "10.0.0.0/8")]).toEqual([
      ...["10.0.0.2", "10.0.0.2", "192.0.2.7"],
    ]);
  });

  it("is https, and so is what the Worker sends to itself for it", () => {
    const place = { TRUSTED_PROXIES: "none", FRONT_SECRET: SECRET };
    const own = request({ ...front("192.0.2.7:1"), "x-forwarded-proto": "http" });
    expect([publicOrigin(own, place), isHttps(own, place)]).toEqual(["https://maps.example.com", true]);
    const inner = request(Object.fromEntries(sameConnection(own)));
    expect([clientOf(inner, place).ip, isHttps(inner, place)]).toEqual(["192.0.2.7", true]);
  });

  it("means nothing to a server without a front", () => {
    const headers = front("192.0.2.7:1");
    for (const secret of [undefined, ""]) {
      expect(ipOf(headers, "none", { FRONT_SECRET: secret })).toBe("127.0.0.1");
      expect(ipOf({ "x-graticule-front": " 192.0.2.7:1" }, "none", { FRONT_SECRET: secret })).toBe("127.0.0.1");
    }
  });
});
