import { describe, expect, it } from "vitest";
import {
  basicCredentials,
  hashKey,
  KEY_BYTES,
  KEY_KINDS,
  keyFromHeader,
  keyHint,
  looksLikeKey,
  mintKey,
} from "../../../src/core/auth/key.ts";

const HEX = "0b".repeat(20);

describe("a key", () => {
  it.each([
    ["testPublishable", `prj_test_pk_${HEX}`],
    ["testSecret", `prj_test_sk_${HEX}`],
    ["livePublishable", `prj_live_pk_${HEX}`],
    ["liveSecret", `prj_live_sk_${HEX}`],
  ] as const)("%s begins with its kind", (name, key) => {
    expect(mintKey(KEY_KINDS[name], new Uint8Array(KEY_BYTES).fill(11))).toBe(key);
    expect(looksLikeKey(key)).toBe(true);
    expect(keyHint(key)).toBe("0b0b");
  });

  it("needs all its random bytes", () => {
    expect(() => mintKey(KEY_KINDS.testSecret, new Uint8Array(19))).toThrow("20 random bytes");
  });

  it("is stored as the SHA-256 of its text", async () => {
    // printf abc | sha256sum
    expect(await hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it.each([`prj_test_sk_${HEX.slice(1)}`, `prj_test_sk_${HEX}0`, `prj_dev_sk_${HEX}`, "", "sk"])(
    "is not %s",
    (text) => {
      expect(looksLikeKey(text)).toBe(false);
    },
  );
});

describe("an Authorization header", () => {
  const basic = (text: string) => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;

  it.each([
    ["key", "key"],
    ["Bearer key", "key"],
    ["bearer  key ", "key"],
    ["bearerkey", "bearerkey"],
    ["Bearer ", undefined],
    ["", undefined],
    [undefined, undefined],
    [null, undefined],
    [basic("user:key"), "key"],
    [basic(":key:with:colons"), "key:with:colons"],
  ])("%s carries the key %s", (header, key) => {
    expect(keyFromHeader(header)).toBe(key);
  });

  it("of the scheme Basic is UTF-8, in either alphabet of base64", () => {
    expect(basicCredentials(basic("zoë:ÿ?>~"))).toEqual({ user: "zoë", password: "ÿ?>~" });
    const [, encoded] = basic("a:ÿÿ>>??").split(" ");
    expect(encoded).toMatch(/[+/]/);
    const urlSafe = encoded.replaceAll("+", "-").replaceAll("/", "_");
    expect(basicCredentials(`basic ${urlSafe}`)).toEqual({ user: "a", password: "ÿÿ>>??" });
  });

  it.each([basic("no colon"), "Basic a", "Basic", "Bearer YTpi", undefined])("%s names nobody", (header) => {
    expect(basicCredentials(header)).toBeUndefined();
  });
});
