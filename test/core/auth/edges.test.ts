import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { isSignedWith, readSignedUrl, signUrl } from "../../../src/core/auth/signed-url.ts";
import { importSigningKey, makeSigningKey, publicJwk, signToken } from "../../../src/core/auth/signing-key.ts";
import { checkKey, MAX_TOKEN, readToken, TOKEN_ALGORITHMS, TokenError } from "../../../src/core/auth/token.ts";

const HASH = "0123456789abcdef".repeat(4);

describe("a signed URL", () => {
  it("names the key that signs it: with another name it is not checked at all", async () => {
    const url = await signUrl(HASH, "/maps/static?width=1", 1790000000);
    const signed = readSignedUrl(`https://maps.example${url}`)!;
    expect(signed).toMatchObject({ keyId: "0123456789abcdef", expires: 1790000000 });
    const verify = vi.spyOn(crypto.subtle, "verify");
    expect(await isSignedWith(HASH, { ...signed, keyId: "fedcba9876543210" })).toBe(false);
    expect(verify).not.toHaveBeenCalled();
    expect(await isSignedWith(HASH, signed)).toBe(true);
    verify.mockRestore();
  });

  it("of an address without a query begins one", async () => {
    expect(await signUrl(HASH, "/maps/static", 1)).toMatch(/^\/maps\/static\?expires=1&keyId=0123456789abcdef&sig/);
  });

  it("has letters in it that need no escaping, whatever its signature is", async () => {
    for (let expires = 1; expires < 60; expires++) {
      const url = await signUrl(HASH, "/a?b=+/=", expires);
      expect(url).toMatch(/&signature=[A-Za-z0-9_-]{43}$/);
      expect(await isSignedWith(HASH, readSignedUrl(`https://x.example${url}`)!)).toBe(true);
    }
  });
});

describe("a token of ours", () => {
  it("has base64url without padding in each part, however long it is", async () => {
    const made = await makeSigningKey();
    const key = await importSigningKey(made.privateKey);
    for (const sub of ["", "a", "ab", "abc", "???>>>"]) {
      const token = await signToken(key, made.id, { sub });
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
      expect(JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString())).toEqual({ sub });
    }
  });

  it("names its key by 16 hex digits, which differ from key to key", async () => {
    const ids = (await Promise.all(Array.from({ length: 8 }, makeSigningKey))).map(({ id }) => id);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(ids).size).toBe(8);
  });

  it("is checked with a key whose members are all there", () => {
    const half = publicJwk({ id: "k", privateKey: '{"kty":"EC"}' });
    expect(half).toEqual({ kid: "k", alg: "ES256", use: "sig", kty: "EC", crv: "", x: "", y: "" });
    expect(publicJwk({ id: "k", privateKey: "{}" }).kty).toBe("");
  });
});

describe("a key that checks tokens", () => {
  it("is no private one: also as a JWK", async () => {
    for (const jwk of [
      { kty: "oct", k: "c2VjcmV0" },
      { kty: "EC", crv: "P-256", x: "x", y: "y", d: "d" },
    ])
      await expect(checkKey({ alg: "ES256", material: JSON.stringify(jwk) })).rejects.toThrow(/private key/);
  });

  it("is of one of these algorithms", () => {
    expect(TOKEN_ALGORITHMS).toEqual(["RS256", "ES256", "EdDSA", "HS256"]);
  });

  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

  it("is a PEM, also on one line and with other text around", async () => {
    await expect(checkKey({ alg: "ES256", material: pem })).resolves.toBeUndefined();
    await expect(checkKey({ alg: "ES256", material: `# ours\n${pem.replaceAll("\n", "")}` })).resolves.toBeUndefined();
  });

  it.each([
    ["no key at all", "hello"],
    ["a key without its end", pem.replace(/-----END.*/, "")],
    ["a certificate", pem.replaceAll("PUBLIC KEY", "CERTIFICATE")],
    ["nothing between its lines", "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----"],
    ["a JWK that is none", "{"],
  ])("is not %s", async (_, material) => {
    const failed = await checkKey({ alg: "ES256", material }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TokenError);
    expect((failed as Error).message).toMatch(/public key for ES256/);
  });
});

describe("a token", () => {
  it("has up to 4,096 characters", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const begin = `${part({ alg: "ES256" })}.${part({ sub: "ann" })}.`;
    const token = (length: number) => begin.padEnd(length, "A");
    expect(MAX_TOKEN).toBe(4096);
    expect(readToken(token(4096)).claims).toEqual({ sub: "ann" });
    expect(() => readToken(token(4097))).toThrow(TokenError);
  });
});
