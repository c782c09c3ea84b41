import type { Progress } from "./progress.ts";

/** Shows how far an import is. */
export interface Reporter {
  /** `forecast`: seconds that it will likely take, for a phase that does not know how much lies ahead. */
  begin(phase: string, forecast?: number): Progress & { end(): void };
  /** A phase whose result an earlier, interrupted run left. */
  skipped(phase: string): void;
  /** A line of its own. */
  say(line: string): void;
}

/** Says nothing: for tests. */
export const silent: Reporter = {
  begin: () => ({ expect() {}, advance() {}, end() {} }),
  skipped() {},
  say() {},
};

const PLAIN_INTERVAL = 5000;
const TTY_INTERVAL = 120;
/** A phase that is busy with one large thing still shows that time passes. */
const TICK = 1000;
const BAR = 20;

/**
 * One line per phase. On a terminal it moves: a bar, per cent, what is done and how fast, the time left. Elsewhere a
 * plain line comes every five seconds and at the end. `now` in milliseconds.
 *
 *     nodes        ████████░░░░░░░░░░░░   40 %  40.0 MB  10.0 MB/s  6 s left
 */
export function streamReporter(
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number },
  now: () => number = () => performance.now(),
): Reporter {
  const tty = stream.isTTY === true;
  const draw = (text: string) =>
    stream.write(tty ? `\r\x1b[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`);
  return {
    say: (line) => void stream.write(tty ? `\r\x1b[K${line}\n` : `${line}\n`),
    skipped: (phase) => void stream.write(`  ${phase.padEnd(12)} done before the interruption\n`),
    begin(phase, forecast) {
      const start = now();
      let total = 0;
      let unit = "";
      let done = 0;
      let calls = 0;
      let drawn = start;
      const line = (at: number) => {
        const seconds = (at - start) / 1000;
        const rate = seconds > 0 ? done / seconds : 0;
        const { share, left } = ahead(seconds, rate, { done, total, forecast });
        const parts = [`  ${phase.padEnd(12)}`];
        if (share !== undefined)
          parts.push(...(tty ? [bar(share)] : []), `${String(Math.floor(100 * share)).padStart(3)} %`);
        // A bare number would be steps of the program, which say nothing to an operator.
        if (done > 0 && unit) parts.push(amount(done, unit), `${amount(rate, unit)}/s`);
        else if (share === undefined) parts.push(`${timeSpan(seconds)} so far`);
        if (left !== undefined) parts.push(`${timeSpan(left)} left`);
        return parts.join("  ");
      };
      const drawIfDue = () => {
        const at = now();
        if (at - drawn < (tty ? TTY_INTERVAL : PLAIN_INTERVAL)) return;
        drawn = at;
        draw(line(at));
      };
      if (tty) draw(line(start));
      const ticks = setInterval(drawIfDue, TICK);
      ticks.unref();
      return {
        expect(some, name = "") {
          total = some;
          unit = name;
        },
        advance(count = 1) {
          done += count;
          // Reading the clock for every element would cost more than the elements.
          if (count < 1000 && ++calls % 256 !== 0) return;
          drawIfDue();
        },
        end() {
          clearInterval(ticks);
          const seconds = (now() - start) / 1000;
          const rate =
            done > 0 && unit && seconds > 0 ? `  ${amount(done, unit)}, ${amount(done / seconds, unit)}/s` : "";
          draw(`  ${phase.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s${rate}`);
          if (tty) stream.write("\n");
        },
      };
    },
  };
}

/** A forecast never shows 100 %: the phase itself reports its end. */
const MOST = 0.99;

/**
 * How much of a phase is done, and the seconds left: by its own count where it has one, else by what it took before.
 */
function ahead(
  seconds: number,
  rate: number,
  { done, total, forecast }: { done: number; total: number; forecast: number | undefined },
): { share?: number; left?: number } {
  if (total > 0) {
    return { share: Math.min(1, done / total), ...(total > done && rate > 0 && { left: (total - done) / rate }) };
  }
  if (forecast === undefined) return {};
  const left = forecast - seconds;
  return { share: Math.min(MOST, seconds / forecast), ...(left > 0 && { left }) };
}

function bar(share: number): string {
  const full = Math.round(BAR * share);
  return "█".repeat(full) + "░".repeat(BAR - full);
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
