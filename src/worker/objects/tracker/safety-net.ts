const DAY_MS = 24 * 3600_000;

/**
 * When an alarm checks that events and trips have reached the database [ms]. An object is evicted after ten seconds
 * without a call and forgets which data has arrived: woken later, it would hand everything over again.
 */
export const ALARM_AFTER_MS = 8_000;
/** When an alarm checks that cells of meetings have a position [ms]: only a stopped machine leaves one behind. */
export const MEETINGS_ALARM_AFTER_MS = 60_000;
/** When an alarm checks a position that nothing else would look for [ms], unless SAFETY_NET_SECONDS is set. */
export const POSITION_ALARM_AFTER_MS = 7 * DAY_MS;

/**
 * Is a position found without an alarm if the machine that sends it to the database stops in the fraction of a second
 * after the response? The next update includes it. If none comes, the hourly run requests it from the device's tracker
 * (retention-round.ts), because the older position in the database has expired by then, unless it had expired for long
 * and was already requested. An alarm costs a row and a request per user and week.
 * @param before when the database last saw the user, as far as its tracker knows [ms]; undefined: never
 * @param updateDays days for which a silent device's updates are kept before the run queries it
 */
export function isFoundBySilence(before: number | undefined, now: number, updateDays: number): boolean {
  if (before === undefined || updateDays * DAY_MS > POSITION_ALARM_AFTER_MS) return false;
  return now - before < updateDays * DAY_MS && before <= now;
}
