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
  "Meetings of `users=` (0: only whole updates) for `seconds=`: calls, CPU and memory, beside `base=COMMIT`.";

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
  for (const [what, sidesOf] of users === 0
    ? []
    : ([
        ["all meet all", () => 3],
        ["couriers meet customers", (i: number) => (i % 50 === 0 ? 1 : 2)],
      ] as const))
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
    if (!watches[i].note(fix, rulesOf(i), undefined)) return;
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
const [SLICES, PER_SLICE] = [Number(process.env.BENCH_SLICES ?? 12), 400];

/** A Worker to measure: the radius of its rule, whether each user is near another, and how far users move between updates [m]. */
interface Kind {
  what: string;
  tree?: Tree;
  radius?: number;
  isPaired?: boolean;
  stride: number;
}

/**
 * Whole updates: a project without rules, one with a rule and nobody near, and two in which each user is near another, where it stands or
 * while it moves. In turns, forth and back; the ratio of each slice to that without a rule has a spread.
 * @param older without rules, too, to compare with
 */
async function measureWorkers(report: Report, older: Tree | undefined): Promise<void> {
  const random = seededRandom(9);
  const homes = Array.from({ length: DEVICES }, (_, i) => destination(CITY, random() * 360, 500 + i * 40));
  const kinds: Kind[] = [
    { what: "no rule", stride: 4 },
    { what: "a rule, nobody near", radius: 10, stride: 4 },
    { what: "a rule, each user stands near another", radius: 100, isPaired: true, stride: 4 },
    { what: "no rule, users move", stride: 60 },
    { what: "a rule, each user moves with another", radius: 100, isPaired: true, stride: 60 },
    ...(older ? [{ what: `no rule, ${older.name}`, tree: older, stride: 4 }] : []),
  ];
  const workers: { kind: Kind; platform: PlatformWorker; slices: number[]; sent: number; from: number }[] = [];
  try {
    for (const kind of kinds) {
      const { startPlatform } = (await import(
        join((kind.tree ?? here).folder, "test/bench/worker.ts")
      )) as typeof import("./worker.ts");
      const platform = await startPlatform({ unlimited: ["track", "listUsers"] });
      const headers = { Authorization: platform.keys.testSecret };
      const body = { name: "Near", radius: kind.radius };
      if (kind.radius !== undefined) await send(platform, { method: "POST", path: "/v1/meetings", headers, body });
      workers.push({ kind, platform, slices: [], sent: 0, from: cpuSeconds(platform.pid) });
    }
    const measure = async (worker: (typeof workers)[number]) => {
      const { kind, platform, slices } = worker;
      for (let n = 0; n < PER_SLICE; n++) {
        const device = worker.sent++ % DEVICES;
        const round = Math.floor(worker.sent / DEVICES);
        const home = destination(kind.isPaired ? homes[device & ~1] : homes[device], 90, kind.stride * round);
        const body = { deviceId: `d${device}`, ...destination(home, random() * 360, random() * 4), accuracy: 5 };
        const headers = { Authorization: platform.keys.testPublishable };
        await send(platform, { method: "POST", path: "/v1/track", headers, body });
      }
      const headers = { Authorization: platform.keys.testSecret };
      await send(platform, { path: "/v1/users?limit=1", headers });
      // With what it did since its last slice: some writes wait.
      const now = cpuSeconds(platform.pid);
      slices.push(now - worker.from);
      worker.from = now;
    };
    for (let slice = 0; slice <= SLICES; slice++)
      for (const worker of slice % 2 === 0 ? workers : workers.toReversed()) await measure(worker);
    // The first slice creates the users.
    for (const { slices } of workers) slices.shift();
    for (const { kind, slices } of workers) {
      const base = workers.find(
        (one) => one.kind.radius === undefined && !one.kind.tree && one.kind.stride === kind.stride,
      );
      const ratios = slices.map((cpu, i) => cpu / (base?.slices[i] ?? cpu)).sort((a, b) => a - b);
      const sum = (all: readonly number[] = slices) => (all.reduce((a, b) => a + b, 0) * 1000) / (SLICES * PER_SLICE);
      const label = `an update of a Worker, ${kind.what}`;
      report({ case: label, metric: "CPU", unit: "ms", value: sum(), baseline: sum(base?.slices) });
      for (const [name, share] of [
        ["lower quartile", 0.25],
        ["median", 0.5],
        ["upper quartile", 0.75],
      ] as const)
        report({
          case: label,
          metric: `ratio, ${name}`,
          unit: "",
          value: ratios[Math.floor(share * ratios.length)],
          baseline: null,
        });
    }
  } finally {
    for (const { platform } of workers) await platform.stop();
    older?.discard();
  }
}
