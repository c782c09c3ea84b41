import { describe, expect, it } from "vitest";
import { accessToken, checkAccessClaims } from "../../../src/core/auth/access.ts";

describe("a token by Cloudflare Access", () => {
  const TEAM = "https://example.cloudflareaccess.com";
  const CLAIMS = { iss: TEAM, aud: ["app"], email: "Ann@Example.com" };
  const check = (claims: object) => checkAccessClaims({ ...CLAIMS, ...claims }, TEAM, "app");

  it("vouches for an address of its team and application", () => {
    expect(check({})).toBe("ann@example.com");
    expect(check({ aud: "app" })).toBe("ann@example.com");
  });

  it.each([
    [{ iss: "https://other.cloudflareaccess.com" }, "iss"],
    [{ aud: ["other"] }, "aud"],
    [{ aud: undefined }, "aud"],
    [{ email: undefined }, "email"],
    [{ email: "service" }, "email"],
  ])("is rejected with %o", (claims, claim) => {
    expect(() => check(claims)).toThrow(`(${claim})`);
  });

  it("is in a header, or else in a cookie", () => {
    const cookie = { cookie: "CF_Authorization=b" };
    expect(accessToken(new Headers({ "cf-access-jwt-assertion": "a", ...cookie }))).toBe("a");
    expect(accessToken(new Headers(cookie))).toBe("b");
    expect(accessToken(new Headers())).toBeUndefined();
    expect(accessToken(new Headers({ cookie: "CF_Authorization=a; CF_Authorization=b" }))).toBeUndefined();
    expect(accessToken(new Headers({ cookie: "\u00a0CF_Authorization=a; CF_Authorization=b" }))).toBe("b");
  });
});
