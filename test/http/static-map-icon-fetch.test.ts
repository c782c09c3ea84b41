import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkPublicUrl,
  fetchIcon,
  type IconPolicy,
  PUBLIC_POLICY,
} from "../../src/http/maps/static-map-icon-fetch.ts";

describe("a URL for an icon", () => {
  it.each(["https://example.com/pin.png", "https://a.b.example.co.uk/x?y=z", "https://xn--bcher-kva.example.org/"])(
    "may be %s",
    (url) => {
      expect(() => checkPublicUrl(new URL(url))).not.toThrow();
    },
  );

  it.each([
    ["http://example.com/pin.png", "https"],
    ["ftp://example.com/pin.png", "https"],
    ["data:image/png;base64,AAAA", "https"],
    ["file:///etc/passwd", "https"],
    ["https://example.com:8443/", "port"],
    ["https://example.com:22/", "port"],
    ["https://me:secret@example.com/", "user info"],
    ["https://me@example.com/", "user info"],
    ["https://127.0.0.1/", "addresses"],
    ["https://10.0.0.1/", "addresses"],
    ["https://169.254.169.254/latest/meta-data/", "addresses"],
    ["https://0x7f.1/", "addresses"],
    ["https://2130706433/", "addresses"],
    ["https://[::1]/", "addresses"],
    ["https://[::ffff:127.0.0.1]/", "addresses"],
    ["https://127.0.0.1./", "addresses"],
    ["https://localhost/", "local"],
    ["https://LOCALHOST./", "local"],
    ["https://api.localhost/", "local"],
    ["https://printer/", "local"],
    ["https://nas.local/", "local"],
    ["https://metadata.google.internal/", "local"],
    ["https://router.lan/", "local"],
    ["https://x.home.arpa/", "local"],
    ["https://hidden.onion/", "local"],
  ])("may not be %s", (url, why) => {
    expect(() => checkPublicUrl(new URL(url))).toThrow(why);
  });

  it("is checked before anybody is asked", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return new Response("x");
    };
    const policy = { ...PUBLIC_POLICY, fetch };
    await expect(fetchIcon("https://127.0.0.1/", policy)).rejects.toThrow("addresses");
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
  let policy: IconPolicy;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // Only this server is let in; all else is production's.
    policy = {
      ...PUBLIC_POLICY,
      timeoutMs: 400,
      check: (url) => (url.origin === base ? undefined : checkPublicUrl(url)),
    };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("is followed over two redirects", async () => {
    for (const path of ["/good", "/once", "/twice"])
      expect(new TextDecoder().decode(await fetchIcon(base + path, policy))).toBe("picture");
  });

  it.each([
    ["/thrice", "too many redirects"],
    ["/loop", "too many redirects"],
    ["/nowhere", "a redirect to nowhere"],
    ["/inwards", "only https"],
    ["/error", "status 500"],
    ["/endless", "too large"],
    ["/liar", "too large"],
  ])("that answers like %s is left", async (path, why) => {
    await expect(fetchIcon(base + path, policy)).rejects.toThrow(why);
  });

  it.each(["/silent", "/slow"])("that takes its time like %s is left", async (path) => {
    const began = Date.now();
    await expect(fetchIcon(base + path, policy)).rejects.toThrow();
    expect(Date.now() - began).toBeLessThan(3000);
  });

  it("never sees a key or a cookie", () => {
    expect(seen.length).toBeGreaterThan(10);
    for (const line of seen) expect(line).toMatch(/ - -$/);
  });
});
