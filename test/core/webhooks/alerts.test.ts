import { describe, expect, it } from "vitest";
import {
  ALERT_LIMITS,
  ALERT_TYPES,
  type Alert,
  type AlertType,
  CALM_MS,
  type Finding,
  isDue,
  MAX_CRASHES,
  nextAlerts,
  parseAlertLimits,
  sentenceOf,
} from "../../../src/core/webhooks/alerts.ts";
import { ErrorRates } from "../../../src/core/webhooks/error-rates.ts";
import { LateWrites } from "../../../src/worker/objects/writer/late-writes.ts";
import { alertNotice } from "../../../src/worker/wire/alert.ts";
import { readExamples, WRITES_EXAMPLES, writeExamples } from "../../support/reference-examples.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 12);
const LATE: Finding = { scope: 3, type: "alert.outbox", value: 75, limit: 60 };

/** What is told by rounds a minute apart, in which the condition is there or not; "?" where it cannot be looked at. */
function toldBy(rounds: string): string[] {
  const told: string[] = [];
  let alerts: Alert[] = [];
  for (const [minute, sign] of [...rounds].entries()) {
    const now = NOW + minute * MINUTE;
    const unknown = new Set<AlertType>(sign === "?" ? ["alert.outbox"] : []);
    alerts = nextAlerts(alerts, sign === "x" ? [LATE] : [], unknown, now);
    for (const alert of alerts.filter((one) => isDue(one, now))) {
      told.push(`${alert.over ? "over" : "begun"} at ${minute}`);
      alerts = alerts.flatMap((one) => (one !== alert ? one : alert.over ? [] : { ...alert, told: true }));
    }
  }
  return told;
}

describe("an alert", () => {
  it.each([
    ["xxxxxxxx", ["begun at 0"]],
    ["..xx.....", ["begun at 2", "over at 8"]],
    ["x.x.x.x.x....", ["begun at 0"]],
    ["x.x.x.x.x.....", ["begun at 0", "over at 13"]],
    ["x.....x.....", ["begun at 0", "over at 5", "begun at 6", "over at 11"]],
    ["x????????", ["begun at 0"]],
    ["x????????.", ["begun at 0", "over at 9"]],
    [".........", []],
  ])("in minutes where it is so as in %j is told: %j", (rounds, told) => {
    expect(toldBy(rounds)).toEqual(told);
  });

  it("that could not be told is the same one with the next try, and one that ends untold is never told", async () => {
    const [first] = nextAlerts([], [LATE], new Set(), NOW);
    const [second] = nextAlerts([first], [{ ...LATE, value: 135 }], new Set(), NOW + MINUTE);
    expect(isDue(second, NOW + MINUTE)).toBe(true);
    const notices = [await alertNotice(first, NOW), await alertNotice(second, NOW + MINUTE)];
    expect(notices[1].id).toBe(notices[0].id);
    expect(nextAlerts([second], [], new Set(), NOW + MINUTE + CALM_MS)).toEqual([]);
  });

  it("of one build of geodata says nothing of another", () => {
    const old = (subject: string): Finding => ({ ...LATE, type: "alert.geodata_age", subject, value: 50, limit: 45 });
    const alerts = nextAlerts([], [old("portugal"), old("monaco")], new Set(), NOW).map((one) => ({
      ...one,
      told: true,
    }));
    const later = nextAlerts(alerts, [old("monaco")], new Set(), NOW + CALM_MS);
    expect(later.map(({ subject, over }) => [subject, over])).toEqual([
      ["monaco", false],
      ["portugal", true],
    ]);
  });

  it("says on the wire since when, how much, and that it is over, with an id of its own for each", async () => {
    const [alert] = nextAlerts([], [LATE], new Set(), NOW);
    const begun = await alertNotice(alert, NOW);
    const over = await alertNotice({ ...alert, seen: NOW + 4 * MINUTE, over: true }, NOW + 9 * MINUTE);
    expect(begun.id).toMatch(/^[0-9a-f]{24}$/);
    expect(over.id).not.toBe(begun.id);
    expect(JSON.parse(begun.json)).toEqual({
      _id: begun.id,
      type: "alert.outbox",
      live: true,
      createdAt: "2026-11-22T12:00:00.000Z",
      actualCreatedAt: "2026-11-22T12:00:00.000Z",
      alert: { state: "begun", since: "2026-11-22T12:00:00.000Z", value: 75, limit: 60, message: sentenceOf(alert) },
    });
    expect(JSON.parse(over.json)).toMatchObject({
      createdAt: "2026-11-22T12:04:00.000Z",
      actualCreatedAt: "2026-11-22T12:09:00.000Z",
      alert: { state: "over", since: "2026-11-22T12:00:00.000Z", until: "2026-11-22T12:04:00.000Z" },
    });
  });

  it("of each type has a sentence for its beginning and its end", () => {
    const sentences = ALERT_TYPES.flatMap((type) =>
      [false, true].map((over) =>
        sentenceOf({ ...LATE, type, subject: "monaco", since: 0, seen: 0, told: true, over }),
      ),
    );
    expect(new Set(sentences).size).toBe(2 * ALERT_TYPES.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z1-9].*\.$/);
  });
});

/** As a deployment finds them; what comes of it is what the catalogue of events shows. */
const FOUND: Record<AlertType, Pick<Finding, "value" | "limit" | "subject">> = {
  "alert.outbox": { value: 75, limit: ALERT_LIMITS.outbox },
  "alert.dead_letters": { value: 3, limit: 0 },
  "alert.error_rate": { value: 7.25, limit: ALERT_LIMITS.errors },
  "alert.geodata_age": { subject: "portugal", value: 52.5, limit: ALERT_LIMITS.geodata },
  "alert.disk": { value: 8.4, limit: ALERT_LIMITS.disk },
  "alert.archive": { value: 3, limit: ALERT_LIMITS.archive },
  "alert.storage": { subject: "DB", value: 71.5, limit: ALERT_LIMITS.storage },
  "alert.eta_error": { subject: "car", value: 24, limit: 16 },
  "alert.backup": { value: 240, limit: 180 },
  "alert.crashes": { value: 4, limit: MAX_CRASHES },
};

it("the catalogue of events shows of each alert what is sent (WRITE_EXAMPLES=1 notes it)", async () => {
  const messages: Record<string, { event: unknown }> = {};
  for (const type of ALERT_TYPES) {
    const [alert] = nextAlerts([], [{ ...LATE, ...FOUND[type], type }], new Set(), NOW);
    messages[type] = { event: JSON.parse((await alertNotice(alert, NOW)).json) };
  }
  const shown = readExamples("events");
  if (WRITES_EXAMPLES) return writeExamples("events", { ...shown, ...messages });
  for (const [type, message] of Object.entries(messages)) expect(shown[type]).toEqual(message);
});

describe("the limits of alerts", () => {
  it("are the operator's where they name them", () => {
    expect(parseAlertLimits(undefined)).toEqual(ALERT_LIMITS);
    expect(parseAlertLimits("errors=0.5, disk=20")).toEqual({ ...ALERT_LIMITS, errors: 0.5, disk: 20 });
  });

  it.each(["errors", "errors=", "error=1", "errors=-1", "toString=1"])("%j is refused", (text) => {
    expect(() => parseAlertLimits(text)).toThrow("ALERT_LIMITS");
  });
});

describe("the share of calls that fail", () => {
  const count = (calls: number, failures: number) => [{ scope: 2, calls, failures }];

  it("is that of the last five minutes, whatever was before", () => {
    const rates = new ErrorRates();
    const shares = Array.from({ length: 20 }, (_, minute) => {
      const failed = minute < 10 ? minute * 50 : 500;
      return rates.note(count(minute * 100, failed), "2026-11", NOW + minute * MINUTE)[0]?.share;
    });
    expect(shares.slice(0, 3)).toEqual([undefined, 50, 50]);
    expect(shares[10]).toBe(50);
    expect(shares[12]).toBeCloseTo(30);
    expect(shares[16]).toBe(0);
  });

  it("of a handful of calls says nothing, and a new month begins anew", () => {
    const rates = new ErrorRates();
    rates.note(count(0, 0), "2026-11", NOW);
    expect(rates.note(count(19, 19), "2026-11", NOW + MINUTE)).toEqual([]);
    expect(rates.note(count(20, 5), "2026-11", NOW + MINUTE)).toEqual([{ scope: 2, share: 25 }]);
    expect(rates.note(count(5, 5), "2026-12", NOW + 2 * MINUTE)).toEqual([]);
    expect(rates.note(count(30, 5), "2026-12", NOW + 3 * MINUTE)).toEqual([{ scope: 2, share: 0 }]);
  });
});

describe("what a writer could not deliver", () => {
  function disk() {
    const rows = new Map<string, unknown>();
    return {
      rows,
      list: ({ prefix }: { prefix: string }) => [...rows].filter(([name]) => name.startsWith(prefix)),
      put: (name: string, value: unknown) => void rows.set(name, value),
      delete: (name: string) => rows.delete(name),
    };
  }
  const event = (at: number) => ({ scope: 7, doc: JSON.stringify({ actualCreatedAt: at }) });

  it("is late since its first event was made, until it has arrived, also for a writer that was put away meanwhile", () => {
    const kept = disk();
    const late = new LateWrites(kept, NOW);
    const first = {};
    late.begin(first, 7, NOW);
    expect(late.figures(NOW + 1000)).toEqual({ trackers: 0, oldest: [[7, NOW]] });
    late.failed(first, "t1", [event(NOW - 5000)], NOW + 2000);
    expect(late.figures(NOW + 3000)).toEqual({ trackers: 1, oldest: [[7, NOW - 5000]] });
    const woken = new LateWrites(kept, NOW + MINUTE);
    expect(woken.figures(NOW + MINUTE)).toEqual({ trackers: 1, oldest: [[7, NOW - 5000]] });
    const second = {};
    woken.begin(second, 7, NOW + MINUTE);
    woken.arrived(second, "t1");
    expect(woken.figures(NOW + MINUTE)).toEqual({ trackers: 0, oldest: [] });
    expect(kept.rows.size).toBe(0);
  });

  it("is forgotten when its tracker, whose users were deleted, does not come again", () => {
    const kept = disk();
    const late = new LateWrites(kept, NOW);
    const write = {};
    late.begin(write, 7, NOW);
    late.failed(write, "t1", [], NOW);
    expect(late.figures(NOW + 2 * MINUTE).trackers).toBe(1);
    expect(late.figures(NOW + 3 * MINUTE)).toEqual({ trackers: 0, oldest: [] });
    expect(kept.rows.size).toBe(0);
  });

  it("costs the disk nothing as long as all goes well", () => {
    const kept = disk();
    const late = new LateWrites(kept, NOW);
    const write = {};
    late.begin(write, 7, NOW);
    late.arrived(write, "t1");
    expect([kept.rows.size, late.figures(NOW)]).toEqual([0, { trackers: 0, oldest: [] }]);
  });
});
