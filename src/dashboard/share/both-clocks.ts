/**
 * A time as clocks show it: in the viewer's zone, and in another one if it differs. Both name their zone then, and the day if it is
 * another.
 * @param at [ms]
 * @param zone IANA name of the other zone
 */
export function bothClocks(
  at: number,
  zone: string | undefined,
  { now = Date.now(), viewer }: { now?: number; viewer?: string } = {},
): { here: string; there?: string } {
  const clock = (timeZone: string | undefined, more: Intl.DateTimeFormatOptions = {}) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone, ...more }).format(at);
  const day = (timeZone: string | undefined, time: number) =>
    new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone }).format(time);
  const whole = (timeZone: string | undefined, more?: Intl.DateTimeFormatOptions) =>
    day(timeZone, at) === day(timeZone, now) ? clock(timeZone, more) : `${day(timeZone, at)}, ${clock(timeZone, more)}`;
  if (zone === undefined || `${day(viewer, at)} ${clock(viewer)}` === `${day(zone, at)} ${clock(zone)}`)
    return { here: whole(viewer) };
  const named = { timeZoneName: "short" } as const;
  return { here: whole(viewer, named), there: whole(zone, named) };
}
