import { expect, it } from "vitest";
import { hashKey } from "../../../../src/core/auth/key.ts";
import { type Answer, call, control, eventually, get, post, put, sql } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

interface Line {
  level: string;
  message: string;
}

/** The log's lines, once one for each of these request ids is there. */
async function logOf(answers: readonly Answer[]) {
  const ids = answers.map(({ headers }) => headers.get("x-radar-request-id") ?? "none");
  const lines = await eventually(
    () => control<Line[]>("logs"),
    (some) => ids.every((id) => some.some(({ message }) => message.includes(id))),
  );
  return { ids, lines: lines.filter(({ message }) => ids.some((id) => message.includes(id))), all: lines };
}

it("a request leaves one wide line, with no key, no position and no id of a user or a device in it", async () => {
  const world = await openWorld();
  const { testPublishable: key, testSecret } = world.keys;
  const update = {
    ...{
      deviceId: "device-of-ann",
      userId: "ann-herself",
      latitude: 12.3456789,
      longitude: 98.7654321,
      accuracy: 4.321987,
    },
    description: "Ann Onymous",
    metadata: { favourite: "pelargonium" },
  };
  const fence = { description: "Hideout", type: "circle", coordinates: [98.7654321, 12.3456789], radius: 4321 };
  const unknown = `prj_test_pk_${"7".repeat(40)}`;
  // A health check that passes leaves no line. It is asked first, so that its line would be there with those of the others.
  const health = await get("/v1/ping");
  const answers = [
    await post("/v1/track", key, update),
    await post("/v1/track", key, { ...update, latitude: "12.3456789N" }),
    await post("/v1/track", key, { ...update, metadata: { pelargonium: [1] } }),
    await call("POST", "/v1/track", { key, body: '{"deviceId": "device-of-ann", broken' }),
    await put("/v1/geofences/hideouts/ann-herself", testSecret, fence),
    await get("/v1/context?coordinates=12.3456789,98.7654321&userId=ann-herself", key),
    await get("/v1/search/geofences?near=12.3456789,98.7654321&metadata[favourite]=pelargonium", key),
    await get("/v1/users/ann-herself", testSecret),
    await get("/v1/users/device-of-ann", key),
    await get(`/v1/config?publishableKey=${key}&deviceId=device-of-ann`),
    await get("/v1/config", unknown),
    await get("/v1/config"),
    await call("POST", "/v1/ping"),
    await get("/v1/ann-herself/12.3456789"),
    await call("DELETE", "/v1/track?near=12.3456789"),
  ];
  const { ids, lines, all } = await logOf(answers);
  expect(health.status).toBe(200);
  expect(all.filter(({ message }) => message.includes(health.headers.get("x-request-id") ?? "none"))).toEqual([]);
  const parsed = lines.map(({ message }) => JSON.parse(message));
  expect(parsed.map(({ requestId }) => requestId).sort()).toEqual([...ids].sort());
  for (const [i, { status }] of answers.entries()) {
    const line = parsed.find(({ requestId }) => requestId === ids[i]);
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      method: expect.any(String),
      route: expect.stringMatching(/^(\/v1\/[a-z/:A-Z]+|\*)$/),
      status,
      durationMs: expect.any(Number),
    });
  }
  expect(parsed.find(({ requestId }) => requestId === ids[0])).toMatchObject({ project: world.id, live: false });
  expect(parsed.find(({ requestId }) => requestId === ids[1])).toMatchObject({ status: 400, param: "latitude" });

  const everything = all.map(({ message }) => message).join("\n");
  const secrets = [key, testSecret, unknown, await hashKey(key), await hashKey(testSecret), "Bearer"];
  const people = ["ann-herself", "device-of-ann", "Onymous", "pelargonium", "hideouts", "Hideout"];
  for (const word of [...secrets, ...people, "12.3456", "98.7654", "4.321987"]) expect(everything).not.toContain(word);
});

it("a server's own mistake is in the log with its cause, but without the values it was about", async () => {
  const world = await openWorld();
  const scope = world.id * 2;
  await sql(
    `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc)
     VALUES (?, 'broken', 'bob-himself', 'x', 12.34567, 76.54321, 1, 1, 1, 1, 'bob-himself')`,
    scope,
  );
  await sql(
    `INSERT INTO geofence (scope, id, tag, description, type, latitude, longitude, radius, metadata, cover, created_at, updated_at, epoch)
     VALUES (?, 'broken', 'bobs-tag', 'x', 'circle', 1, 1, 10, '{broken', '[]', 1, 1, 1)`,
    scope,
  );
  const answers = [
    await get("/v1/users/bob-himself", world.keys.testSecret),
    await get("/v1/geofences?tag=bobs-tag&metadata[colour]=chartreuse", world.keys.testSecret),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 500]);
  const { ids, lines } = await logOf(answers);
  const errors = lines.filter(({ level }) => level === "error").map(({ message }) => JSON.parse(message));
  expect(errors.map(({ requestId }) => requestId)).toEqual(ids);
  const [parse, query] = errors;
  expect(parse).toMatchObject({ what: "unreadable row", of: "users", error: expect.stringContaining("JSON") });
  expect(parse.error).toMatch(/\n\s+at /);
  expect(query.error).toContain("malformed JSON");
  expect(query.error).toMatch(/select .* from "geofence"/s);
  for (const { message } of lines) {
    for (const word of ["bob", "chartreuse", "colour", "12.34567"]) expect(message).not.toContain(word);
  }
});
