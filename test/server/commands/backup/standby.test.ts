import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lastBackup } from "../../../../src/server/backup/last-backup.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort, finished, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "../start/start-process.ts";

const folder = scratchFolder();
const place = join(folder, "place");
const [first, second] = [join(folder, "first"), join(folder, "second")];
const running: Running[] = [];
afterAll(async () => {
  for (const { process, left } of running) {
    process.kill("SIGTERM");
    await left;
  }
});

describe("a standby", { timeout: 180_000 }, () => {
  it("follows the backups of a server, takes over by a command, and stays the server", async () => {
    await Promise.all([publishWorlds(["world"], first), publishWorlds(["world"], second)]);
    const [port, other] = [await anyPort(), await anyPort()];
    const server = await startProcess(first, port, ["--backup-to", place, "--every", "5s"]);
    running.push(server);
    const { testSecret } = JSON.parse(readFileSync(join(first, "keys.json"), "utf8"));
    const headers = { authorization: testSecret, "content-type": "application/json" };
    const body = { deviceId: "walker", userId: "ann", latitude: 50, longitude: 10, accuracy: 5, foreground: true };
    const tracked = await fetch(`http://127.0.0.1:${port}/v1/track`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(tracked.status).toBe(200);
    const trackedAt = Date.now();

    const follower = startProcess(second, other, ["--follow", place]);
    await expect
      .poll(() => Date.parse(lastBackup(first)?.at ?? "") > trackedAt, {
        timeout: 60_000,
      })
      .toBe(true);
    expect(lastBackup(first)).toMatchObject({ where: place, everyMs: 5000, pausedMs: expect.any(Number) });
    expect(lastBackup(first)).not.toHaveProperty("error");
    const newest = () => JSON.parse(readFileSync(join(second, "standby/backup.json"), "utf8")).madeAt;
    const hasIt = () => existsSync(join(second, "standby/backup.json")) && Date.parse(newest()) > trackedAt;
    await expect.poll(hasIt, { timeout: 60_000 }).toBe(true);

    server.process.kill("SIGTERM");
    await server.left;
    running.pop();
    const { code, output } = await finished(runCli("start.ts", ["--take-over", "--persist-to", second]));
    expect([code, output.trim()]).toEqual([0, `The standby of ${second} took over and is starting.`]);
    const standby = await follower;
    running.push(standby);
    // The backup may have the user in the database, or still among the writes of its object that follow.
    const user = async () => (await fetch(`http://127.0.0.1:${other}/v1/users/ann`, { headers })).json();
    await expect
      .poll(user, { timeout: 30_000 })
      .toMatchObject({ user: { userId: "ann", location: { coordinates: [10, 50] } } });

    // Started again by the same command, it is the server, and no standby for a second time.
    standby.process.kill("SIGTERM");
    await standby.left;
    running.pop();
    const again = await startProcess(second, other, ["--follow", place]);
    running.push(again);
    expect(again.said()).toContain(`${second} took over earlier`);
    const twice = await finished(runCli("start.ts", ["--take-over", "--persist-to", second]));
    expect([twice.code, twice.output]).toEqual([1, expect.stringContaining("No standby follows a backup in")]);
  });

  it("does not begin in a state that has projects", async () => {
    const words = ["--follow", place, "--persist-to", first, "--port", String(await anyPort())];
    const { code, output } = await finished(runCli("start.ts", words));
    expect([code, output]).toEqual([1, expect.stringMatching(/is in use: it contains projects/)]);
  });
});
