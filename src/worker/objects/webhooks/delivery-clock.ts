/** Maximum attempts within one alarm: the platform limits its requests and time. */
const MAX_TRIES = 400;
const MAX_RUN_MS = 5 * 60_000;
/** An alarm that is this late is set again [ms]. */
const LATE_MS = 30_000;
/** A clock that is this far behind its latest time was set back [ms]. */
const SET_BACK_MS = 60_000;
/** After a message was slow, all messages are written to disk first for this long [ms]. */
const SLOW_MS = 10_000;

/** When a sender works: the time of its alarm, the limits of one alarm, and whether its receiver is slow. */
export class DeliveryClock {
  /** The time the alarm is set for, if known. */
  #alarmAt: number | undefined;
  #running = false;
  #triesLeft = 0;
  #runUntil = 0;
  /** The latest time that was read. */
  #latest = 0;
  #slowUntil = 0;

  /** Is the alarm at work? */
  get isRunning(): boolean {
    return this.#running;
  }

  /** The alarm begins. It is considered set until it ends: an earlier one would interrupt it. */
  startRun(now: number): void {
    this.#running = true;
    this.#alarmAt = undefined;
    this.#triesLeft = MAX_TRIES;
    this.#runUntil = now + MAX_RUN_MS;
  }

  endRun(): void {
    this.#running = false;
  }

  /** May the running alarm make another attempt? */
  mayTry(now: number): boolean {
    return this.#triesLeft > 0 && now < this.#runUntil;
  }

  countTry(): void {
    this.#triesLeft--;
  }

  /** Returns by how much a clock that ran ahead was set back (negative), or 0. The set alarm is then too late. */
  advance(now: number): number {
    const shift = now < this.#latest - SET_BACK_MS ? now - this.#latest : 0;
    if (shift !== 0) this.#alarmAt = undefined;
    this.#latest = now;
    return shift;
  }

  /**
   * The time to set the alarm to, so that messages due at `at` are sent; undefined if it is set early enough.
   * @param nextDue when the first of all messages is due [ms]
   */
  alarmFor(at: number, now: number, nextDue: () => number | undefined): number | undefined {
    const alarm = this.#alarmAt;
    if (at > now) {
      const isSet = alarm !== undefined && alarm <= at && alarm > now - LATE_MS;
      return isSet ? undefined : (nextDue() ?? at);
    }
    // An alarm that is about to run stays as it is: each new setting would delay it.
    return alarm !== undefined && alarm <= now && alarm > now - LATE_MS ? undefined : now;
  }

  setAlarm(at: number): void {
    this.#alarmAt = at;
  }

  clearAlarm(): void {
    this.#alarmAt = undefined;
  }

  noteSlow(now: number): void {
    this.#slowUntil = now + SLOW_MS;
  }

  isSlow(now: number): boolean {
    const left = this.#slowUntil - now;
    return left > 0 && left <= SLOW_MS;
  }
}
