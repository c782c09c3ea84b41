import { describe, expect, it } from "vitest";
import {
  cookieIn,
  isOwnPage,
  LINK_MS,
  looksLikeSessionToken,
  mintSessionToken,
  SESSION_MS,
  sessionCookie,
  signInUrl,
  TOKEN_BYTES,
  tokenInCookies,
} from "../../../src/core/auth/session.ts";

const TOKEN = "0a".repeat(32);

describe("a session's token", () => {
  it("is written as two hex digits for each byte", () => {
    expect(mintSessionToken(new Uint8Array(TOKEN_BYTES).fill(10))).toBe(TOKEN);
    expect(looksLikeSessionToken(TOKEN)).toBe(true);
    expect(() => mintSessionToken(new Uint8Array(31))).toThrow("32 random bytes");
  });

  it.each([TOKEN.slice(1), `${TOKEN}0`, TOKEN.toUpperCase(), ""])("is not %s", (text) => {
    expect(looksLikeSessionToken(text)).toBe(false);
  });

  it("lasts 30 days in a session and three in a link, which carries it in the fragment", () => {
    expect([SESSION_MS, LINK_MS]).toEqual([2_592_000_000, 259_200_000]);
    expect(signInUrl("https://a.example", TOKEN)).toBe(`https://a.example/dashboard/#/sign-in?token=${TOKEN}`);
  });
});

const OTHER = "b".repeat(64);

describe("a session's cookie", () => {
  it("is for this host only on https, and ends at once without a token", () => {
    expect(sessionCookie(TOKEN, true)).toBe(
      `__Host-graticule=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure`,
    );
    expect(sessionCookie("", false)).toBe("graticule=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  });

  it("is found among others by its whole name", () => {
    const header = `xgraticule=1; Graticule=${OTHER};\t graticule=${TOKEN} ;__Host-graticule=2`;
    expect(tokenInCookies(header, false)).toBe(TOKEN);
    expect(tokenInCookies(header, true)).toBeUndefined();
    expect(tokenInCookies("graticule=1", false)).toBeUndefined();
    expect(cookieIn(null, "graticule")).toBeUndefined();
  });

  it.each(["\u00a0", "\u00c2\u00a0", "\ufeff", "\u2003", "\u3000", "\v", "\f", "\u0085", "\u200b", "\r\n"])(
    "with %j before its name is not ours, and does not count beside the true one",
    (space) => {
      expect(tokenInCookies(`${space}graticule=${OTHER}`, false)).toBeUndefined();
      expect(tokenInCookies(`${space}__Host-graticule=${OTHER}; __Host-graticule=${TOKEN}`, true)).toBe(TOKEN);
      expect(cookieIn(`a=1; ${space}CF_Authorization=x`, "CF_Authorization")).toBeUndefined();
      expect(tokenInCookies(`graticule=${TOKEN}${space}`, false)).toBeUndefined();
    },
  );

  it.each([
    `graticule=${TOKEN}; graticule=${OTHER}`,
    `graticule=${TOKEN}; graticule=${TOKEN}`,
    `graticule=; graticule=${TOKEN}`,
    `graticule=${TOKEN};\tgraticule=no token`,
    // Two lines of the header, as the platform joins them.
    `graticule=${TOKEN}, graticule=${OTHER}`,
    `a=1, graticule=${TOKEN}`,
    `graticule="${TOKEN}"`,
    `GRATICULE=${TOKEN}`,
    `graticule =${TOKEN}`,
  ])("does not count in %s", (header) => expect(tokenInCookies(header, false)).toBeUndefined());
});

describe("a request by a page of our own", () => {
  const request = { method: "POST", ownOrigin: "https://a.example", origin: null, fetchSite: null, hasOwnHeader: true };

  it.each([
    ["the browser says so", { fetchSite: "same-origin", origin: "https://b.example" }, true],
    ["the browser says otherwise", { fetchSite: "same-site", origin: "https://a.example" }, false],
    ["only its origin is known, and ours", { origin: "https://a.example" }, true],
    ["only its origin is known, and another", { origin: "https://b.example" }, false],
    ["a GET without an origin has a header of ours", { method: "GET" }, true],
    ["a GET without an origin has no header of ours", { method: "GET", hasOwnHeader: false }, false],
    ["a POST has no origin", {}, false],
  ])("%s", (_, told, expected) => {
    expect(isOwnPage({ ...request, ...told })).toBe(expected);
  });
});
