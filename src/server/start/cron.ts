/**
 * When a cron expression of wrangler.toml comes next: minute, hour, day of the month, month, day of the week (0 or 7 is Sunday), in UTC. Of
 * each field: a star, numbers, ranges, steps, and lists of these, such as "7 0-6,12 * * *" or a star by fifteen. Nothing runs them
 * outside Cloudflare, so `npm start` does.
 */
const RANGES: readonly (readonly [least: number, most: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];

const MINUTE = 60_000;
/** Four years and a day: the 29th of February has come by then [minutes]. */
const FAR = 1461 * 24 * 60;

/** @returns a time after `now`, on a whole minute [ms] @throws Error for an expression that is none, or never comes */
export function nextRun(expression: string, now: number): number {
  const fields = fieldsOf(expression);
  let at = (Math.floor(now / MINUTE) + 1) * MINUTE;
  for (const end = at + FAR * MINUTE; at < end; ) {
    const date = new Date(at);
    if (!isDay(fields, date)) at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
    else if (!fields[1].has(date.getUTCHours())) at += (60 - date.getUTCMinutes()) * MINUTE;
    else if (!fields[0].has(date.getUTCMinutes())) at += MINUTE;
    else return at;
  }
  throw new Error(`The cron expression "${expression}" never matches.`);
}

type Field = Set<number> & { isStar?: boolean };

function fieldsOf(expression: string): Field[] {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== RANGES.length) throw new Error(`"${expression}" is not a cron expression with five fields.`);
  return texts.map((text, i) => {
    const values: Field = new Set<number>();
    values.isStar = text === "*";
    for (const part of text.split(",")) for (const value of valuesOf(part, RANGES[i])) values.add(value);
    return values;
  });
}

function* valuesOf(part: string, [least, most]: readonly [number, number]): Generator<number> {
  const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
  const isStar = part.startsWith("*");
  const first = isStar ? least : Number(from);
  const last = to !== undefined ? Number(to) : isStar || step !== undefined ? most : first;
  const stride = Number(step ?? 1);
  if (!(first >= least && last <= most && first <= last && stride >= 1))
    throw new Error(`"${part}" is not from ${least} to ${most} in a cron expression.`);
  for (let value = first; value <= last; value += stride) yield value;
}

/** A day of the month or a day of the week, where both are named (as in crontab since 1979); else whichever is named. */
function isDay([, , days, months, weekdays]: Field[], date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const inMonth = days.has(date.getUTCDate());
  const inWeek = weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7));
  if (days.isStar || weekdays.isStar) return inMonth && inWeek;
  return inMonth || inWeek;
}
