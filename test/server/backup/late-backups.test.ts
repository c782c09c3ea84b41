import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { follow } from "../../../src/server/backup/continuous/follow.ts";
import { followedBy, isBehind, noteFollowed } from "../../../src/server/backup/continuous/followed.ts";
import { runtimesOn } from "../../../src/server/backup/freeze.ts";
import { noteBackup } from "../../../src/server/backup/last-backup.ts";
import type { BackupManifest } from "../../../src/server/backup/manifest.ts";
import { openPlace } from "../../../src/server/backup/place.ts";
import { ageSentence } from "../../../src/server/backup/verify-restored.ts";
import { checkBackup, checkStandby } from "../../../src/server/doctor/machine-checks.ts";
import { lateWatch, startBackups } from "../../../src/server/start/backup-process.ts";
import { machineService } from "../../../src/server/start/machine.ts";
import { Restarts } from "../../../src/server/start/restarts.ts";

const MADE = "2026-11-26T12:00:00.000Z";
const at = (seconds: number) => Date.parse(MADE) + seconds * 1000;
let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "graticule-late-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

it("backups that stop are logged once after three intervals, and once when they are made again", () => {
  const lines: string[] = [];
  let now = at(0);
  const look = lateWatch(
    state,
    (level, line) => lines.push(`${level} ${line}`),
    () => now,
  );
  const lookAt = (seconds: number) => {
    now = at(seconds);
    look();
  };
  lookAt(0);
  noteBackup(state, { at: MADE, where: "/backup", everyMs: 60_000 });
  for (const seconds of [60, 180, 181, 240, 300]) lookAt(seconds);
  expect(lines).toEqual([
    `error {"what":"alert","type":"alert.backup","state":"begun","at":"${MADE}","where":"/backup"}`,
  ]);
  noteBackup(state, { at: new Date(at(301)).toISOString(), where: "/backup", everyMs: 60_000 });
  lookAt(302);
  expect(lines[1]).toMatch(/^info .*"state":"over"/);
  // Without a first backup, the time counts since they began.
  noteBackup(state, { where: "/backup", since: MADE, everyMs: 60_000, error: "no" });
  lookAt(500);
  expect(lines[2]).toMatch(/^error .*"state":"begun","at":null/);
  // After a start, the newest one may be as old as the server was stopped.
  noteBackup(state, { at: MADE, where: "/backup", since: new Date(at(500)).toISOString(), everyMs: 60_000 });
  lookAt(600);
  expect(lines[3]).toMatch(/"state":"over"/);
  lookAt(681);
  expect(lines[4]).toMatch(/"state":"begun"/);
});

it("the doctor and the metrics say that backups are late", async () => {
  const served = machineService(
    state,
    () => ({ isDiskFull: false, ...new Restarts().figures() }),
    () => false,
    () => false,
  );
  const figures = async () => (await (await served(new Request("http://machine/figures"))).json()).backup;
  noteBackup(state, { at: new Date(Date.now() - 181_000).toISOString(), where: "/backup", everyMs: 60_000 });
  expect(checkBackup(state, Date.now())).toMatchObject({
    state: "wrong",
    said: expect.stringContaining("three intervals"),
  });
  expect(await figures()).toMatchObject({ isLate: true, isFailing: false, ageMs: expect.any(Number) });
  noteBackup(state, { at: new Date(Date.now() - 100_000).toISOString(), where: "/backup", everyMs: 60_000 });
  expect(await figures()).toMatchObject({ isLate: false });
  noteBackup(state, { at: new Date(Date.now() - 1e8).toISOString(), where: "/backup" });
  expect(await figures()).toMatchObject({ isLate: false });
  noteBackup(state, { at: new Date().toISOString(), where: "/backup", damaged: ["DeviceTracker/1"] });
  expect(checkBackup(state, Date.now())).toMatchObject({
    state: "wrong",
    said: expect.stringContaining("DeviceTracker/1"),
  });
});

it("restore --verify says how old the newest moment is, and fails after three intervals", () => {
  const manifest = { madeAt: MADE, everyMs: 60_000 } as BackupManifest;
  const say = (seconds: number, isNewest = true, of = manifest) =>
    ageSentence(of, "/backup", { isNewest, now: at(seconds) });
  expect(say(42)).toBe("The newest moment is 42 s old.");
  expect(say(180)).toBe("The newest moment is 180 s old.");
  expect(() => say(181)).toThrow("The newest moment in /backup is 181 s old, more than three intervals of 60 s");
  expect(say(9000, false)).toBe("This moment is 9,000 s old.");
  expect(say(9000, true, { madeAt: MADE } as BackupManifest)).toBe("The newest moment is 9,000 s old.");
});

it("a standby that gets nothing new is behind after three intervals, for the doctor and as a metric", () => {
  const followed = { where: "/backup", at: MADE, newAt: MADE, everyMs: 5000, lookedAt: new Date(at(15)).toISOString() };
  expect(checkStandby(state, at(0))).toBeUndefined();
  noteFollowed(state, followed);
  expect(checkStandby(state, at(15))).toMatchObject({ state: "ok" });
  expect(readFileSync(join(state, "standby/metrics.prom"), "utf8")).toContain("graticule_standby_late 0\n");
  noteFollowed(state, { ...followed, lookedAt: new Date(at(16)).toISOString() });
  expect(checkStandby(state, at(16))).toMatchObject({
    state: "wrong",
    said: expect.stringContaining("Nothing is new since"),
  });
  expect(readFileSync(join(state, "standby/metrics.prom"), "utf8")).toContain("graticule_standby_late 1\n");
  expect(checkStandby(state, at(90))).toMatchObject({ said: expect.stringContaining("has not looked since") });
  expect(isBehind({ ...followed, everyMs: undefined }, at(181))).toBe(true);
  writeFileSync(join(state, "standby/took-over"), "");
  expect([checkStandby(state, at(90)), followedBy(state)]).toEqual([undefined, undefined]);
});

it("a standby notes why it has no copy", async () => {
  const ending = new AbortController();
  const lines: string[] = [];
  const place = join(state, "place");
  mkdirSync(place);
  const to = { state: join(state, "second"), worker: "graticule", databaseId: "x", bucket: "geodata" };
  const following = follow(openPlace(place), to, { log: (line) => lines.push(line), signal: ending.signal });
  await expect.poll(() => existsSync(join(to.state, "standby/followed.json"))).toBe(true);
  ending.abort();
  await following;
  await sleep(0);
  expect(followedBy(to.state)).toMatchObject({ where: place, error: `${place} contains no backup yet.` });
  expect(lines).toEqual([`Standby: ${place} contains no backup yet.`]);
});

it("a standby whose backups do not answer says so while it waits", async () => {
  const ending = new AbortController();
  const place = join(state, "place");
  mkdirSync(place);
  let isOver = () => {};
  const hangs = new Promise<undefined>((over) => {
    isOver = () => over(undefined);
  });
  const silent = Object.assign(Object.create(openPlace(place)), { get: () => hangs });
  const to = { state: join(state, "second"), worker: "graticule", databaseId: "x", bucket: "geodata" };
  const following = follow(silent, to, { log: () => {}, signal: ending.signal, pollMs: 10 });
  await expect
    .poll(() => followedBy(to.state)?.error)
    .toMatch(/^The look that began at .* has not ended: does .* answer/);
  const [before, looked] = [Date.now(), () => Date.parse(followedBy(to.state)?.lookedAt ?? "")];
  await expect.poll(looked).toBeGreaterThan(before);
  ending.abort();
  isOver();
  await following;
});

it.runIf(process.platform === "linux")("a backup process that a signal stopped is replaced", async () => {
  const lines: string[] = [];
  const log = (_: string, line: string) => lines.push(line);
  const backups = startBackups(join(state, "place"), "5s", join(state, "none"), log, 50);
  try {
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0);
    const [pid] = readdirSync("/proc").filter((one) => isOf(one, join(state, "place")));
    process.kill(Number(pid), "SIGSTOP");
    await expect.poll(() => lines.join(), { timeout: 20_000 }).toContain("stopped by a signal");
    await expect.poll(() => lines.join()).toContain("The backup process ended with code null. It restarts.");
  } finally {
    await backups.stop();
  }
});

/** A process with a word on its command line. */
function isOf(pid: string, word: string): boolean {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
  } catch {
    return false;
  }
}

it.runIf(process.platform === "linux")("processes with files of a state are found behind links to it", () => {
  const [real, link] = [join(state, "real"), join(state, "link")];
  mkdirSync(join(real, "state/v3"), { recursive: true });
  symlinkSync(real, link);
  const file = openSync(join(real, "state/v3/db.sqlite"), "w");
  copyFileSync("/bin/sleep", join(state, "workerd"));
  const child = spawn(join(state, "workerd"), ["60"], { stdio: [file, "ignore", "ignore"] });
  closeSync(file);
  try {
    for (const folder of [real, link])
      expect([folder, runtimesOn(join(folder, "state"))]).toEqual([folder, [child.pid]]);
    expect(runtimesOn(join(link, "other"))).toEqual([]);
  } finally {
    child.kill();
  }
});
