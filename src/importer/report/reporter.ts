import type { Progress } from "../common/progress.ts";
import type { Forecast } from "./import-counts.ts";
import { ImportMeter } from "./import-meter.ts";
import { type Measure, PhaseMeter } from "./phase-meter.ts";
import { partsOf } from "./phase-times.ts";

/** Shows how far an import is. */
export interface Reporter {
  /** The phases that are ahead, in order. Steps of a phase ("roads: graph") are not among them. */
  plan(phases: readonly string[]): void;
  /** The forecast of the import. */
  foresee(forecast: Forecast): void;
  /** `forecast`: seconds that it will likely take, for a phase that does not know how much is ahead. */
  begin(phase: string, forecast?: number): Progress & { end(): void };
  /** A phase whose result an earlier, interrupted run left. */
  skipped(phase: string): void;
  /** Prints a separate line. */
  say(line: string): void;
}

/** Says nothing: for tests. */
export const silent: Reporter = {
  plan() {},
  foresee() {},
  begin: () => ({ expect() {}, advance() {}, end() {} }),
  skipped() {},
  say() {},
};

/** Off a terminal: a first line soon, then one a minute [ms]. */
const PLAIN_FIRST = 5000;
const PLAIN_INTERVAL = 60_000;
const TTY_INTERVAL = 120;
/** A phase that is busy with one large thing still shows that time passes. */
const TICK = 1000;
const BAR = 20;
const NAME = 12;

/** The number of the phase, as "4/9"; a step has the number of its phase. */
export class PhasePlan {
  #phases: readonly string[] = [];
  /** The last that was asked for: what comes between two phases goes with the first. */
  #last = -1;

  set(phases: readonly string[]): void {
    this.#phases = phases;
  }

  /** 1 for the first phase; undefined for what is not in the plan. */
  place(phase: string): { number: number; of: number } | undefined {
    const index = this.#phases.indexOf(partsOf(splitPhase(phase)[0])[0]);
    this.#last = index < 0 ? this.#last : index;
    return this.#last < 0 ? undefined : { number: this.#last + 1, of: this.#phases.length };
  }

  label(phase: string): string {
    const place = this.place(phase);
    const number = place ? `${`${place.number}/${place.of}`.padStart(5)} ` : "  ";
    return `${number}${splitPhase(phase)[0].padEnd(NAME)}`;
  }
}

/** "roads: graph" → phase and step. */
export function splitPhase(phase: string): [name: string, step?: string] {
  const [name, step] = phase.split(": ");
  return step === undefined ? [name] : [name, step];
}

interface Stream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/**
 * One line per phase. On a terminal it moves: a bar, per cent, what is done and how fast, the time left; steps of a phase share
 * its line. Elsewhere a plain line comes after five seconds, then every minute, and at the end. Where an import has a forecast, bar and
 * time left are those of the import. `now` in milliseconds.
 *
 *       3/9 nodes        ████████░░░░░░░░░░░░   40 %  40.0 MB  10.0 MB/s  6 s left
 */
export function streamReporter(stream: Stream, now: () => number = () => performance.now()): Reporter {
  const tty = stream.isTTY === true;
  const lines = new PhaseLines(stream, tty, now);
  const { plan } = lines;
  const say = (text: string) => void stream.write(tty ? `\r\x1b[K${text}\n` : `${text}\n`);
  return {
    plan: (phases) => plan.set(phases),
    foresee: (forecast) => {
      lines.whole = forecast.phases && new ImportMeter(forecast.phases);
      say(forecastLine(forecast));
    },
    say,
    skipped: (phase) => {
      if (splitPhase(phase).length === 1) stream.write(`${plan.label(phase)} done before the interruption\n`);
      else if (!tty) stream.write(`${plan.label(phase)} ${splitPhase(phase)[1]}: done before the interruption\n`);
    },
    begin(phase, forecast) {
      const meter = lines.begin(phase, forecast);
      const ticks = setInterval(() => lines.drawIfDue(), TICK);
      ticks.unref();
      return {
        expect: (total, unit) => meter.expect(total, unit),
        advance: (count) => meter.advance(count),
        end() {
          clearInterval(ticks);
          lines.end(phase, meter);
        },
      };
    },
  };
}

/** The open phases, and the line of the innermost one. */
class PhaseLines {
  readonly plan = new PhasePlan();
  whole: ImportMeter | undefined;
  readonly #open: { phase: string; meter: PhaseMeter }[] = [];
  readonly #stream: Stream;
  readonly #tty: boolean;
  readonly #now: () => number;
  #due = 0;

  constructor(stream: Stream, tty: boolean, now: () => number) {
    this.#stream = stream;
    this.#tty = tty;
    this.#now = now;
  }

  begin(phase: string, forecast: ConstructorParameters<typeof PhaseMeter>[1]): PhaseMeter {
    const meter = new PhaseMeter(this.#now, forecast, () => this.drawIfDue());
    this.whole?.begin(phase, this.#now() / 1000);
    // A step continues with the line of its phase, so it does not begin the waiting again.
    if (this.#open.length === 0) this.#due = this.#now() + (this.#tty ? 0 : PLAIN_FIRST);
    this.#open.push({ phase, meter });
    if (this.#tty) this.drawIfDue();
    return meter;
  }

  drawIfDue(): void {
    const at = this.#now();
    if (at < this.#due || this.#open.length === 0) return;
    this.#due = at + (this.#tty ? TTY_INTERVAL : PLAIN_INTERVAL);
    this.#draw(this.#line());
  }

  end(phase: string, meter: PhaseMeter): void {
    const at = this.#open.findIndex((one) => one.meter === meter);
    this.#open.splice(at, 1);
    const [name, step] = splitPhase(phase);
    const measure = meter.measure();
    // On a terminal the line belongs to the phase around it; a log keeps steps that took their time.
    const inside = this.#open.some((other) => other.phase === name);
    if (inside && (this.#tty || measure.seconds < PLAIN_FIRST / 1000)) return;
    this.#draw(`${this.plan.label(phase)}${endText(measure, step)}`);
    if (this.#tty) this.#stream.write("\n");
  }

  /** The innermost phase, with the progress of the phase around it if it has none. */
  #line(): string {
    const { phase, meter } = this.#open[this.#open.length - 1];
    const own = meter.measure();
    const shown =
      this.whole?.measure(phase, own, this.#now() / 1000) ??
      this.#open.findLast((one) => one.meter.measure().share !== undefined)?.meter.measure();
    return `${this.plan.label(phase)}${progressText(own, shown, splitPhase(phase)[1], this.#tty)}`;
  }

  #draw(text: string): void {
    this.#stream.write(this.#tty ? `\r\x1b[K${text.slice(0, (this.#stream.columns ?? 80) - 1)}` : `${text}\n`);
  }
}

function progressText(
  own: Measure,
  shown: Pick<Measure, "share" | "left"> | undefined,
  step: string | undefined,
  tty: boolean,
): string {
  const { share, left } = shown ?? {};
  const parts = [""];
  if (share !== undefined)
    parts.push(
      ...(tty ? [bar(share, step === undefined ? BAR : BAR / 2)] : []),
      `${String(Math.floor(100 * share)).padStart(3)} %`,
    );
  if (step !== undefined) parts.push(step);
  // A bare number would be steps of the program, which say nothing to an operator.
  if (own.done > 0 && own.unit) parts.push(amount(own.done, own.unit), `${amount(own.rate, own.unit)}/s`);
  else if (share === undefined) parts.push(`${timeSpan(own.seconds)} so far`);
  if (left !== undefined) parts.push(`${timeSpan(left)} left`);
  return parts.join("  ");
}

function endText({ seconds, done, unit }: Measure, step: string | undefined): string {
  const rate = done > 0 && unit && seconds > 0 ? `  ${amount(done, unit)}, ${amount(done / seconds, unit)}/s` : "";
  return ` ${seconds.toFixed(1).padStart(7)} s${step === undefined ? "" : `  ${step}`}${rate}`;
}

/** The forecast of an import, in one line. */
export function forecastLine({ counts, seconds, memory, disk }: Forecast): string {
  const parts = [
    `${about(counts.edges)} directed edges`,
    `${about(counts.addresses)} addresses`,
    `memory ${amount(memory.given, "B")} (needs ${amount(memory.least, "B")} at least)`,
    `disk ${amount(disk.work, "B")} while it works, ${amount(disk.published, "B")} in the end${disk.kept === undefined ? "" : `, ${amount(disk.kept, "B")} kept for updates`}`,
    ...(seconds === undefined ? [] : [`${timeSpan(seconds)}`]),
  ];
  return `Forecast: ${parts.join("; ")}.`;
}

/** An estimate shows two digits: 1,234,567 → "1,200,000". */
function about(value: number): string {
  return value > 0 ? amount(Number(value.toPrecision(2)), "") : "no";
}

function bar(share: number, length: number): string {
  const full = Math.round(length * share);
  return "█".repeat(full) + "░".repeat(length - full);
}

/** 1234567, "B" → "1.2 MB"; 1234567, "places" → "1,234,567 places". */
export function amount(value: number, unit: string): string {
  if (unit !== "B") return `${Math.round(value).toLocaleString("en-US")}${unit && ` ${unit}`}`;
  if (value < 1000) return `${Math.round(value)} B`;
  const power = Math.min(3, Math.floor(Math.log10(value) / 3));
  return `${(value / 1000 ** power).toFixed(1)} ${["", "k", "M", "G"][power]}B`;
}

export function timeSpan(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
