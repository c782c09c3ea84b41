import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { expect, it } from "vitest";
import {
  ANNOUNCED_MS,
  importSigningKey,
  keyThatSigns,
  makeSigningKey,
  newestNeeded,
  PUBLISHED_MS,
  publicJwk,
  SIGNS_MS,
  signToken,
} from "../../../src/core/auth/signing-key.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;

it("a token is taken by a library that has only the public keys, and by none when a letter of it differs", async () => {
  const [made, other] = await Promise.all([makeSigningKey(), makeSigningKey()]);
  const claims = { iss: "https://example.com", sub: "ä → 字", exp: Math.floor(Date.now() / 1000) + 60 };
  const token = await signToken(await importSigningKey(made.privateKey), made.id, claims);
  const keys = createLocalJWKSet({ keys: [publicJwk(other), publicJwk(made)] });
  expect((await jwtVerify(token, keys)).payload).toEqual(claims);
  expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "JWT", kid: made.id });
  const [header, payload, signature] = token.split(".");
  const forged = [header, `${payload.slice(0, -2)}${payload.endsWith("fQ") ? "fR" : "fQ"}`, signature].join(".");
  await expect(jwtVerify(forged, keys)).rejects.toThrow();
  await expect(jwtVerify(token, createLocalJWKSet({ keys: [publicJwk(other)] }))).rejects.toThrow(/no applicable key/);
});

it("what is published tells nothing of the private key", async () => {
  const made = await makeSigningKey();
  const { d } = JSON.parse(made.privateKey);
  expect(JSON.stringify(publicJwk(made))).not.toContain(d);
  expect(Object.keys(publicJwk(made)).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

it("through a year each key is announced for a day before it signs, and published until its last token has ended", () => {
  const keys: { createdAt: number }[] = [];
  const lastSigned = new Map<number, number>();
  for (let now = 0; now < 400 * DAY; now += HOUR) {
    const published = keys.filter(({ createdAt }) => createdAt > now - PUBLISHED_MS);
    if (!published.some(({ createdAt }) => createdAt > newestNeeded(now))) {
      keys.push({ createdAt: now });
      published.push({ createdAt: now });
    }
    const signing = keyThatSigns(published, now);
    const { createdAt } = signing!;
    // The very first signs at once, as there is no other.
    expect([now, createdAt === 0 || now - createdAt >= ANNOUNCED_MS]).toEqual([now, true]);
    lastSigned.set(createdAt, now);
  }
  expect(keys.map(({ createdAt }) => Math.round(createdAt / DAY))).toEqual([0, 90, 180, 270, 360]);
  for (const [createdAt, last] of lastSigned) {
    expect(last - createdAt).toBeLessThanOrEqual(SIGNS_MS + ANNOUNCED_MS);
    expect(createdAt + PUBLISHED_MS - last).toBeGreaterThanOrEqual(6 * DAY);
  }
});
