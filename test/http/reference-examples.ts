import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Answer, call, control, get, type Json, makeWorld, post } from "../support/world.ts";

/**
 * The examples of the reference are real answers of a run: `WRITE_EXAMPLES=1 npx vitest run test/http/shapes.test.ts
 * test/http/event-catalogue.test.ts` notes those of its own run in docs/examples. Without it, a test looks whether they still have the shapes
 * of today's answers.
 */
export const WRITES_EXAMPLES = process.env.WRITE_EXAMPLES === "1";

const FOLDER = resolve(import.meta.dirname, "../../docs/examples");

export type ExampleFile = "answers" | "errors" | "events";

export function readExamples(name: ExampleFile): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8"));
}

export function writeExamples(name: ExampleFile, examples: Readonly<Record<string, unknown>>): void {
  const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(resolve(FOLDER, `${name}.json`), `${JSON.stringify(shortened(sorted), null, 1)}\n`);
}

/** At most three of a list, and no secret, not even one of a test. */
function shortened(value: unknown): unknown {
  if (typeof value === "string")
    return value.replace(/(whsec_|prj_\w+_[ps]k_)[\w+/=-]+/g, "$1…").replace(/(token=)[0-9a-f]{16,}/g, "$1…");
  if (Array.isArray(value)) return value.slice(0, typeof value[0] === "number" ? 4 : 3).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

/** A mistake of each status that a caller can bring about. */
export async function provokedErrors(): Promise<Record<string, Json>> {
  const world = await makeWorld({ settings: { blockedCountries: ["FR"] } });
  const paused = await makeWorld({ disabled: true });
  const { testPublishable: key, testSecret: secret } = world.keys;
  const fence = {
    ...{ description: "Office", type: "circle", tag: "office", externalId: "1" },
    ...{ coordinates: [-111.2, 48.99], radius: 100 },
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
      ...{ country: "FR", method: "GET", path: "/v1/config", headers: { authorization: key } },
    }),
    await call("PUT", "/v1/track", { key, json: update }),
    // Last: the server ends the connection on which too much comes.
    await post("/v1/track", key, { ...update, description: "x".repeat(70_000) }),
  ];
  return Object.fromEntries(asked.filter(({ status }) => status >= 400).map(({ status, body }) => [status, body]));
}
