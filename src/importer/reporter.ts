import type { Progress } from "./progress.ts";

/** Where an import tells how far it is. */
export interface Reporter {
  begin(phase: string): Progress & { end(): void };
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

/**
 * One line per phase: on a terminal it moves (done, rate, time left), elsewhere a plain line comes every five seconds and
 * at the end. `now` in milliseconds.
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
    begin(phase) {
      const start = now();
      let total = 0;
      let unit = "";
      let done = 0;
      let calls = 0;
      let drawn = start;
      const line = (at: number) => {
        const seconds = (at - start) / 1000;
        const rate = seconds > 0 ? done / seconds : 0;
        const parts = [`  ${phase.padEnd(12)}`];
        if (total > 0) parts.push(`${String(Math.floor((100 * done) / total)).padStart(3)} %`);
        if (done > 0) parts.push(amount(done, unit), `${amount(rate, unit)}/s`);
        if (total > done && rate > 0) parts.push(`${timeSpan((total - done) / rate)} left`);
        return parts.join("  ");
      };
      if (tty) draw(line(start));
      return {
        expect(ahead, name = "") {
          total = ahead;
          unit = name;
        },
        advance(count = 1) {
          done += count;
          // Looking at the clock for every element would cost more than the elements.
          if (count < 1000 && ++calls % 256 !== 0) return;
          const at = now();
          if (at - drawn < (tty ? TTY_INTERVAL : PLAIN_INTERVAL)) return;
          drawn = at;
          draw(line(at));
        },
        end() {
          const seconds = (now() - start) / 1000;
          const rate = done > 0 && seconds > 0 ? `  ${amount(done, unit)}, ${amount(done / seconds, unit)}/s` : "";
          draw(`  ${phase.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s${rate}`);
          if (tty) stream.write("\n");
        },
      };
    },
  };
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
