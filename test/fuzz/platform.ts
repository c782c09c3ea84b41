import { hashKey } from "../../src/core/auth/key.ts";
import { mintSessionToken, TOKEN_BYTES } from "../../src/core/auth/session.ts";
import { LIMITED_ENDPOINTS } from "../../src/core/limits/table.ts";
import { type Database, query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { addMember } from "../../src/server/project/members.ts";
import { createProject, type ProjectKeys } from "../../src/server/project/projects.ts";
import { type PlatformOptions, type PlatformWorker, startPlatform } from "../bench/worker.ts";
import { publishWorlds } from "../support/worlds/kept-worlds.ts";
import { type ApiDocument, operationsOf } from "./requests.ts";

export interface FuzzPlatform extends PlatformWorker {
  /** Of a project of their own: settings that were drawn would spoil what all others see. */
  settingsKeys: ProjectKeys;
  /** An owner who is signed in, and their project. */
  member: { cookie: string; project: number };
}

/**
 * The Worker with the world base and the demo world, a project without rate limits, and something of every kind in it.
 * @param keptIn an empty folder in which the state stays
 */
export async function startFuzzPlatform({ keptIn }: Pick<PlatformOptions, "keptIn"> = {}): Promise<FuzzPlatform> {
  let settingsKeys: ProjectKeys | undefined;
  let member = { cookie: "", project: 0 };
  quietLookups();
  const platform = await startPlatform({
    keptIn,
    async prepare(database, _project, state) {
      settingsKeys = (await createProject(database, "settings")).keys;
      member = await signedIn(database, (await createProject(database, "dashboard")).id);
      await publishWorlds(["world", "demo"], state);
    },
  });
  try {
    await liftLimits(platform);
    await furnish(platform);
  } catch (error) {
    await platform.stop();
    throw error;
  }
  return { ...platform, settingsKeys: settingsKeys ?? platform.keys, member };
}

async function signedIn(database: Database, project: number): Promise<FuzzPlatform["member"]> {
  await addMember(database, project, "owner@example.com", "owner");
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  await query(
    database,
    "INSERT INTO session SELECT ?, id, NULL, 0, 9000000000000 FROM member WHERE email = 'owner@example.com'",
    await hashKey(token),
  );
  return { cookie: `graticule=${token}`, project };
}

/** Limits are not what is looked for. Before the first request with a key: the Worker keeps what it knows of one for seconds. */
async function liftLimits(platform: PlatformWorker): Promise<void> {
  const document = (await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDocument;
  const names = [...operationsOf(document).map(({ operationId }) => operationId), ...LIMITED_ENDPOINTS];
  const rateLimits = Object.fromEntries(names.map((name) => [name, 1_000_000]));
  const database = openLocalDatabase(platform.state);
  try {
    await query(database, "UPDATE project SET settings = ?", JSON.stringify({ rateLimits }));
  } finally {
    database.close();
  }
}

/** Webhooks that were drawn have names nobody answers to; workerd would say so for each try. */
function quietLookups(): void {
  const { error } = console;
  console.error = (...said: unknown[]) => {
    if (!/lookup address information/.test(String(said[0]))) error(...said);
  };
}

/** Something of every kind, for requests to find. */
async function furnish(platform: PlatformWorker): Promise<void> {
  const headers = { authorization: platform.keys.testSecret, "content-type": "application/json" };
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(platform.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  };
  const here = { latitude: 48.99, longitude: -111.2 };
  const fence = { description: "Home", type: "circle", coordinates: [here.longitude, here.latitude], radius: 200 };
  for (const name of ["one", "two"]) await send("PUT", `/v1/geofences/home/${name}`, fence);
  await send("POST", "/v1/webhooks", { url: "https://hooks.example.com/in" });
  for (const [deviceId, userId] of [
    ["device-a", "ann"],
    ["device-b", "ben"],
  ]) {
    await send("POST", "/v1/track", { deviceId, userId, ...here, accuracy: 5, foreground: true, stopped: true });
    await send("POST", "/v1/trips", {
      externalId: `trip of ${userId}`,
      userId,
      destinationGeofenceTag: "home",
      destinationGeofenceExternalId: "one",
    });
  }
}
