import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { built } from "../../../src/server/start/build-child.ts";

const run = (program: string) => spawn(process.execPath, ["-e", program], { stdio: "ignore" });
const ENDLESS = "setInterval(() => {}, 1000)";

it("a build that a signal ends says so, instead of an error above", async () => {
  for (const [signal, sentence] of [
    ["SIGTERM", "Stopped by SIGTERM before the worker was built."],
    ["SIGKILL", "Stopped by SIGKILL before the worker was built. The system does this when its memory is full."],
  ] as const) {
    const child = run(ENDLESS);
    const failed = expect(built(child, "worker")).rejects.toThrow(new Error(sentence));
    child.kill(signal);
    await failed;
  }
});

it("a signal to the command ends its build, too, and leaves no listener", async () => {
  const before = process.listenerCount("SIGHUP");
  const child = run(ENDLESS);
  const failed = expect(built(child, "dashboard")).rejects.toThrow(
    "Stopped by SIGTERM before the dashboard was built.",
  );
  await sleep(200);
  process.emit("SIGHUP");
  await failed;
  expect(child.signalCode).toBe("SIGTERM");
  expect(process.listenerCount("SIGHUP")).toBe(before);
});

it("a build that fails points to its error", async () => {
  await expect(built(run("process.exit(3)"), "worker")).rejects.toThrow(/could not be built\. See the error above/);
  await expect(built(run(""), "worker")).resolves.toBeUndefined();
});
