import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lockState } from "../../../../src/server/state/lock.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";

const folder = scratchFolder();
const state = join(folder, "state");

beforeAll(() => publishWorlds(["world"], state), 120_000);

/** `npm start` with this script in the place of workerd. */
async function startWith(script: string) {
  const path = join(folder, "workerd");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const words = ["--port", String(await anyPort()), "--persist-to", state];
  const child = runCli("start.ts", words, { GRATICULE_WORKERD: path });
  const left = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => {
      said += text;
    });
  return { child, left, said: () => said };
}

describe("npm start on a machine where workerd does not run", { timeout: 90_000 }, () => {
  it("ends with what workerd wrote and a sentence, so that a supervisor notices", async () => {
    const { left, said } = await startWith("echo 'no such library' >&2; exit 127");
    expect(await left).toBe(1);
    expect(said()).toContain("no such library");
    expect(said()).toContain("workerd did not start. Its messages are above");
    expect(said()).not.toContain("is ready");
    // the state is free again
    lockState(state)();
  });

  it("ends on SIGTERM while it waits for a workerd that never listens, and takes it along", async () => {
    const { child, left, said } = await startWith(`echo $$ > ${join(folder, "pid")}; cat > /dev/null; exec sleep 600`);
    const pid = () => {
      try {
        return Number(readFileSync(join(folder, "pid"), "utf8"));
      } catch {
        return 0;
      }
    };
    await expect.poll(pid, { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill("SIGTERM");
    expect(await left).toBe(1);
    expect(said()).toContain("Stopped before workerd had started.");
    await expect.poll(() => isThere(pid()), { timeout: 5_000 }).toBe(false);
  });
});

function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
