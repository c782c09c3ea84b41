import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { lockForServer } from "../../../src/server/state/lock.ts";

let state: string;
let held: DatabaseSync;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "graticule-lock-"));
  held = new DatabaseSync(join(state, "dev.lock"));
  held.exec("BEGIN EXCLUSIVE");
  onTestFinished(() => {
    if (held.isOpen) held.close();
    rmSync(state, { recursive: true, force: true });
  });
});

const heldBy = (pid: number | undefined, command: string) =>
  writeFileSync(join(state, "dev.lock.json"), JSON.stringify({ pid, command }));

it.skipIf(process.platform !== "linux").each(["npm start", "npm run dev", "npm run backup"])(
  "a process that is ending, or has just ended, may still hold the lock of a state: %s is waited for",
  async (command) => {
    const child = spawn("/bin/true");
    await once(child, "exit");
    heldBy(child.pid, command);
    setTimeout(() => held.close(), 300);
    const unlock = await lockForServer(state);
    unlock();
  },
);

it("a process that runs is not waited for, and a backup by an operator is named", async () => {
  heldBy(process.pid, "npm start");
  await expect(lockForServer(state)).rejects.toThrow(`A server is already using ${state}.`);
  const backup = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "backup.ts"]);
  onTestFinished(() => void backup.kill("SIGKILL"));
  await once(backup, "spawn");
  heldBy(backup.pid, "npm run backup");
  await expect(lockForServer(state)).rejects.toThrow(`A backup is reading ${state} (process ${backup.pid}).`);
});
