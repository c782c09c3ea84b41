import { describe, expect, it } from "vitest";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../src/core/tracking/trace/decision.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { at, Device, fenceOf, HOME, home, NOON } from "./world.ts";

const S = 1000;
const delayed = (exitDelay: number): TrackingSettings => ({ ...DEFAULT_SETTINGS, exitDelay });

function walk(exitDelay: number, fixes: readonly [second: number, metres: number, more?: Partial<LocationUpdate>][]) {
  const device = new Device();
  device.settings = delayed(exitDelay);
  for (const [second, metres, more] of fixes) {
    device.clock = NOON + second * S - 60 * S;
    device.send(metres, { accuracy: 1.9, ...more });
  }
  return device;
}

describe("a project with an exit delay", () => {
  const ENTER = "entered_geofence";
  const EXIT = "exited_geofence";

  it.each<[what: string, delay: number, fixes: Parameters<typeof walk>[1], log: string[]]>([
    [
      "does not believe one fix outside that the next takes back",
      60,
      [
        [0, 0],
        [10, 300],
        [20, 0],
      ],
      [ENTER],
    ],
    [
      "without a delay believes it",
      0,
      [
        [0, 0],
        [10, 300],
        [20, 0],
      ],
      [ENTER, EXIT, ENTER],
    ],
    [
      "exits by the first fix outside after the delay",
      60,
      [
        [0, 0],
        [10, 300],
        [69, 300],
        [70, 310],
      ],
      [ENTER, EXIT],
    ],
    [
      "does not exit before",
      60,
      [
        [0, 0],
        [10, 300],
        [69.9, 300],
      ],
      [ENTER],
    ],
    [
      "measures from the first fix outside",
      60,
      [
        [0, 0],
        [10, 300],
        [40, 9000],
        [80, 200],
      ],
      [ENTER, EXIT],
    ],
    [
      "measures anew after a fix inside",
      60,
      [
        [0, 0],
        [10, 300],
        [20, 0],
        [30, 300],
        [75, 300],
      ],
      [ENTER],
    ],
    [
      "exits by a fix much later",
      60,
      [
        [0, 0],
        [10, 300],
        [9000, 300],
      ],
      [ENTER, EXIT],
    ],
    [
      "does not exit if it is inside much later",
      60,
      [
        [0, 0],
        [10, 300],
        [9000, 0],
      ],
      [ENTER],
    ],
    [
      "counts no fix that is not accurate",
      60,
      [
        [0, 0],
        [10, 300],
        [80, 0, { accuracy: 5000 }],
      ],
      [ENTER],
    ],
    [
      "enters at once",
      60,
      [
        [0, 300],
        [10, 0],
      ],
      [ENTER],
    ],
  ])("%s", (_, delay, fixes, log) => expect(walk(delay, fixes).log).toEqual(log));

  it("holds for geofences that are far behind, and shows them until the exit", () => {
    const device = walk(60, [[0, 0]]);
    device.around = { fences: [] };
    device.clock = NOON + 10 * S - 60 * S;
    device.send(9000);
    expect(device.inside()).toEqual(["f1"]);
    device.clock = NOON + 80 * S - 60 * S;
    device.send(9000);
    expect([device.inside(), device.log.at(-1)]).toEqual([[], EXIT]);
  });

  it("exits a disabled geofence at once", () => {
    const device = walk(60, [[0, 0]]);
    device.around = { fences: [{ ...home, enabled: false }] };
    expect(device.send(0).events.map(({ type }) => type)).toEqual(["user.exited_geofence"]);
  });

  it("does not prolong the wait when the clock is set back", () => {
    const device = walk(60, [
      [0, 0],
      [1000, 300],
      [500, 300],
    ]);
    expect(device.log).toEqual([ENTER]);
    device.clock = NOON + 560 * S - 60 * S;
    device.send(300);
    expect(device.log).toEqual([ENTER, EXIT]);
  });

  it("explains the wait", () => {
    const { state } = walk(60, [[0, 0]]);
    const decisions: Decision[] = [];
    const device = new Device();
    device.clock = NOON + 10 * S;
    const update = device.update({ location: at(300), accuracy: 1.9 });
    const identity = { _id: "a", live: false };
    applyUpdate(state, update, { fences: [home] }, delayed(60), identity, (one) => decisions.push(one));
    expect(decisions.find(({ rule }) => rule === "exitDelay")).toMatchObject({
      passed: false,
      figures: { secondsOutside: 0, exitDelay: 60 },
    });
  });

  it("waits before it leaves a place, too", () => {
    const shop = { _id: "p1", name: "Shop", categories: [], location: HOME };
    const run = (exitDelay: number, last: number) => {
      const device = new Device();
      device.settings = delayed(exitDelay);
      const go = (second: number, metres: number, isThere: boolean) => {
        device.clock = NOON + second * S - 60 * S;
        device.around = { fences: [], place: isThere ? shop : null };
        device.send(metres, { accuracy: 1.9, stopped: true });
      };
      go(0, 0, true);
      go(10, 300, false);
      go(20, last, last === 0);
      go(90, last, last === 0);
      return device.log;
    };
    expect(run(60, 0)).toEqual(["entered_place"]);
    expect(run(60, 300)).toEqual(["entered_place", "exited_place"]);
    expect(run(0, 0)).toEqual(["entered_place", "exited_place", "entered_place"]);
  });
});

/** The rule in its simplest form, for a device that is always far from the edge: what each time and side leads to. */
class Model {
  readonly log: string[] = [];
  #isIn = false;
  #leaving: number | undefined;
  #newest: number | undefined;
  readonly #delay: number;
  readonly #known: string[] = [];

  constructor(delay: number) {
    this.#delay = delay * S;
  }

  take(time: number | undefined, now: number, isInside: boolean, replayed: boolean, name: string): void {
    if (time !== undefined && this.#known.includes(name)) return;
    let at = time ?? now;
    if (time !== undefined && this.#newest !== undefined && time <= this.#newest) {
      if (replayed) return;
      at = now;
    }
    if (time !== undefined) this.#known.push(name);
    this.#newest = at;
    if (!this.#isIn && isInside) this.log.push(`enter ${at}`);
    if (!this.#isIn || isInside) {
      this.#isIn = isInside;
      this.#leaving = undefined;
      return;
    }
    this.#leaving = Math.min(this.#leaving ?? at, at);
    if (at - this.#leaving < this.#delay) return;
    this.log.push(`exit ${at}`);
    this.#isIn = false;
    this.#leaving = undefined;
  }
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "equals a simple model over late, repeated and out-of-order updates and replays, and a stored state: seed %i",
  (seed) => {
    const random = seededRandom(seed + 1);
    const delay = [0, 5, 30, 60, 300, 3600][seed % 6];
    const settings = delayed(delay);
    const model = new Model(delay);
    const log: string[] = [];
    const other = fenceOf("f2", at(50_000), 100);
    let state: UserState | undefined;
    let now = NOON;
    let isInside = false;
    let last: LocationUpdate | undefined;
    for (let i = 0; i < 120; i++) {
      now += Math.floor(random() * 60) * S;
      if (random() < 0.15) isInside = !isInside;
      const time = random() < 0.2 ? undefined : now - (random() < 0.3 ? Math.floor(random() * 200) * S : 0);
      const fresh: LocationUpdate = {
        ...{ deviceId: "d", receivedAt: now, replayed: random() < 0.3, accuracy: 2 + random() * 8 },
        location: at(isInside ? random() * 20 : 400 + random() * 5000, random() * 360),
        ...(time !== undefined && { updatedAt: time }),
      };
      const again: boolean = last?.updatedAt !== undefined && random() < 0.15;
      const update: LocationUpdate = again ? { ...(last as LocationUpdate), receivedAt: now } : fresh;
      last = update;
      const inside = near(update);
      const isFar = !inside && random() < 0.5;
      const before = state && (JSON.parse(JSON.stringify(state)) as UserState);
      const around = { fences: isFar ? [other] : [home, other] };
      const outcome = applyUpdate(before, update, around, settings, { _id: "u", live: false });
      state = outcome.state;
      if (!outcome.repeated)
        for (const { type, createdAt } of outcome.events)
          log.push(`${type === "user.entered_geofence" ? "enter" : "exit"} ${createdAt}`);
      const { location, accuracy, updatedAt, replayed } = update;
      model.take(
        updatedAt,
        now,
        inside,
        replayed,
        `${updatedAt} ${location.latitude} ${location.longitude} ${accuracy}`,
      );
    }
    expect(log).toEqual(model.log);
    expect(log.length).toBeGreaterThan(0);
  },
);

const near = ({ location }: LocationUpdate) =>
  Math.hypot(location.latitude - HOME.latitude, (location.longitude - HOME.longitude) * 0.76) < 0.001;
