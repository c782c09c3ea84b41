import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchIcon, ICON_LIMITS } from "../../../../src/worker/answers/maps/icon-fetch.ts";
import { getOutgoing } from "../../../../src/worker/outgoing/outgoing.ts";
import { expectWithin } from "../../../support/times.ts";

/** A network that notes what it is asked for, and answers with a picture. */
function network() {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response("picture");
  };
  return { asked, env: { OUTBOUND: { fetch } } as unknown as Parameters<typeof fetchIcon>[0] };
}

describe("a URL for an icon", () => {
  it.each(["https://example.com/pin.png", "https://a.b.example.co.uk/x?y=z", "https://xn--bcher-kva.example.org/"])(
    "may be %s",
    async (url) => {
      const { env, asked } = network();
      expect(new TextDecoder().decode(await fetchIcon(env, url))).toBe("picture");
      expect(asked).toEqual([url]);
    },
  );

  it.each([
    ["http://example.com/pin.png", "https://"],
    ["ftp://example.com/pin.png", "https://"],
    ["data:image/png;base64,AAAA", "https://"],
    ["file:///etc/passwd", "https://"],
    ["https://example.com:8443/", "The port must be 443."],
    ["https://example.com:22/", "The port must be 443."],
    ["https://me:secret@example.com/", "username or password"],
    ["https://me@example.com/", "username or password"],
    ["https://127.0.0.1/", "not an IP address"],
    ["https://10.0.0.1/", "not an IP address"],
    ["https://169.254.169.254/latest/meta-data/", "not an IP address"],
    ["https://0x7f.1/", "not an IP address"],
    ["https://2130706433/", "not an IP address"],
    ["https://[::1]/", "not an IP address"],
    ["https://[::ffff:127.0.0.1]/", "not an IP address"],
    ["https://127.0.0.1./", "not an IP address"],
    ["https://localhost/", "public name"],
    ["https://LOCALHOST./", "public name"],
    ["https://api.localhost/", "public name"],
    ["https://printer/", "public name"],
    ["https://nas.local/", "public name"],
    ["https://metadata.google.internal/", "public name"],
    ["https://router.lan/", "public name"],
    ["https://x.home.arpa/", "public name"],
    ["https://hidden.onion/", "public name"],
    ["https://1.0.0.127.in-addr.arpa/", "public name"],
    ["https://kubernetes.default.svc/", "public name"],
    ["https://10-0-0-1.nip.io/", "stand for an address"],
    ["https://localtest.me/", "stand for an address"],
  ])("may not be %s, and nobody is asked", async (url, why) => {
    const { env, asked } = network();
    await expect(fetchIcon(env, url)).rejects.toThrow(why);
    expect(asked).toEqual([]);
  });
});

describe("a server that means no good", () => {
  const routes: Record<string, RequestListener> = {
    "/good": (_, response) => response.end("picture"),
    "/once": (_, response) => response.writeHead(302, { location: "/good" }).end(),
    "/twice": (_, response) => response.writeHead(301, { location: "/once" }).end(),
    "/thrice": (_, response) => response.writeHead(307, { location: "/twice" }).end(),
    "/loop": (_, response) => response.writeHead(302, { location: "/loop" }).end(),
    "/nowhere": (_, response) => response.writeHead(302).end(),
    "/inwards": (_, response) => response.writeHead(302, { location: "http://169.254.169.254/keys" }).end(),
    "/error": (_, response) => response.writeHead(500).end("no"),
    "/silent": () => {},
    "/slow": (_, response) => {
      response.write("a");
      const drip = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(drip));
    },
    "/endless": (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("a".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    },
    "/liar": (_, response) => response.writeHead(200, { "content-length": 400_000 }).end("a".repeat(400_000)),
  };
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization ?? "-"} ${request.headers.cookie ?? "-"}`);
    routes[request.url ?? ""]?.(request, response);
  });
  let base = "";
  /** Only this server is let in, on its port; all else is production's. */
  const limits = { ...ICON_LIMITS, timeoutMs: 400, standardPort: false };
  const fetchFrom = (url: string) => getOutgoing({ ALLOW_PRIVATE_HOSTS: "true" }, url, limits);
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("is followed over two redirects", async () => {
    for (const path of ["/good", "/once", "/twice"])
      expect(new TextDecoder().decode(await fetchFrom(base + path))).toBe("picture");
  });

  it.each([
    ["/thrice", "too many redirects"],
    ["/loop", "too many redirects"],
    ["/nowhere", "a redirect to nowhere"],
    ["/inwards", "not an IP address"],
    ["/error", "status 500"],
    ["/endless", "too large"],
    ["/liar", "too large"],
  ])("that answers like %s is left", async (path, why) => {
    await expect(fetchFrom(base + path)).rejects.toThrow(why);
  });

  it.each(["/silent", "/slow"])("that takes its time like %s is left", async (path) => {
    const began = Date.now();
    await expect(fetchFrom(base + path)).rejects.toThrow();
    expectWithin(began, 3000);
  });

  it("never sees a key or a cookie", () => {
    expect(seen.length).toBeGreaterThan(10);
    for (const line of seen) expect(line).toMatch(/ - -$/);
  });
});
