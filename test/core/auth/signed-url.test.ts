import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isAllowedReferrer, isReferrerPattern } from "../../../src/core/auth/referrer.ts";
import { isSignedWith, readSignedUrl, type SignedUrl, signUrl } from "../../../src/core/auth/signed-url.ts";

/** The test vector of docs/guides/maps.md. */
const SECRET = "prj_test_sk_0123456789abcdef0123456789abcdef01234567";
const MAP = "/maps/static?width=600&height=400&markers=color%3Ared%7C48.99%2C-111.2";
const EXPIRES = 1790000000;
const SIGNED =
  "/maps/static?width=600&height=400&markers=color%3Ared%7C48.99%2C-111.2&expires=1790000000&keyId=17d26817a375963f&signature=e1Ts_isKHclWAMpatF2QxBuTVUs0GSoUOrvWHIZBmVc";

const hash = createHash("sha256").update(SECRET).digest("hex");
const parts = (url: string) => readSignedUrl(`https://maps.example${url}`) as SignedUrl;

describe("a signed URL", () => {
  it("is what any language makes of the documented steps", async () => {
    const text = `${MAP}&expires=${EXPIRES}&keyId=${hash.slice(0, 16)}`;
    const signature = createHmac("sha256", hash).update(`GET\n${text}`).digest("base64url");
    expect(`${text}&signature=${signature}`).toBe(SIGNED);
    expect(await signUrl(hash, MAP, EXPIRES)).toBe(SIGNED);
    expect(await isSignedWith(hash, parts(SIGNED))).toBe(true);
  });

  it("opens this address and no other, for this time and no longer, with this key and no other", async () => {
    const forged = [
      SIGNED.replace("width=600", "width=601"),
      SIGNED.replace("/maps/static", "/maps/stat1c"),
      SIGNED.replace("1790000000", "1890000000"),
      SIGNED.replace("red", "blue"),
    ];
    for (const url of forged) expect([url, await isSignedWith(hash, parts(url))]).toEqual([url, false]);
    const other = createHash("sha256").update(`${SECRET}0`).digest("hex");
    expect(await isSignedWith(other, parts(SIGNED))).toBe(false);
    const grafted = `${hash.slice(0, 16)}${other.slice(16)}`;
    expect(await isSignedWith(grafted, parts(SIGNED))).toBe(false);
  });

  it("ends with its signature: nothing can be added", () => {
    for (const url of [`${SIGNED}&width=2048`, SIGNED.slice(0, -1), MAP, SIGNED.replace("&keyId", "&keyid")])
      expect([url, parts(url)]).toEqual([url, undefined]);
  });
});

describe("a referrer", () => {
  it.each([
    [["https://shop.example"], "https://shop.example/stores?q=1", true],
    [["https://shop.example"], "https://shop.example", true],
    [["https://shop.example"], "http://shop.example/", false],
    [["https://shop.example"], "https://shop.example.evil.example/", false],
    [["https://shop.example"], "https://www.shop.example/", false],
    [["https://*.shop.example"], "https://www.shop.example/", true],
    [["https://*.shop.example"], "https://a.b.shop.example/", true],
    [["https://*.shop.example"], "https://shop.example/", false],
    [["https://*.shop.example"], "https://evilshop.example/", false],
    [["http://localhost:3000", "https://shop.example"], "http://localhost:3000/x", true],
    [["https://shop.example"], "", false],
    [["https://shop.example"], "not a URL", false],
  ])("is among %j or not: %s", (patterns, referrer, allowed) => {
    expect(isAllowedReferrer(patterns, referrer)).toBe(allowed);
  });

  it("is named by scheme and host alone", () => {
    const names = ["https://a.example", "https://*.a.example", "http://localhost:3000"];
    const others = ["a.example", "https://a.example/", "https://a.*", "*", "ftp://a.example", "https://A.example"];
    expect([names.every(isReferrerPattern), others.some(isReferrerPattern)]).toEqual([true, false]);
  });
});
