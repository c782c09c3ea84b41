/**
 * The times of updates that a device could not send earlier. A clock that was never set, or is ahead, gives impossible
 * times; the order in which the device buffered its updates, and the time between them, are still correct:
 *
 *     buffered   08:00   08:05 | reboot, the clock is a year ahead: 2027-09:00   2027-09:10 | sent at 10:00
 *     applied at 08:00   08:05 |                                         09:50        10:00 |
 */

/** Maximum error of a device's clock [ms]. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;
/** Earlier times come from a clock that was not set: phones and receivers that lost it begin at 1970 or 1980. */
const MIN_DEVICE_TIME_MS = Date.UTC(2000, 0, 1);

/** Is this a plausible time [ms] for a device's position, reported now? */
export function isDeviceTime(time: number, now: number): boolean {
  return time >= MIN_DEVICE_TIME_MS && time <= now + MAX_CLOCK_SKEW_MS;
}

/**
 * The times of buffered updates [ms], in the order in which the device buffered them. Plausible times stay. A run of
 * implausible times keeps its intervals and ends at the next plausible time, or now. An update without a time directly
 * precedes the next one.
 */
export function placeInTime(claimed: readonly (number | undefined)[], now: number): number[] {
  const placed = new Array<number>(claimed.length);
  let next: number | undefined;
  let shift: number | undefined;
  for (let i = claimed.length - 1; i >= 0; i--) {
    const time = claimed[i];
    if (time !== undefined && isDeviceTime(time, now)) {
      next = time;
      shift = undefined;
    } else {
      const latest = next === undefined ? now : next - 1;
      if (time !== undefined) shift ??= latest - time;
      next = Math.max(MIN_DEVICE_TIME_MS, time === undefined ? latest : Math.min(latest, time + (shift ?? 0)));
    }
    placed[i] = next;
  }
  return placed;
}
