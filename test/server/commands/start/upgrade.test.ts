import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../../src/server/base/wrangler.ts";
import { query } from "../../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { createProject } from "../../../../src/server/project/projects.ts";
import { bundleWorker } from "../../../../src/server/start/worker-bundle.ts";
import { buildWorker, startBuilt } from "../../../bench/worker.ts";
import { caller } from "../backup/backup-world.ts";
import { scratchFolder } from "../scratch.ts";

const git = (...words: string[]) => execFileSync("git", ["-C", ROOT, ...words], { maxBuffer: 1e9 });

/** The release before this version; undefined in a clone without its tag. */
function release(): string | undefined {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v*").toString().trim();
  } catch {
    return undefined;
  }
}

/** Its Worker, bundled with today's libraries. */
async function bundleOf(tag: string, folder: string): Promise<string> {
  mkdirSync(join(folder, "dist/dashboard"), { recursive: true });
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", tag, "src", "package.json", "wrangler.toml") });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await bundleWorker(join(folder, "wrangler.toml"), join(folder, "bundle"));
  return join(folder, "bundle");
}

it("the Worker of the release before serves on the tables of this one, and this one goes on with what it wrote", async ({
  skip,
}) => {
  const tag = release();
  if (tag === undefined) return skip("no tag of a release in this clone");
  const folder = scratchFolder();
  const state = join(folder, "state");
  const database = openLocalDatabase(state);
  const { id, keys } = await createProject(database, "upgraded");
  await query(database, `UPDATE project SET settings = '{"rateLimits":{"track":1000}}' WHERE id = ?`, id);
  database.close();

  const older = await startBuilt({ folder: await bundleOf(tag, join(folder, "older")) }, state);
  const here = { accuracy: 5, foreground: true, latitude: 48.85 };
  const types = async (url: string, longitude: number, updatedAt: string) => {
    const update = { ...here, deviceId: "phone", userId: "ann", longitude, updatedAt };
    const { events } = await caller(url, keys.testPublishable)("POST", "/v1/track", update);
    return events.map(({ type }: { type: string }) => type);
  };
  try {
    const send = caller(older.url, keys.testSecret);
    const shop = { description: "Shop", type: "circle", coordinates: [2.35, 48.85], radius: 150 };
    await send("PUT", "/v1/geofences/shop/1", shop);
    expect(await types(older.url, 2.35, "2026-11-22T10:00:00Z")).toContain("user.entered_geofence");
    await send("POST", "/v1/trips", { externalId: "order", userId: "ann", mode: "foot" });
    await send("PATCH", "/v1/trips/order/update", { status: "canceled" });
    const { webhook } = await send("POST", "/v1/webhooks", { url: "https://hooks.example.com/x" });
    await send("DELETE", `/v1/webhooks/${webhook._id}`);
    for (const list of ["users", "geofences", "trips", "events", "webhooks", "beacons"])
      expect((await send("GET", `/v1/${list}`)).meta.code).toBe(200);
  } finally {
    await older.stop();
  }

  const newer = await startBuilt(await buildWorker(), state);
  try {
    const send = caller(newer.url, keys.testSecret);
    expect((await send("GET", "/v1/trips/order")).trip.status).toBe("canceled");
    // It knows that the user is inside, so that there is an end to it.
    expect(await types(newer.url, 2.4, "2026-11-22T10:10:00Z")).toContain("user.exited_geofence");
  } finally {
    await newer.stop();
  }
}, 90_000);
