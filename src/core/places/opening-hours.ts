/**
 * When a place is open, by the text of its `opening_hours` (OpenStreetMap's specification, version 0.7). Supports what
 * nearly all places use: weekdays, months, days of a month, spans of time also past midnight, `off`, `24/7`, and rules
 * that replace or add to one another. Unsupported values (holidays by name, weeks, sunrise, open ends) give no result
 * rather than a wrong one. `PH` next to weekdays is ignored, because no holiday calendar is available.
 *
 * Why not the library `opening_hours` 3.15.0 (2025, LGPL-3.0-only): 1.18 MB before packing, for all holidays of the
 * world and its sun's position, in a Worker whose entire code is smaller, and under a license that a deployer would
 * have to comply with.
 */
const DAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MINUTES = 24 * 60;
/** How far the next change is looked for [days]. */
const AHEAD = 8;

/** A time span of a day [minutes since midnight]; the end may be on the next day. */
type Span = readonly [from: number, to: number];

interface Rule {
  /** Bits of weekdays, Sunday first; undefined: every day. */
  days?: number;
  /** Days of the year as month × 100 + day; from > to passes New Year. */
  dates?: (readonly [from: number, to: number])[];
  spans: readonly Span[];
  /** Adds to the rules before it for the same day, instead of replacing them. */
  adds: boolean;
  /** Only for holidays, which are not supported. */
  holiday: boolean;
}

export interface OpenState {
  open: boolean;
  /** When that changes next, local time as "2026-07-04T18:00"; absent where it does not within a week. */
  changesAt?: string;
}

/**
 * Returns whether it is open at a local time. Undefined if the text cannot be parsed completely.
 * @param local the wall-clock time, "2026-07-04T08:30"
 */
export function openState(text: string, local: string): OpenState | undefined {
  const rules = parseRules(text);
  const now = Date.parse(`${local.slice(0, 16)}:00Z`);
  if (!rules || Number.isNaN(now)) return undefined;
  const midnight = Math.floor(now / 86_400_000) * 86_400_000;
  const spans: Span[] = [];
  for (let day = -1; day <= AHEAD; day++) {
    for (const [from, to] of spansOn(rules, new Date(midnight + day * 86_400_000)))
      spans.push([day * DAY_MINUTES + from, day * DAY_MINUTES + to]);
  }
  const minute = (now - midnight) / 60_000;
  let at = minute;
  const within = (time: number) => spans.filter(([from, to]) => from <= time && time < to);
  const open = within(minute).length > 0;
  if (open)
    for (let inside = within(at); inside.length > 0; inside = within(at)) at = Math.max(...inside.map(([, to]) => to));
  else at = Math.min(...spans.map(([from]) => from).filter((from) => from > minute));
  if (!Number.isFinite(at) || at >= AHEAD * DAY_MINUTES) return { open };
  return { open, changesAt: new Date(midnight + at * 60_000).toISOString().slice(0, 16) };
}

function spansOn(rules: readonly Rule[], date: Date): Span[] {
  const weekday = 1 << date.getUTCDay();
  const ofYear = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  let spans: Span[] = [];
  for (const rule of rules) {
    if (rule.holiday || (rule.days !== undefined && !(rule.days & weekday))) continue;
    if (
      rule.dates &&
      !rule.dates.some(([from, to]) => (from <= to ? from <= ofYear && ofYear <= to : ofYear >= from || ofYear <= to))
    )
      continue;
    spans = rule.adds ? [...spans, ...rule.spans] : [...rule.spans];
  }
  return spans;
}

const ALWAYS: Span = [0, DAY_MINUTES];
const TIME = "(?:[01]?\\d|2\\d|3\\d|4[0-8])[:.]\\d{2}";
const TIMES = new RegExp(`^${TIME}\\s?-\\s?${TIME}(?:\\s?,\\s?${TIME}\\s?-\\s?${TIME})*`);

function parseRules(text: string): Rule[] | undefined {
  // A comment in quotes cannot be evaluated: "by appointment".
  if (text.includes('"') || text.includes("||")) return undefined;
  const rules: Rule[] = [];
  for (const part of text
    .split(";")
    .map((one) => one.trim())
    .filter((one) => one !== "")) {
    const own = parsePart(part);
    if (!own) return undefined;
    rules.push(...own);
  }
  return rules.length > 0 ? rules : undefined;
}

/** Parses the text between two semicolons: a rule, and further comma-separated rules that add to it. */
function parsePart(part: string): Rule[] | undefined {
  const rules: Rule[] = [];
  let rest = part.replace(/[–—]/g, "-");
  while (rest !== "") {
    const read = parseRule(rest, rules.length > 0);
    if (!read) return undefined;
    rules.push(read.rule);
    rest = read.rest.trim();
    if (rest === "") break;
    if (!rest.startsWith(",")) return undefined;
    rest = rest.slice(1).trim();
  }
  return rules;
}

function parseRule(text: string, adds: boolean): { rule: Rule; rest: string } | undefined {
  const always = /^24\/7/.exec(text);
  if (always) return { rule: { spans: [ALWAYS], adds, holiday: false }, rest: text.slice(4) };
  const months = readDates(text);
  let rest = months ? months.rest.replace(/^\s*:/, "") : text;
  const week = readDays(rest);
  rest = (week ? week.rest : rest).replace(/^\s*:?\s*/, "");
  const times = TIMES.exec(rest);
  if (times) rest = rest.slice(times[0].length);
  const state = /^\s*(off|closed|open)\b/i.exec(rest);
  if (state) rest = rest.slice(state[0].length);
  if (!months && !week && !times && !state) return undefined;
  const spans = times ? times[0].split(",").map(spanOf) : [ALWAYS];
  if (spans.some((span) => span === undefined)) return undefined;
  const closed = state !== null && state[1].toLowerCase() !== "open";
  // Closing a part of a day would have to cut the spans before it.
  if (closed && times) return undefined;
  return {
    rule: {
      ...(week && week.days !== 0 && { days: week.days }),
      ...(months && { dates: months.dates }),
      spans: closed ? [] : (spans as Span[]),
      adds,
      holiday: week !== undefined && week.days === 0,
    },
    rest,
  };
}

function spanOf(text: string): Span | undefined {
  const [from, to] = text.split("-").map((time) => {
    const [hour, minute] = time.trim().split(/[:.]/).map(Number);
    return minute < 60 ? hour * 60 + minute : Number.NaN;
  });
  if (!(from < DAY_MINUTES) || Number.isNaN(to)) return undefined;
  return [from, to <= from ? to + DAY_MINUTES : to];
}

/** "Mo-Fr,Su", "PH", "Mo-Sa,PH": 0 where only holidays are named. */
function readDays(text: string): { days: number; rest: string } | undefined {
  const found =
    /^\s*(?:(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:\s?-\s?(?:Mo|Tu|We|Th|Fr|Sa|Su))?|PH|SH)(?:\s?,\s?(?:(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:\s?-\s?(?:Mo|Tu|We|Th|Fr|Sa|Su))?|PH|SH))*(?![\w[])/.exec(
      text,
    );
  if (!found) return undefined;
  let days = 0;
  for (const part of found[0].split(",").map((one) => one.trim())) {
    if (part === "PH" || part === "SH") continue;
    const [from, to = from] = part.split("-").map((day) => DAYS.indexOf(day.trim()));
    for (let day = from; ; day = (day + 1) % 7) {
      days |= 1 << day;
      if (day === to) break;
    }
  }
  return { days, rest: text.slice(found[0].length) };
}

/** "Apr-Oct", "Dec 24-26", "Dec 24-Jan 06", "Jul,Aug". */
function readDates(text: string): { dates: (readonly [number, number])[]; rest: string } | undefined {
  const one =
    "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \\d{1,2}(?![\\d:.]))?(?:\\s?-\\s?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \\d{1,2}(?![\\d:.]))?|\\d{1,2}(?![\\d:.])))?";
  const found = new RegExp(`^${one}(?:\\s?,\\s?${one})*(?![\\w[])`).exec(text);
  if (!found) return undefined;
  const dates = found[0].split(",").map((part): readonly [number, number] => {
    const [first, second] = part.trim().split(/\s?-\s?/);
    const [month, day] = first.split(" ");
    const from = (MONTHS.indexOf(month) + 1) * 100;
    if (second === undefined) return day ? [from + Number(day), from + Number(day)] : [from, from + 31];
    if (/^\d/.test(second)) return [from + Number(day ?? 1), from + Number(second)];
    const [lastMonth, lastDay = "31"] = second.split(" ");
    return [from + Number(day ?? 1), (MONTHS.indexOf(lastMonth) + 1) * 100 + Number(lastDay)];
  });
  return { dates, rest: text.slice(found[0].length) };
}
