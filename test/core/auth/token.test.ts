import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  checkKey,
  checkSignature,
  checkTimes,
  looksLikeToken,
  MAX_TOKEN,
  readToken,
  type TokenAlgorithm,
} from "../../../src/core/auth/token.ts";
import { signToken } from "./sign.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const SECRET = "0123456789abcdef0123456789abcdef";
const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const jwk = (key: KeyObject) => JSON.stringify(key.export({ format: "jwk" }));

const KINDS: [alg: TokenAlgorithm, signer: KeyObject | string, material: string][] = [
  ["RS256", rsa.privateKey, pem(rsa.publicKey)],
  ["RS256", rsa.privateKey, jwk(rsa.publicKey)],
  ["ES256", ec.privateKey, pem(ec.publicKey)],
  ["ES256", ec.privateKey, jwk(ec.publicKey)],
  ["EdDSA", ed.privateKey, pem(ed.publicKey)],
  ["EdDSA", ed.privateKey, jwk(ed.publicKey)],
  ["HS256", SECRET, SECRET],
];
const key = (alg: TokenAlgorithm, material: string) => ({ alg, material, createdAt: 0 });
const check = (text: string, alg: TokenAlgorithm, material: string) =>
  checkSignature(readToken(text), key(alg, material));

describe("the signature of a token", () => {
  it.each(KINDS)("by %s is known by the registered key, and by no other", async (alg, signer, material) => {
    await checkKey({ alg, material });
    const text = signToken({ userId: "ann" }, signer, { alg });
    await check(text, alg, material);
    const [head, , signature] = text.split(".");
    const other = Buffer.from('{"userId":"bob"}').toString("base64url");
    await expect(check(`${head}.${other}.${signature}`, alg, material)).rejects.toThrow("signature doesn't match");
    await expect(check(`${head}.${other}.AAAA`, alg, material)).rejects.toThrow("signature doesn't match");
    await expect(check(`${head}.${other}.A`, alg, material)).rejects.toThrow("signature doesn't match");
  });

  it("is made with the algorithm of the key, whatever the token says: a public key is no shared secret", async () => {
    const forged = signToken({ userId: "ann" }, pem(rsa.publicKey), { alg: "HS256" });
    await expect(check(forged, "RS256", pem(rsa.publicKey))).rejects.toThrow("must be signed with RS256");
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.AAAA`;
    await expect(check(none, "HS256", SECRET)).rejects.toThrow("must be signed with HS256");
  });
});

describe("a key for tokens", () => {
  it.each<[TokenAlgorithm, string, string]>([
    ["RS256", jwk(rsa.privateKey), "private key"],
    ["RS256", rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "private key"],
    ["RS256", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey), "2048 bits"],
    ["RS256", pem(ec.publicKey), "not a public key for RS256"],
    ["ES256", pem(generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey), "not a public key for ES256"],
    ["EdDSA", "hello", "not a public key for EdDSA"],
    ["EdDSA", "{", "not a public key for EdDSA"],
    ["HS256", "too short", "at least 32 bytes"],
  ])("of %s is refused where it is private, weak, or of another kind", async (alg, material, message) => {
    await expect(checkKey({ alg, material })).rejects.toThrow(message);
  });
});

describe("a token", () => {
  it("is told from a key by its form", () => {
    expect(looksLikeToken(signToken({}, SECRET, { alg: "HS256" }))).toBe(true);
    expect(looksLikeToken(`prj_test_pk_${"a".repeat(40)}`)).toBe(false);
  });

  it.each([
    ["a".repeat(MAX_TOKEN + 1), "longer than"],
    ["eyJ.eyJ.eyJ", "not a JWT"],
    [`${Buffer.from("[1]").toString("base64url")}.e30.AAAA`, "not a JWT"],
    [signToken({}, SECRET, { alg: "HS256", crit: ["exp"] }), "crit"],
  ])("that is none, or wants what is not known here, is refused", (text, message) => {
    expect(() => readToken(text)).toThrow(message);
  });

  const NOW = 1_800_000_000;
  it.each([
    [{ exp: NOW + 10 }, undefined],
    [{ exp: NOW - 59 }, undefined],
    [{ exp: NOW - 61 }, "has expired"],
    [{ exp: NOW + 10, nbf: NOW + 59, iat: NOW + 59 }, undefined],
    [{ exp: NOW + 100, nbf: NOW + 61 }, "not valid yet"],
    [{ exp: NOW + 100, iat: NOW + 61 }, "in the future"],
    [{}, "when it expires"],
    [{ exp: "tomorrow" }, "seconds since 1970"],
    [{ exp: NOW, iat: null }, "seconds since 1970"],
  ])("with the times %j is believed within a minute of them: %s", (claims, message) => {
    const token = readToken(signToken(claims, SECRET, { alg: "HS256" }));
    if (message === undefined) checkTimes(token, NOW * 1000);
    else expect(() => checkTimes(token, NOW * 1000)).toThrow(message);
  });

  it("that would never expire, as its time is beyond all numbers, is refused", () => {
    const token = readToken(signToken({ exp: NOW }, SECRET, { alg: "HS256" }));
    // What JSON.parse makes of 1e999.
    const endless = { ...token, claims: { exp: Number.POSITIVE_INFINITY } };
    expect(() => checkTimes(endless, NOW * 1000)).toThrow("seconds since 1970");
  });
});
