import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { addMember } from "../../../../src/server/project/members.ts";
import { createProject } from "../../../../src/server/project/projects.ts";
import { type Server, startServer } from "../../../../src/server/start/server.ts";
import { HELPER_HALTED_AFTER_MS, watchForStuck } from "../../../../src/server/start/stuck-watch.ts";
import { runtimeOf } from "../../../../src/server/state/runtime.ts";
import { buildWorker } from "../../../bench/worker.ts";
import { scratchFolder } from "../scratch.ts";

/** A Worker in the same process, and so in the same thread, that never ends once it is asked. */
const ENDLESS = "export default { fetch() { for (;;); } }";

/** The endless Worker needs a core of its own for ten seconds: at night. */
const runs = process.platform === "linux" && process.env.EVERY_KILL === "1";

const state = join(scratchFolder(), "state");
let server: Server;
let url: string;
let key: string;
const stuck: number[] = [];

const track = (deviceId: string) =>
  fetch(`${url}/v1/track`, {
    method: "POST",
    headers: { authorization: key, "content-type": "application/json" },
    body: JSON.stringify({ deviceId, latitude: 48.85, longitude: 2.35, accuracy: 5, foreground: true }),
  });

beforeAll(async () => {
  if (!runs) return;
  const { folder } = await buildWorker();
  const database = openLocalDatabase(state);
  const { id, keys } = await createProject(database, "first");
  await addMember(database, id, "you@localhost", "owner");
  database.close();
  key = keys.testSecret;
  const { name } = JSON.parse(readFileSync(join(folder, "setup.json"), "utf8"));
  const beside = { name: "endless", script: ENDLESS };
  const onStuck = (seconds: number) => stuck.push(seconds);
  server = await startServer({
    host: "127.0.0.1",
    port: 0,
    state,
    bundle: folder,
    variables: {},
    beside,
    onStuck,
    log: () => {},
  });
  url = await server.urlOf(name);
});

afterAll(() => server?.stop());

describe.runIf(runs)("a server that is stuck (EVERY_KILL=1)", { timeout: 90_000 }, () => {
  it("is killed and starts again, and has all that it had answered", async () => {
    for (let n = 0; n < 5; n++) expect((await track(`device-${n}`)).status).toBe(200);
    const before = runtimeOf(state);
    void fetch(await server.urlOf("endless")).catch(() => {});
    await sleep(500);
    // Miniflare's own calls into a stuck workerd hold this thread, as this loop does.
    const held = new Int32Array(new SharedArrayBuffer(4));
    for (const until = Date.now() + 60_000; runtimeOf(state) === before && Date.now() < until; )
      Atomics.wait(held, 0, 0, 200);
    await expect.poll(() => stuck.length, { timeout: 10_000, interval: 100 }).toBe(1);
    // Ten seconds without an answer, and a look each two: more only where the machine is busy.
    expect(stuck[0]).toBeGreaterThanOrEqual(10);
    await expect
      .poll(async () => (await fetch(`${url}/v1/ping`).catch(() => undefined))?.status, {
        timeout: 30_000,
        interval: 100,
      })
      .toBe(200);
    expect(runtimeOf(state)).not.toBe(before);
    for (let n = 0; n < 5; n++)
      await expect
        .poll(async () => (await fetch(`${url}/v1/users/device-${n}`, { headers: { authorization: key } })).status, {
          timeout: 15_000,
        })
        .toBe(200);
  });
});

describe("the watch for a stuck server", () => {
  /** Seconds in which the server responds, share of a core that it uses, and its process by the second. */
  function watch({
    responds = () => false,
    share,
    pid = () => 7,
    isHalted = () => false,
    haltedAfterMs,
  }: {
    responds?(second: number): boolean;
    share: number;
    pid?(second: number): number | undefined;
    isHalted?(second: number): boolean;
    haltedAfterMs?: number;
  }) {
    const killed: number[] = [];
    const gone: number[] = [];
    const crashed: number[] = [];
    const second = () => Math.floor(performance.now() / 1000) - began;
    const began = Math.floor(performance.now() / 1000);
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    watchForStuck({
      pingUrl: "http://127.0.0.1:1/v1/ping",
      pid: () => pid(second()),
      cpuSeconds: () => (performance.now() / 1000) * share,
      ask: () => (responds(second()) ? Promise.resolve() : new Promise(() => {})),
      isHalted: () => isHalted(second()),
      ...(haltedAfterMs && { haltedAfterMs }),
      onKilled: (seconds) => killed.push(seconds),
      onCrashed: () => crashed.push(second()),
      onGone: () => gone.push(second()),
    });
    return { killed, kill, gone, crashed };
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("kills one that has not responded for ten seconds and uses its core, again after each start", async () => {
    const { killed, kill } = watch({ share: 1 });
    await vi.advanceTimersByTimeAsync(9_900);
    expect(killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(killed).toEqual([10]);
    expect(kill.mock.calls).toEqual([[7, "SIGKILL"]]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(killed).toEqual([10, 10]);
  });

  it("reports each crash once, whether another runs already or not yet, and not what it killed itself", async () => {
    // Another process from second 5 on; none from 11 to 15; then another that is stuck and is killed.
    const pid = (second: number) => (second < 5 ? 7 : second < 11 ? 8 : second < 15 ? undefined : second < 30 ? 9 : 10);
    const { crashed, killed } = watch({ share: 1, pid, responds: (second) => second < 17 });
    await vi.advanceTimersByTimeAsync(16_000);
    expect(crashed).toEqual([6, 12]);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(killed).toHaveLength(1);
    expect(crashed).toHaveLength(2);
  });

  it("leaves one alone that waits for something else", async () => {
    const { killed } = watch({ share: 0.4 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(killed).toEqual([]);
  });

  it("kills a helper that a signal has stopped after seconds, and the main process, which backups stop, after a minute", async () => {
    const helper = watch({ share: 0, isHalted: () => true, haltedAfterMs: HELPER_HALTED_AFTER_MS });
    await vi.advanceTimersByTimeAsync(6_000);
    expect(helper.killed).toEqual([4]);
    const main = watch({ share: 0, isHalted: () => true });
    const goesOn = watch({ share: 0, isHalted: (second) => second < 50 });
    await vi.advanceTimersByTimeAsync(58_000);
    expect(main.killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect([main.killed, goesOn.killed]).toEqual([[60], []]);
  });

  it("leaves one alone that works and responds every eighth second", async () => {
    const { killed } = watch({ share: 1, responds: (second) => second % 8 === 0 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(killed).toEqual([]);
  });

  it("does not count the time without a process, and counts CPU time from the start of each", async () => {
    const { killed } = watch({ share: 1, pid: (second) => (second < 30 ? undefined : 8) });
    await vi.advanceTimersByTimeAsync(36_000);
    expect(killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(killed).toHaveLength(1);
  });

  it("tells once when none has run for thirty seconds, but not before the first", async () => {
    const { gone } = watch({ share: 0, pid: (second) => (second < 60 || second >= 100 ? undefined : 9) });
    await vi.advanceTimersByTimeAsync(126_000);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gone).toHaveLength(1);
    expect(gone[0]).toBeGreaterThanOrEqual(128);
    expect(gone[0]).toBeLessThanOrEqual(130);
  });

  it("does not tell of one that another replaces in time", async () => {
    const { gone } = watch({
      share: 0,
      responds: () => true,
      pid: (second) => (second % 40 < 15 ? second : undefined),
    });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(gone).toEqual([]);
  });
});
