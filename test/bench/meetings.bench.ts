import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SidedRule } from "../../src/core/engagement/meeting.ts";
import type { Fix } from "../../src/core/engagement/meetings/judge-pair.ts";
import { MeetingCell } from "../../src/core/engagement/meetings/meeting-cell.ts";
import { Watch } from "../../src/core/engagement/meetings/watch.ts";
import { destination } from "../../src/core/geo/distance.ts";
import { applyUpdate } from "../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../src/core/tracking/types/state.ts";
import type { Report } from "./bench.ts";
import { send } from "./support/load.ts";
import { checkOut, here, type Tree } from "./support/older-tree.ts";
import { cpuSeconds } from "./support/process-cpu.ts";
import { seededRandom } from "./support/random.ts";
import type { PlatformWorker } from "./worker.ts";

export const name = "meetings";
export const summary =
  "Meetings of 100,000 users in a city at 1,000 updates a second: calls, CPU, memory; `users=`, `seconds=`, `base=COMMIT`.";

const CITY = { latitude: 48.2, longitude: 16.37 };
/** Radius of the city: 400 km², as Vienna [m]. */
const CITY_METRES = 11_300;
const ACCURACY = 10;
const BATCH = 50;

/**
 * Two worlds: all users meet each other, and one user in fifty, a courier, meets the others. Of the updates, seven of ten are of users that
 * stand (positions change by noise), the others walk or drive. CPU: the pure part of an update (the tracking step, and the state as JSON)
 * with and without its part of meetings, then whole updates of a Worker, in turns.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const asked = Object.fromEntries(words.map((word) => word.split("=")));
  const users = Number(asked.users ?? 100_000);
  const seconds = Number(asked.seconds ?? 60);
  for (const [what, sidesOf] of [
    ["all meet all", () => 3],
    ["couriers meet customers", (i: number) => (i % 50 === 0 ? 1 : 2)],
  ] as const)
    simulate(report, `${users} users, ${what}`, users, seconds * 1000, sidesOf);
  if (asked.worker !== "no") await measureWorkers(report, asked.base === undefined ? undefined : checkOut(asked.base));
}

function simulate(report: Report, label: string, users: number, updates: number, sidesOf: (i: number) => number): void {
  const random = seededRandom(7);
  const rulesOf = (i: number): SidedRule[] => [
    { _id: "r", name: "Near", radius: 100, minimumSeconds: 0, freshMinutes: 10, sides: sidesOf(i) as 1 | 2 | 3 },
  ];
  const at = Array.from({ length: users }, () => destination(CITY, random() * 360, Math.sqrt(random()) * CITY_METRES));
  const cells = new Map<string, MeetingCell>();
  const watches = Array.from({ length: users }, () => new Watch());
  const fixes: Fix[] = [];
  let [calls, pulls, messages, cpu, plain] = [0, 0, 0, 0, 0];
  const place = (i: number, fix: Fix) => {
    const phone = { _id: `u${i}`, deviceId: `d${i}` };
    fixes[i] = fix;
    if (!watches[i].note(fix, rulesOf(i))) return;
    // As a Durable Object stores and sends it.
    structuredClone(watches[i].stored);
    const made = watches[i].report(phone);
    if (!made) return;
    const answers = made.calls.map(({ cell: name, placement }) => {
      const cell = cells.get(name) ?? new MeetingCell();
      cells.set(name, cell);
      calls++;
      const sent = structuredClone(placement);
      for (const { _id } of cell.toPull(sent)) {
        const other = Number(_id.slice(1));
        pulls++;
        watches[other].pull();
        cell.pulled(_id, structuredClone(fixes[other]));
      }
      const { messages: told, ...placed } = cell.place(sent, fix.at);
      structuredClone(cell.take());
      messages += told.length;
      return structuredClone(placed);
    });
    watches[i].reported(made, answers);
  };
  const start = Date.UTC(2026, 6, 1);
  for (let i = 0; i < users; i++) place(i, { ...at[i], accuracy: ACCURACY, at: start });
  const members = [...cells.values()].reduce((sum, { size }) => sum + size, 0);
  [calls, pulls, messages] = [0, 0, 0];
  const states = new Map<number, UserState>();
  for (let n = 0; n < updates; n += BATCH) {
    const moves = Array.from({ length: BATCH }, () => {
      const i = Math.floor(random() * users);
      const metres = random() < 0.7 ? random() * 8 : 20 + random() * 180;
      at[i] = destination(at[i], random() * 360, metres);
      return i;
    });
    const now = start + 60_000 + n;
    const from = process.cpuUsage();
    for (const i of moves) {
      const update = { deviceId: `d${i}`, location: at[i], accuracy: ACCURACY, replayed: false, receivedAt: now };
      const { state } = applyUpdate(states.get(i), update, { fences: [] }, DEFAULT_SETTINGS, {
        _id: `u${i}`,
        live: true,
      });
      JSON.stringify(state);
      states.set(i, state);
    }
    plain += micros(from);
    const then = process.cpuUsage();
    for (const i of moves) place(i, { ...at[i], accuracy: ACCURACY, at: now });
    cpu += micros(then);
  }
  const row = (metric: string, value: number, unit: string, baseline: number | null = null) =>
    report({ case: label, metric, value, unit, baseline });
  row("calls per update", calls / updates, "");
  row("positions asked for per update", pulls / updates, "");
  row("messages per update", messages / updates, "");
  row("CPU of meetings per update", cpu / updates, "µs");
  row("CPU of the tracking step per update", plain / updates, "µs");
  row("heap of a cell per 1,000 users in it", heapOf([...cells.values()]), "bytes");
  row("copies per user", members / users, "");
}

/** What cells hold, as they are after a restart [bytes per 1,000 members]. */
function heapOf(cells: readonly MeetingCell[]): number {
  const stored = cells.map((cell) => JSON.stringify(cell.stored()));
  const before = heapBytes();
  const opened = stored.map((text) => new MeetingCell(JSON.parse(text)));
  const held = heapBytes() - before;
  return (held / opened.reduce((sum, { size }) => sum + size, 0)) * 1000;
}

function micros(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/** What is in use after a collection. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

const DEVICES = 200;
const [SLICES, PER_SLICE] = [8, 400];

/**
 * Whole updates: a project without rules, one with a rule and nobody near, and one in which each user is near another.
 * @param older without rules, too, to compare with
 */
async function measureWorkers(report: Report, older: Tree | undefined): Promise<void> {
  const random = seededRandom(9);
  const homes = Array.from({ length: DEVICES }, (_, i) => destination(CITY, random() * 360, 500 + i * 40));
  const kinds: [what: string, radius: number | undefined, pairs: boolean, tree?: Tree][] = [
    ...(older ? [[`no rule, ${older.name}`, undefined, false, older] as [string, undefined, boolean, Tree]] : []),
    ["no rule", undefined, false],
    ["a rule, nobody near", 10, false],
    ["a rule, each user near another", 100, true],
  ];
  const workers: { platform: PlatformWorker; cpu: number }[] = [];
  try {
    for (const [, radius, , tree = here] of kinds) {
      const { startPlatform } = (await import(
        join(tree.folder, "test/bench/worker.ts")
      )) as typeof import("./worker.ts");
      const platform = await startPlatform({ unlimited: ["track", "listUsers"] });
      const headers = { Authorization: platform.keys.testSecret };
      const body = { name: "Near", radius };
      if (radius !== undefined) await send(platform, { method: "POST", path: "/v1/meetings", headers, body });
      workers.push({ platform, cpu: 0 });
    }
    for (let slice = -1; slice < SLICES; slice++)
      for (const [k, worker] of workers.entries()) {
        const from = cpuSeconds(worker.platform.pid);
        for (let n = 0; n < PER_SLICE; n++) {
          const device = n % DEVICES;
          const home = kinds[k][2] ? homes[device & ~1] : homes[device];
          const body = { deviceId: `d${device}`, ...destination(home, random() * 360, random() * 4), accuracy: 5 };
          const headers = { Authorization: worker.platform.keys.testPublishable };
          await send(worker.platform, { method: "POST", path: "/v1/track", headers, body });
        }
        await send(worker.platform, {
          path: "/v1/users?limit=1",
          headers: { Authorization: worker.platform.keys.testSecret },
        });
        // The first slice creates the users.
        if (slice >= 0) worker.cpu += cpuSeconds(worker.platform.pid) - from;
      }
    const [{ cpu: base }] = workers;
    for (const [k, { cpu }] of workers.entries())
      report({
        ...{ case: `an update of a Worker, ${kinds[k][0]}`, metric: "CPU", unit: "ms" },
        ...{ value: (cpu * 1000) / (SLICES * PER_SLICE), baseline: (base * 1000) / (SLICES * PER_SLICE) },
      });
  } finally {
    for (const { platform } of workers) await platform.stop();
    older?.discard();
  }
}
