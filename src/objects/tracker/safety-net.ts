const DAY_MS = 24 * 3600_000;

/**
 * When an alarm checks that events and trips have reached the database [ms]. An object is put away after ten seconds without a call, and with it what
 * it knows to have arrived: woken later, it would hand everything over once more.
 */
export const ALARM_AFTER_MS = 8_000;
/** When one checks a position that nobody else would look for [ms], unless SAFETY_NET_SECONDS says otherwise. */
export const POSITION_ALARM_AFTER_MS = 7 * DAY_MS;

/**
 * Is a position found without an alarm, should the machine that takes it to the database stop within the parts of a second after the
 * answer? The next update takes it along. If none comes, the hourly round asks the device for it (retention-round.ts), because the position
 * that the database has instead is old enough by then: unless it has been that for long, and was asked for already. An alarm is a row
 * and a request for each user and week.
 * @param before when the database saw the user last, as far as its tracker knows [ms]; undefined: never
 * @param updateDays for how many days a silent device's updates are kept, behind which the round asks it
 */
export function isFoundBySilence(before: number | undefined, now: number, updateDays: number): boolean {
  if (before === undefined || updateDays * DAY_MS > POSITION_ALARM_AFTER_MS) return false;
  return now - before < updateDays * DAY_MS && before <= now;
}
