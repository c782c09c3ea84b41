import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { beforeAll, expect, inject, it } from "vitest";
import { type Json, post, sql, type World } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/** Verified tracking as the SDKs for iOS (3.39) and Android (3.34) use it: trackVerified, and a token that is kept until it ends. */
const keys = createRemoteJWKSet(new URL(`${inject("baseUrl")}/.well-known/jwks.json`));
const HERE = { latitude: 40.7, longitude: -73.98, accuracy: 5, foreground: true, stopped: true };

let world: World;
beforeAll(async () => {
  world = await openWorld({ blockedCountries: [] });
});
const verify = async (device: string, more: Json = {}) => {
  const body = { deviceId: device, userId: `user-${device}`, verified: true, ...HERE, ...more };
  const answer = await post("/v1/track", world.keys.testPublishable, body);
  expect([answer.status, answer.body.meta]).toEqual([200, { code: 200 }]);
  return answer.body;
};

it("is answered with a token that anybody can check with the published keys", async () => {
  const before = Date.now();
  const body = await verify("a", { transactionId: "order-7", reason: "checkout" });
  expect(body).toMatchObject({
    passed: true,
    failureReasons: [],
    format: "JWS",
    expiresIn: 1200,
    transactionId: "order-7",
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    user: { fraud: { verified: true, passed: true } },
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
  });
  expect((Date.parse(body.expiresAt) - before) / 1000).toBeCloseTo(body.expiresIn, -1);
  const { payload } = await jwtVerify(body.token, keys, { issuer: inject("baseUrl"), audience: String(world.id) });
  expect(payload).toEqual({
    iss: inject("baseUrl"),
    aud: String(world.id),
    sub: body.user._id,
    jti: body._id,
    live: false,
    iat: expect.any(Number),
    exp: Date.parse(body.expiresAt) / 1000,
    passed: true,
    failureReasons: [],
    transactionId: "order-7",
    reason: "checkout",
    user: body.user,
    events: body.events,
  });
});

it("says which checks failed, in the answer and in the token", async () => {
  const body = await verify("b", {
    mocked: true,
    compromised: true,
    expectedCountryCode: "CA",
    expectedStateCode: "ON",
  });
  const failed = ["fraud_mocked", "fraud_compromised", "country_unknown", "state_unknown"];
  expect([body.passed, body.failureReasons]).toEqual([false, failed]);
  expect((await jwtVerify(body.token, keys)).payload).toMatchObject({
    passed: false,
    failureReasons: failed,
    expectedCountryCode: "CA",
    expectedStateCode: "ON",
  });
});

it("is checked for fraud although the project checks nobody else, and leaves nothing of the question in the user", async () => {
  const plain = await post("/v1/track", world.keys.testPublishable, { deviceId: "c", userId: "user-c", ...HERE });
  expect([plain.body.user.fraud, plain.body.token, plain.body.passed]).toEqual([undefined, undefined, undefined]);
  const { user } = await verify("c", { reason: "checkout", accuracy: 5000 });
  expect([user.fraud.inaccurate, JSON.stringify(user).includes("checkout")]).toEqual([true, false]);
  const anonymous = await post("/v1/track", world.keys.testPublishable, {
    ...HERE,
    deviceId: "d",
    verified: true,
    anonymous: true,
  });
  expect([anonymous.status, anonymous.body.token]).toEqual([200, undefined]);
});

it("makes one key however many ask first, and publishes its public half alone", async () => {
  const { kid } = decodeProtectedHeader((await verify("e")).token);
  const answer = await fetch(`${inject("baseUrl")}/.well-known/jwks.json`);
  expect([answer.headers.get("content-type"), answer.headers.get("access-control-allow-origin")]).toEqual([
    ...["application/jwk-set+json", "*"],
  ]);
  const set = (await answer.json()) as { keys: Json[] };
  expect(set.keys.map((key) => [key.kid, key.alg, "d" in key])).toEqual([[kid, "ES256", false]]);
  expect(await sql("SELECT id FROM signing_key")).toEqual([{ id: kid }]);
});
