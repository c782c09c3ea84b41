import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { READING } from "../../../src/importer/osm/read/read-extracts.ts";
import type { ImportCounts } from "../../../src/importer/report/import-counts.ts";
import { ImportMeter } from "../../../src/importer/report/import-meter.ts";
import { PhaseMeter } from "../../../src/importer/report/phase-meter.ts";
import { amountsOf, PhaseTimes } from "../../../src/importer/report/phase-times.ts";
import { layers } from "../../../src/importer/run/layers.ts";

/**
 * A real import. Its first line is the extract, the threads and the counts of its forecast; then a line has seconds, "begin" or "end" and
 * the phase, or seconds, "progress", phase, done and total. Seconds are those of the busiest thread at each moment, summed, so that
 * other work on the machine does not count: about those on an idle machine.
 */
interface Recording {
  extract: string;
  threads: number;
  counts: ImportCounts;
  events: [at: number, event: string, phase?: string, done?: number, total?: number][];
}

const FOLDER = join(import.meta.dirname, "recordings");
const recordings = readdirSync(FOLDER).map((file): Recording => {
  const [head, ...lines] = readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n");
  const events = lines.map((line): Recording["events"][number] => {
    const [at, event, phase, done, total] = line.split("\t");
    return [Number(at), event, phase, Number(done), Number(total)];
  });
  return { ...JSON.parse(head), events };
});
const nameOf = ({ extract, threads }: Recording) => `${extract.replace(".osm.pbf", "")}, ${threads} thread(s)`;
const PHASES = [...READING, ...layers.map(({ name }) => name)];

/** What an import's machine knows after it. */
async function timesAfter(path: string, { events, ...recording }: Recording): Promise<void> {
  const times = await PhaseTimes.open(path, amountsOf(recording.counts));
  const begun = new Map<string, number>();
  for (const [at, event, phase = ""] of events) {
    if (event === "begin") begun.set(phase, at);
    if (event === "end") await times.record(phase, at - begun.get(phase)!);
  }
}

interface Shown {
  at: number;
  share: number;
  left: number;
}

/** What a terminal shows during an import: each quarter of a second, as its reporter ticks. */
function shownDuring(
  { events }: Recording,
  forecast: Record<string, number>,
): { shown: Shown[]; from: number; to: number } {
  const meter = new ImportMeter(forecast);
  const open: { phase: string; meter: PhaseMeter; done: number }[] = [];
  const shown: Shown[] = [];
  let now = events[0][0];
  const show = () => {
    const inner = open.at(-1);
    const measured = inner && meter.measure(inner.phase, inner.meter.measure(), now);
    if (measured) shown.push({ at: now, ...measured });
  };
  for (const [at, event, phase = "", done = 0, total = 0] of events) {
    for (; now + 0.25 < at; now += 0.25) show();
    now = at;
    if (event === "begin") {
      meter.begin(phase, now);
      open.push({
        phase,
        done: 0,
        meter: new PhaseMeter(
          () => now * 1000,
          undefined,
          () => {},
        ),
      });
    }
    const one = open.find((other) => other.phase === phase);
    if (event === "progress" && one) {
      one.meter.expect(total);
      one.meter.advance(done - one.done);
      one.done = done;
    }
    show();
    if (event === "end" && one) open.splice(open.indexOf(one), 1);
  }
  return { shown, from: events[0][0], to: events.at(-1)![0] };
}

/** How far off the time left is, as a factor of 1 or more, from a share of the duration on; the last two seconds do not count. */
function worstFactor({ shown, to }: ReturnType<typeof shownDuring>, fromShare: number): number {
  let worst = 1;
  for (const { at, share, left } of shown) {
    const truly = to - at;
    if (share < fromShare || truly < 2) continue;
    worst = Math.max(worst, (left + 1) / (truly + 1), (truly + 1) / (left + 1));
  }
  return worst;
}

/** The longest time without a step of the bar, and its largest step, as shares of the duration and of the bar. */
function evenness({ shown, from, to }: ReturnType<typeof shownDuring>): { still: number; jump: number } {
  let [still, jump, since, before] = [0, 0, from, 0];
  for (const { at, share } of shown) {
    jump = Math.max(jump, share - before);
    // A bar of 20 characters, with per cent.
    if (Math.floor(share * 100) > Math.floor(before * 100)) since = at;
    still = Math.max(still, at - since);
    before = share;
  }
  return { still: still / (to - from), jump: Math.max(jump, 1 - before) };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "meter-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("an import of another extract, on a machine that has imported once,", () => {
  const cases = recordings.flatMap((one) =>
    recordings
      .filter((other) => other !== one)
      .map((other) => ({ name: `${nameOf(one)} after ${nameOf(other)}`, one, other })),
  );

  it.each(cases)("$name: the time left is within a factor of 2, and the bar moves evenly", async ({ one, other }) => {
    const path = join(folder, `${nameOf(other)}.json`);
    await timesAfter(path, other);
    const forecast = (await PhaseTimes.open(path, amountsOf(one.counts))).leaves(PHASES)!;
    const during = shownDuring(one, forecast);
    const { still, jump } = evenness(during);
    expect({ factor: worstFactor(during, 0.1), still, jump }).toEqual({
      factor: expect.toSatisfy((factor: number) => factor <= 2),
      still: expect.toSatisfy((share: number) => share <= 0.1),
      jump: expect.toSatisfy((share: number) => share <= 0.2),
    });
  });
});
