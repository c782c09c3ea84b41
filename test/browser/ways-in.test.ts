import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { hashKey } from "../../src/core/auth/key.ts";
import { as, ask, makeMember, makeSession, newToken, type Signed } from "../support/members.ts";
import { call, eventually, get, type Json, makeWorld, sql, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Person } from "./person.ts";

/** How a person comes in, is let out, and what happens to what they were typing meanwhile. */
let world: World;
let person: Person;
let owner: Signed;

/** Passkeys need a host name, not an IP address. */
const host = () => inject("baseUrl").replace("127.0.0.1", "localhost");
const beaconNames = async () =>
  (await get("/v1/beacons", world.keys.testSecret)).body.beacons.map(({ description }: Json) => description);
const typeBeacon = async (description: string, minor: string) => {
  await person.open("/beacons?beacon=new", "UUID");
  await person.fill("Description", description);
  await person.fill("UUID", "b9407f30-f5f8-466e-aff9-25556b57fe6d");
  await person.fill("Major", "7");
  await person.fill("Minor", minor);
  await person.fill("Position", "52.5163, 13.3777");
};
const add = () => person.driver.click(".drawer button[type=submit]");

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  owner = await makeMember({ [world.id]: "owner" });
  person = await Person.of(world, "admin", host());
});

afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("a person", { timeout: 90_000, ...AGAIN }, () => {
  it("adds a passkey, signs out, and signs in with it", async () => {
    const { driver } = person;
    await driver.send("WebAuthn.enable");
    const { authenticatorId } = await driver.send<{ authenticatorId: string }>("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await person.open("/settings?section=passkeys", "No passkeys yet");
    await driver.click("button", "Add a passkey");
    await person.fill("Name", "Laptop");
    await driver.click("dialog[open] button[type=submit]");
    await driver.text("Passkey added");
    await driver.waitFor(`[...document.querySelectorAll("main td")].some((one) => one.innerText === "Laptop")`);
    await driver.shot("settings-passkeys-wide-light");
    expect(await driver.axe()).toEqual([]);
    const { credentials } = await driver.send<{ credentials: { rpId: string; isResidentCredential: boolean }[] }>(
      "WebAuthn.getCredentials",
      { authenticatorId },
    );
    expect(credentials).toMatchObject([{ rpId: "localhost", isResidentCredential: true }]);

    await driver.click("button[aria-label='Sign out']");
    await driver.text("Sign in with a passkey");
    expect((await ask("GET", "/dashboard/api/session", { cookie: person.member.cookie })).status).toBe(401);
    await driver.click("button", "Sign in with a passkey");
    await driver.text("Overview");
    await person.open("/settings?section=passkeys", "Laptop");
    await driver.text(person.member.email);
    driver.errors();
  });

  it("whose authenticator is another one is told so, and stays outside", async () => {
    const { driver } = person;
    await driver.click("button[aria-label='Sign out']");
    await driver.text("Sign in with a passkey");
    await sql("DELETE FROM passkey WHERE member = ?", person.member.id);
    await driver.click("button", "Sign in with a passkey");
    await driver.waitFor("document.querySelector('[role=alert]')?.innerText.length > 10");
    await driver.shot("sign-in-refused-wide-light");
    driver.errors();
    await person.signIn(await makeSession(person.member.id));
  });

  it("lets an agent in, which returns with a code, and disconnects it in Settings", async () => {
    const { driver, member } = person;
    const returned: string[] = [];
    const agent = createServer(({ url = "" }, response) => {
      returned.push(url);
      response.end("Done");
    });
    await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
    try {
      const verifier = "v".repeat(43);
      const client_id = "local";
      const redirect_uri = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`;
      const code_challenge = createHash("sha256").update(verifier).digest("base64url");
      const asked = { client_id, redirect_uri, response_type: "code", code_challenge, code_challenge_method: "S256" };
      const page = `${host()}/dashboard/authorize?${new URLSearchParams({ ...asked, scope: "write", state: "s" })}`;
      await driver.goto(page);
      await driver.text("asks for access to your data");
      await driver.shot("authorize-wide-light");
      expect(await driver.axe()).toEqual([]);
      expect(await person.filled("Access")).toBe("write");
      await driver.click("button", "Allow");
      await driver.text("Done");
      const { searchParams } = new URL(returned[0], redirect_uri);
      expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["s", host()]);
      const code = searchParams.get("code") ?? "";
      const exchange = { grant_type: "authorization_code", client_id, redirect_uri, code, code_verifier: verifier };
      expect((await call("POST", "/oauth/token", { form: exchange })).status).toBe(200);
      await person.open("/settings?section=agents", "A program on this computer");
      await driver.shot("settings-agents-wide-light");
      expect(await driver.axe()).toEqual([]);
      await driver.click("main button", "Disconnect");
      await driver.waitFor("document.querySelector('dialog[open]')");
      await driver.click("dialog[open] button[type=submit]");
      await driver.text("No agents yet");
      expect(await sql("SELECT id FROM oauth_grant WHERE member = ?", member.id)).toEqual([]);
      driver.errors();
    } finally {
      agent.close();
    }
  });

  it("is not forwarded with an error to a client that anybody can publish, until they continue", async () => {
    const { driver } = person;
    // The document of such a client is on a public https host: the answer to it stands in for the server's.
    const redirect = `${host()}/docs?error=invalid_scope&error_description=Valid+scopes%3A+read%2C+write.`;
    const source = `{ const ask = window.fetch; window.fetch = (url, more) => String(url).includes("agents/request")
      ? Promise.resolve(Response.json(${JSON.stringify({ meta: { code: 200 }, redirect })})) : ask(url, more); }`;
    const added = await driver.send("Page.addScriptToEvaluateOnNewDocument", { source });
    const { identifier } = added as { identifier: string };
    try {
      const page = (client_id: string) => `${host()}/dashboard/authorize?${new URLSearchParams({ client_id })}`;
      await driver.goto(page("https://evil.example/client.json"));
      await driver.text("Valid scopes: read, write.");
      expect(await driver.eval("location.pathname")).toBe("/dashboard/authorize");
      expect(await driver.axe()).toEqual([]);
      await driver.click("button", "Continue");
      await driver.waitFor("location.pathname === '/docs'");
      await driver.goto(page("local"));
      await driver.waitFor("location.pathname === '/docs'");
    } finally {
      await driver.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
      driver.errors();
    }
  });

  it("signs out everywhere, and no other browser of theirs is let in any more", async () => {
    const { driver, member } = person;
    const other = await makeSession(member.id);
    expect((await ask("GET", "/dashboard/api/session", { cookie: other })).status).toBe(200);
    await person.open("/settings?section=passkeys", "Sign out everywhere");
    // The button stands below the list.
    await driver.text("No passkeys yet");
    await driver.click("button", "Sign out everywhere");
    await driver.waitFor("document.querySelector('dialog[open]')");
    await driver.click("dialog[open] button[type=submit]");
    await driver.text("Sign in with a passkey");
    expect((await ask("GET", "/dashboard/api/session", { cookie: other })).status).toBe(401);
    driver.errors();
    await person.signIn(await makeSession(member.id));
  });

  it("whose session ends while they type signs in again and saves what they typed", async () => {
    const { driver, member } = person;
    const cookie = await makeSession(member.id);
    await person.signIn(cookie);
    await typeBeacon("Typed before the end", "1");
    await ask("POST", "/dashboard/api/sign-out", { cookie });
    await add();
    await driver.text("Your session has ended");
    await driver.shot("session-ended-wide-light");
    expect(await driver.axe()).toEqual([]);
    const [name, value] = (await makeSession(member.id)).split("=");
    await driver.send("Network.setCookie", { name, value, url: person.base, httpOnly: true });
    await driver.click("dialog[open] button", "I signed in in another tab");
    await driver.waitFor("!document.querySelector('dialog[open]')");
    expect(await person.filled("Description")).toBe("Typed before the end");
    await add();
    await driver.text("Beacon created");
    expect(await beaconNames()).toContain("Typed before the end");
    driver.errors();
  });

  it("whose role is lowered while they type is told which one it takes, loses nothing, and saves when it is raised", async () => {
    const { driver, member } = person;
    await typeBeacon("Typed as an admin", "2");
    const change = (role: string) => as(owner, world.id)("PATCH", `/dashboard/api/members/${member.id}`, { role });
    expect((await change("read")).status).toBe(200);
    await add();
    await driver.text("Your role is read; this needs write or above.");
    expect(await person.filled("Description")).toBe("Typed as an admin");
    await driver.waitFor("document.querySelector('.drawer button[type=submit]').disabled");
    expect(await beaconNames()).not.toContain("Typed as an admin");
    expect((await change("admin")).status).toBe(200);
    await driver.eval("dispatchEvent(new Event('focus'))");
    await driver.waitFor("!document.querySelector('.drawer button[type=submit]').disabled");
    await add();
    await driver.text("Beacon created");
    expect(await beaconNames()).toContain("Typed as an admin");
    driver.errors();
  });

  it("who goes through a tunnel in the middle of a form is told so, loses nothing, and saves behind it", async () => {
    const { driver } = person;
    await typeBeacon("Typed in a tunnel", "3");
    await person.offline(true);
    await add();
    await driver.text("The server cannot be reached. The data may be outdated. Your input is not lost.");
    expect(await person.filled("Description")).toBe("Typed in a tunnel");
    expect(await person.filled("Position")).toBe("52.5163, 13.3777");
    await driver.shot("form-offline-wide-light");
    await person.offline(false);
    await add();
    await driver.text("Beacon created");
    expect(await eventually(beaconNames, (names) => names.includes("Typed in a tunnel"))).toContain(
      "Typed in a tunnel",
    );
    driver.errors();
  });

  it("without a connection changes a setting in vain, and once it is back with success", async () => {
    const { driver } = person;
    await person.open("/settings", "Buffered entries");
    await driver.eval(
      `[...document.querySelectorAll("label")].find((one) => one.textContent === "Only when stopped").click()`,
    );
    await person.offline(true);
    await driver.click(".save-bar button[type=submit]");
    await driver.text("The server cannot be reached.");
    await person.offline(false);
    await driver.click(".save-bar button[type=submit]");
    await driver.text("Saved.");
    expect((await get("/v1/settings", world.keys.testSecret)).body.tracking.stopDetection).toBe(true);
    // Until what was saved is shown, leaving the page asks whether to.
    await driver.waitFor("document.querySelector('.save-bar button[type=submit]').disabled");
    driver.errors();
  });

  it("with a link that is over is told so, and how to get another", async () => {
    const { driver, member } = person;
    for (const [expiresAt, usedAt, words] of [
      [Date.now() - 1, null, "The link has expired. Ask for a new one."],
      [9e12, 5, "This link was already used. Ask for a new one."],
    ] as const) {
      const token = newToken();
      await sql(
        "INSERT INTO sign_in_link VALUES (?, ?, NULL, 0, ?, ?)",
        ...[await hashKey(token), member.id, expiresAt, usedAt],
      );
      await driver.send("Network.clearBrowserCookies");
      await driver.goto("about:blank");
      await driver.goto(`${host()}/dashboard/#/sign-in?token=${token}`);
      await driver.text(words);
      // The frame of index.html is gone, also if this is the first page that the browser opens.
      expect(await driver.eval("document.querySelector('.boot')")).toBe(null);
      expect(await driver.eval("location.href")).not.toContain(token);
    }
    await driver.shot("sign-in-expired-wide-light");
    driver.errors();
  });
});
