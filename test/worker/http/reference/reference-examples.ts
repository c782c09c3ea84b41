import { type Answer, call, control, get, type Json, makeWorld, post } from "../../../support/world.ts";

/** A mistake of each status that a caller can bring about. */
export async function provokedErrors(): Promise<Record<string, Json>> {
  const world = await makeWorld({ settings: { blockedCountries: ["FR"] } });
  const paused = await makeWorld({ disabled: true });
  const { testPublishable: key, testSecret: secret } = world.keys;
  const fence = {
    description: "Office",
    type: "circle",
    tag: "office",
    externalId: "1",
    coordinates: [-111.2, 48.99],
    radius: 100,
  };
  const update = { deviceId: "phone", latitude: 48.99, longitude: -111.2, accuracy: 10 };
  await post("/v1/geofences", secret, fence);
  await post("/v1/track", key, update);
  const asked: Pick<Answer, "status" | "body">[] = [
    await post("/v1/track", key, { ...update, latitude: 91 }),
    await get("/v1/config"),
    await get("/v1/config", paused.keys.testPublishable),
    await get("/v1/users", key),
    await get("/v1/events/65f0c1a2b3c4d5e6f7a8b9c0", secret),
    await post("/v1/geofences", secret, fence),
    await get("/v1/live", secret),
    await post("/v1/track", key, update),
    await control<Answer>("fetchFrom", {
      country: "FR",
      method: "GET",
      path: "/v1/config",
      headers: { authorization: key },
    }),
    await call("PUT", "/v1/track", { key, json: update }),
    // Last: the server ends the connection on which too much comes.
    await post("/v1/track", key, { ...update, description: "x".repeat(70_000) }),
  ];
  return Object.fromEntries(asked.filter(({ status }) => status >= 400).map(({ status, body }) => [status, body]));
}
