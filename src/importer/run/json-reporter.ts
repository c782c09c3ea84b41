import type { Sent } from "../publish/shared-objects.ts";
import type { Forecast } from "../report/import-counts.ts";
import { ImportMeter, type ImportShare } from "../report/import-meter.ts";
import { PhaseMeter } from "../report/phase-meter.ts";
import { PhasePlan, type Reporter } from "../report/reporter.ts";

/** Events come at most so often while a phase advances [ms]. */
const INTERVAL = 1000;

interface OfPhase {
  /** "nodes"; "roads: graph" for a step of the phase "roads", whose events are between those of "roads". */
  phase: string;
  /** The phase is the `number`-th `of` so many. */
  number?: number;
  of?: number;
}

/** What `--json` prints, an object a line. Times in seconds, sizes in bytes. */
export type ImportEvent =
  | ({ event: "forecast" } & Forecast)
  /** `forecast`: seconds that it will likely take. */
  | ({ event: "begin"; forecast?: number } & OfPhase)
  /** At most one a second. `share` 0 … 1 and `left` where they are known; `total` 0 where it is not; `import`: of all phases. */
  | ({
      event: "progress";
      seconds: number;
      done: number;
      total: number;
      unit: string;
      rate: number;
      share?: number;
      left?: number;
      import?: ImportShare;
    } & OfPhase)
  /** `resumed`: an earlier run had done it, and there was no "begin". */
  | ({ event: "end"; seconds: number; done: number; unit: string; resumed?: true } & OfPhase)
  | { event: "note"; text: string }
  /** The last line of an import that went through. */
  | {
      event: "done";
      name: string;
      build: string;
      published: boolean;
      workFolder: number;
      manifest: unknown;
      /** Uploaded objects, and those copied from existing builds of the name; if the build was published. */
      sent?: Sent;
      /** Parts of layers that were copied from the previous import, and that were created. */
      parts: { found: number; made: number };
    }
  /** The last line of one that did not; what is live did not change. */
  | { event: "error"; message: string };

/** Progress as events for scripts. */
export function jsonReporter(
  write: (event: ImportEvent) => void,
  now: () => number = () => performance.now(),
): Reporter {
  const plan = new PhasePlan();
  let whole: ImportMeter | undefined;
  const ofPhase = (phase: string): OfPhase => ({ phase, ...plan.place(phase) });
  return {
    plan: (phases) => plan.set(phases),
    foresee: (forecast) => {
      whole = forecast.phases && new ImportMeter(forecast.phases);
      write({ event: "forecast", ...forecast });
    },
    say: (text) => write({ event: "note", text }),
    skipped: (phase) => write({ event: "end", ...ofPhase(phase), seconds: 0, done: 0, unit: "", resumed: true }),
    begin(phase, forecast) {
      let due = now() + INTERVAL;
      const tick = () => {
        if (now() < due) return;
        due = now() + INTERVAL;
        const measure = meter.measure();
        const share = whole?.measure(phase, measure, now() / 1000);
        write({ event: "progress", ...ofPhase(phase), ...measure, ...(share && { import: share }) });
      };
      whole?.begin(phase, now() / 1000);
      const meter: PhaseMeter = new PhaseMeter(now, forecast, tick);
      write({ event: "begin", ...ofPhase(phase), ...(forecast !== undefined && { forecast }) });
      const ticks = setInterval(tick, INTERVAL);
      ticks.unref();
      return {
        expect: (total, unit) => meter.expect(total, unit),
        advance: (count) => meter.advance(count),
        end() {
          clearInterval(ticks);
          const { seconds, done, unit } = meter.measure();
          write({ event: "end", ...ofPhase(phase), seconds, done, unit });
        },
      };
    },
  };
}
