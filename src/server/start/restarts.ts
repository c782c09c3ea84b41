/** Crashes count as repeated within this time [ms]. */
const WINDOW_MS = 3600_000;

/** What a server reports of the restarts of its workerd, to its log and to metrics and alerts (machine.ts). */
export class Restarts {
  #stuck = 0;
  #crashed = 0;
  /** When the latest crashes were [ms]. */
  #times: number[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  readonly watch = {
    onStuck: (seconds: number, isHalted: boolean): void => this.#noteStuck(seconds, isHalted),
    onCrashed: (process: number): void => this.#noteCrash(process),
  };

  figures(): { stuckRestarts: number; crashRestarts: number; crashesLastHour: number } {
    return { stuckRestarts: this.#stuck, crashRestarts: this.#crashed, crashesLastHour: this.#recent().length };
  }

  #noteStuck(seconds: number, isHalted: boolean): void {
    this.#stuck++;
    const by = isHalted ? "stopped by a signal" : "blocked by a computation";
    console.error(`The server was ${by} for ${seconds} s. workerd was killed and is restarting.`);
    this.#log({ what: "stuck", seconds, isHalted, restarts: this.#stuck });
  }

  #noteCrash(process: number): void {
    this.#crashed++;
    this.#times = [...this.#recent(), this.#now()];
    console.error(
      `workerd (process ${process}) ended unexpectedly: it crashed or was killed, by the system if its memory is full. It is restarting. Acknowledged data is on disk.`,
    );
    this.#log({ what: "crashed", process, restarts: this.#crashed });
  }

  #recent(): number[] {
    return this.#times.filter((time) => this.#now() - time < WINDOW_MS);
  }

  #log(line: object): void {
    console.error(JSON.stringify({ time: new Date(this.#now()).toISOString(), ...line }));
  }
}
