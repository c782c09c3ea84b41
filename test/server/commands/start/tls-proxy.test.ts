import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AGAIN, CHROMIUM } from "../../../browser/chromium.ts";
import { Driver } from "../../../browser/driver.ts";
import { startTlsProxy, type TlsProxy } from "../../../support/tls-proxy.ts";
import { untilLimited } from "../../../support/world.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort } from "../dev-process.ts";
import { createSession } from "../own-session.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** `npm start` as an operator runs it, behind a proxy that ends TLS. */
const state = join(scratchFolder(), "state");
let proxy: TlsProxy;
let server: Running;
let port: number;
let keys: Record<string, string>;

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, never> & { meta: { code: number } };
}

/** A request through the proxy, whose certificate is not checked here. */
function ask(
  path: string,
  { method = "GET", headers = {}, json }: { method?: string; headers?: object; json?: object } = {},
) {
  return new Promise<Answer>((done, failed) => {
    const outgoing = request(
      `${proxy.origin}${path}`,
      { method, rejectUnauthorized: false, headers: { "content-type": "application/json", ...headers } },
      async (answer) => {
        let text = "";
        for await (const chunk of answer) text += chunk;
        const isJson = String(answer.headers["content-type"]).startsWith("application/json");
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: isJson ? JSON.parse(text) : text });
      },
    );
    outgoing.on("error", failed);
    outgoing.end(json && JSON.stringify(json));
  });
}

/** Past the proxy, as somebody in the same network could. */
const direct = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json();

beforeAll(async () => {
  proxy = await startTlsProxy();
  port = await anyPort();
  await publishWorlds(["world"], state);
  server = await startProcess(state, port, ["--url", proxy.origin]);
  proxy.pointTo(port);
  keys = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
}, 240_000);

afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
  proxy?.close();
});

describe("npm start behind a proxy that ends TLS", { timeout: 120_000 }, () => {
  it("knows the client's address, and believes nobody else who tells one", async () => {
    const key = { authorization: keys.testPublishable };
    const forged = { "cf-connecting-ip": "9.9.9.9", "x-real-ip": "9.9.9.9", "mf-cf-blob": '{"clientIp":"9.9.9.9:1"}' };
    const ipOf = async (headers: object) => (await ask("/v1/geocode/ip", { headers: { ...key, ...headers } })).body;
    // The proxy's own client is this machine: an address before it was written by the client.
    expect(await ipOf({})).toMatchObject({ ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) });
    expect(await ipOf(forged)).toMatchObject({ ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) });
    // This process is a trusted proxy as well, where it asks directly.
    expect(await direct("/v1/ping", { "x-forwarded-for": "203.0.113.7" })).toMatchObject({ ip: "203.0.113.7" });
    expect(await direct("/v1/ping", forged)).toMatchObject({ ip: "127.0.0.1" });
  });

  it("limits each address, also of callers without a key", async () => {
    const options = (address: string) =>
      fetch(`http://127.0.0.1:${port}/dashboard/api/sign-in/passkey/options`, {
        method: "POST",
        headers: { origin: proxy.origin, "content-type": "application/json", "x-forwarded-for": address },
        body: "{}",
      });
    const answers = await untilLimited(() => Promise.all(Array.from({ length: 60 }, () => options("203.0.113.8"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await options("203.0.113.9")).status).toBe(200);
    const askUnknown = (i: number) => {
      const authorization = `prj_test_pk_${String(i).padStart(40, "0")}`;
      const headers = { authorization, "x-forwarded-for": "203.0.113.10" };
      return fetch(`http://127.0.0.1:${port}/v1/config`, { headers });
    };
    const unknown = await untilLimited(() => Promise.all(Array.from({ length: 240 }, (_, i) => askUnknown(i))));
    expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it("makes cookies, links and signed URLs for the public origin, and says that it is https", async () => {
    const token = /sign-in\?token=([0-9a-f]{64})/.exec(server.said())?.[1];
    expect(server.said()).toContain(`${proxy.origin}/dashboard/#/sign-in?token=`);
    // Without Sec-Fetch-Site, as older browsers: the origin decides.
    const foreign = { method: "POST", headers: { origin: "https://evil.example" }, json: { token } };
    expect((await ask("/dashboard/api/sign-in", foreign)).status).toBe(403);
    const own = { method: "POST", headers: { origin: proxy.origin }, json: { token } };
    const signedIn = await ask("/dashboard/api/sign-in", own);
    expect([signedIn.status, signedIn.body]).toEqual([200, { meta: { code: 200 } }]);
    const cookie = String(signedIn.headers["set-cookie"]);
    expect(cookie).toMatch(/^__Host-graticule=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
    expect(signedIn.headers["strict-transport-security"]).toBe("max-age=31536000");
    const secret = { authorization: keys.testSecret };
    const style = await ask("/maps/styles/radar-light-v1", { headers: secret });
    const text = JSON.stringify(style.body);
    expect(text).toContain(`${proxy.origin}/maps/tiles/`);
    expect(text).not.toContain("http://");
    const signed = await ask("/v1/maps/sign", {
      method: "POST",
      headers: secret,
      json: { url: "/maps/static?width=200&height=200&center=48.85,2.35&zoom=5", expiresIn: 600 },
    });
    const { url } = signed.body as unknown as { url: string };
    expect(url.startsWith(`${proxy.origin}/maps/static?`)).toBe(true);
    expect((await ask(url.slice(proxy.origin.length))).status).toBe(200);
    expect((await ask("/openapi.json")).body).toMatchObject({ servers: [{ url: proxy.origin }] });
  });

  it("answers 400 to a Host that is no name, and keeps no page for made-up ones", async () => {
    const asked = (host: string) => ask("/openapi.json", { headers: { host } });
    for (const host of ["a b", '"x"', "[::", "a:b:c"]) expect([host, (await asked(host)).status]).toEqual([host, 400]);
    for (let i = 0; i < 20; i++)
      expect((await asked(`h${i}.example`)).body).toMatchObject({ servers: [{ url: proxy.origin }] });
  });
});

describe.skipIf(!CHROMIUM)("a person behind a proxy that ends TLS", { timeout: 120_000, ...AGAIN }, () => {
  let driver: Driver;
  // A browser of its own for each attempt: a virtual authenticator stays for as long as its page.
  beforeEach(async () => {
    driver = await Driver.start({ flags: [`--ignore-certificate-errors-spki-list=${proxy.fingerprint}`] });
    await driver.look(1400, "light");
  });
  afterEach(() => driver?.close());

  it("signs in with a passkey, sees a map that moves, a live page, and shares a trip", async () => {
    const { name, value } = await createSession(state);
    const setCookie = { name, value, url: proxy.origin, secure: true, httpOnly: true, path: "/" };
    await driver.send("Network.setCookie", setCookie);
    await driver.goto(`${proxy.origin}/dashboard/1/test/settings?section=passkeys`);
    await driver.send("WebAuthn.enable");
    await driver.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await driver.text("No passkeys yet");
    await driver.click("button", "Add a passkey");
    await driver.waitFor("document.querySelector('dialog[open] input')");
    await driver.eval(`(() => { const field = document.querySelector("dialog[open] input");
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "Laptop");
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true })); })()`);
    await driver.click("dialog[open] button[type=submit]");
    await driver.text("Passkey added");
    await driver.click("button[aria-label='Sign out']");
    await driver.text("Sign in with a passkey");
    await driver.click("button", "Sign in with a passkey");
    await driver.text("Overview");

    // A user that moves shows on the live page without a reload: its WebSocket goes through the proxy.
    await driver.goto(`${proxy.origin}/dashboard/1/test/map`);
    await driver.waitFor("document.querySelector('canvas')", 60_000);
    const update = {
      deviceId: "phone",
      userId: "ann",
      latitude: 48.85,
      longitude: 2.35,
      accuracy: 5,
      foreground: true,
    };
    const key = { authorization: keys.testPublishable };
    const trip = { tripOptions: { externalId: "order-1", mode: "car" } };
    const tracked = await ask("/v1/track", { method: "POST", headers: key, json: { ...update, ...trip } });
    expect(tracked.status).toBe(200);
    await driver.text("ann");
    await driver.shot("tls-proxy-live");

    const { trips } = (await ask("/v1/trips?externalId=order-1", { headers: { authorization: keys.testSecret } }))
      .body as unknown as { trips: { _id: string }[] };
    const shared = await ask(`/v1/trips/${trips[0]._id}/shares`, {
      method: "POST",
      headers: { authorization: keys.testSecret },
      json: {},
    });
    const { share } = shared.body as unknown as { share: { url: string } };
    expect(share.url.startsWith(`${proxy.origin}/share/#`)).toBe(true);
    await driver.goto(share.url);
    await driver.waitFor("document.querySelector('canvas')", 60_000);
    await driver.shot("tls-proxy-share");
    expect(driver.errors()).toEqual([]);
  });
});
