import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startCronRuns } from "../../../src/server/start/cron-runs.ts";
import { DiskReserve } from "../../../src/server/start/disk-reserve.ts";
import { startNightlyLearning } from "../../../src/server/start/nightly-learning.ts";
import { watchForStuck } from "../../../src/server/start/stuck-watch.ts";
import { Operations } from "../../support/faults/operations.ts";
import { ROOT, sourcesBelow } from "../../support/imports.ts";

/** What runs again and again. A run that fails, or never ends, does not stop the next. */

const REPEATS =
  /setInterval\(|watchFile\(|override (?:async )?alarm\(|\bnextRun\(|RESTART_PAUSE\)|while \(!\w+(?:\.signal)?\.aborted|async scheduled\(/;

/** Each file that repeats something, and the test that makes a run of it fail. A new one belongs here, with its test. */
const RUNS: Record<string, string> = {
  "importer/frame/stores/job-folder.ts": "only measures",
  "importer/report/reporter.ts": "only draws",
  "importer/run/json-reporter.ts": "only prints",
  "server/base/goodbye.ts": "only looks for its parent",
  "server/backup/continuous/follow.ts": "test/server/backup/late-backups.test.ts",
  "server/backup/continuous/run.ts": "test/server/backup/interrupted-backups.test.ts",
  "server/start/backup-process.ts": "test/server/backup/late-backups.test.ts",
  "server/start/cron-runs.ts": "below",
  "server/start/cron.ts": "only computes",
  "server/start/disk-reserve.ts": "below",
  "server/start/nightly-learning.ts": "below",
  "server/start/socket/tls-front.ts": "test/server/start/tls-front.test.ts",
  "server/start/stuck-watch.ts": "below",
  "worker/index.ts": "test/worker/databases/interrupted-rounds.test.ts",
  "worker/objects/jobs/jobs-object.ts": "test/kill/geocode-jobs.test.ts",
  "worker/objects/live/live-feed.ts": "sets its next alarm first",
  "worker/objects/meetings/meeting-cell.ts": "sets its next alarm first",
  "worker/objects/residence/resident.ts": "sets its next alarm first",
  "worker/objects/tracker/device-tracker.ts": "test/kill/kill.test.ts",
  "worker/objects/webhooks/webhook-sender.ts": "test/core/webhooks/delivery.worker.test.ts",
};

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "graticule-runs-"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(state, { recursive: true, force: true });
});

it("every run at intervals is known, with the test that makes it fail", () => {
  const found = ["server", "worker", "importer"]
    .flatMap((folder) => sourcesBelow(join(ROOT, "src", folder)))
    .filter((path) => REPEATS.test(readFileSync(path, "utf8")))
    .map((path) => relative(join(ROOT, "src"), path));
  expect(found.sort()).toEqual(Object.keys(RUNS).sort());
  for (const named of Object.values(RUNS).flatMap((text) => /test\/\S+\.ts/.exec(text) ?? []))
    expect([named, existsSync(join(ROOT, named))]).toEqual([named, true]);
});

it("every scheduled function of the Worker is guarded, so that interrupted-rounds.test.ts meets it", () => {
  const rounds = readFileSync(join(ROOT, "src/worker/objects/rounds/hourly-round.ts"), "utf8");
  const imported = [...rounds.matchAll(/^import (?!type)\{([^}]*)\} from/gm)].flatMap(([, names]) => names.split(","));
  const functions = imported.map((name) => name.trim()).filter((name) => !["guarded", "everyDatabase"].includes(name));
  expect(functions.length).toBeGreaterThan(10);
  for (const name of functions) expect([name, rounds.includes(`() => ${name}(`)]).toEqual([name, true]);
  const index = readFileSync(join(ROOT, "src/worker/index.ts"), "utf8");
  const scheduled = index.slice(index.indexOf("async scheduled("));
  for (const name of ["alertWatchOf", "moveRound", "archiveRounds"]) expect(scheduled).toContain(`() => ${name}(`);
});

describe("cron runs of npm start", () => {
  it("come each minute, although one fails and one never ends", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 26, 12, 0, 30) });
    const lines: string[] = [];
    const began: string[] = [];
    const run = (_: string, at: number): Promise<void> => {
      began.push(new Date(at).toISOString().slice(14, 16));
      if (began.length === 1) return Promise.reject(new Error("no workerd"));
      if (began.length === 2) return new Promise(() => {});
      if (began.length === 3)
        return (() => {
          throw new Error("not even a promise");
        })();
      return Promise.resolve();
    };
    const runs = startCronRuns(["* * * * *"], (level, line) => lines.push(`${level} ${line}`), run, 150_000);
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    runs.stop();
    expect(began).toEqual(["01", "02", "05", "06"]);
    expect(lines.map((line) => JSON.parse(line.replace("error ", "")).error)).toEqual([
      "Error: no workerd",
      "Error: It did not end within 150 s.",
      "Error: not even a promise",
    ]);
  });
});

describe("nightly learning", () => {
  it("runs each night, although one fails before its process begins and one is killed", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 26, 7, 40) });
    let nights = 0;
    const learn = async () => {
      if (++nights === 1) throw new Error("the bucket does not respond");
      return nights === 2 ? null : 0;
    };
    const nightly = startNightlyLearning(state, () => {}, "41 7 * * *", learn);
    await vi.advanceTimersByTimeAsync(3 * 86_400_000);
    nightly.stop();
    expect(nights).toBe(3);
  });
});

describe("the disk's reserve", () => {
  it("is looked at again, whichever operation of a look fails", () => {
    const faults = new Operations();
    vi.spyOn(console, "error").mockReturnValue();
    try {
      mkdirSync(state, { recursive: true });
      const reserve = new DiskReserve(state, () => {});
      for (let at = 0; at < 6; at++) {
        rmSync(join(state, "reserve"), { force: true });
        faults.arm(at, "before");
        expect(reserve.isFull()).toBeTypeOf("boolean");
        faults.disarm();
      }
      expect(reserve.isFull()).toBe(false);
      reserve.stop();
    } finally {
      faults.restore();
    }
  });
});

describe("the watch for a stuck workerd", () => {
  it("goes on when the process that it kills is gone already", async () => {
    vi.useFakeTimers();
    let killed = 0;
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
    });
    let seconds = 0;
    const end = watchForStuck({
      pingUrl: "http://127.0.0.1:9/v1/ping",
      pid: () => 4_194_000,
      cpuSeconds: () => (seconds += 2),
      ask: () => Promise.reject(new Error("no answer")),
      onKilled: () => killed++,
      onGone: () => {},
    });
    await vi.advanceTimersByTimeAsync(60_000);
    end();
    expect(kill).toHaveBeenCalled();
    expect(killed).toBeGreaterThan(1);
  });
});
