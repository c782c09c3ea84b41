import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIVE_KEY } from "../../../../src/core/geo/builds/manifest.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { startWorldBuild } from "../../../../src/server/state/prepare-world.ts";
import { scratchFolder } from "../scratch.ts";

/** Of the process of the build, with its heap and its buffers [MB]. */
const MOST_MB = 750;
/** Of all objects of the world base [bytes]. */
const MOST_BYTES = 41.5e6;

it("the first start builds the base of the world with its own heap, and the base is small", {
  timeout: 900_000,
}, async () => {
  const state = join(scratchFolder(), "state");
  const child = startWorldBuild(state, "pipe");
  let said = "";
  child.stdout?.on("data", (text) => {
    said += text;
  });
  child.stderr?.on("data", (text) => {
    said += text;
  });
  let most = 0;
  const clock = setInterval(() => {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(statusOf(child.pid)) ?? [];
    most = Math.max(most, Number(kilobytes) / 1000);
  }, 200);
  const code = await new Promise((done) => child.once("exit", done));
  clearInterval(clock);
  expect(code, said.slice(-2000)).toBe(0);
  // Only Linux tells how much memory a process had.
  if (process.platform === "linux") expect(most).toBeGreaterThan(100);
  expect(most).toBeLessThan(MOST_MB);
  const bucket = openLocalBucket(state, geodataBucketName());
  try {
    const live = JSON.parse(Buffer.from((await bucket.get(LIVE_KEY))!.bytes).toString());
    expect(live.builds).toHaveLength(1);
    const sizes = await bucket.list(`builds/${live.builds[0].id}/`);
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  } finally {
    bucket.close();
  }
});

/** "" once the process has ended. */
function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
