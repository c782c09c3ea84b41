/**
 * Conditional tags, such as "no_left_turn @ (Mo-Fr 07:00-09:00,16:00-18:00); no_u_turn @ (weight>7.5)".
 *
 * The rule of time: the graph is created once and asked at any hour, so a condition is met when it holds on a
 * working day between the rush hours (Tuesday, 10:00). Conditions for rush hours or nights only are skipped; what
 * holds all day is kept. Of other conditions only the weight of a vehicle is understood; the rest (weather, seasons,
 * permits) is not met.
 */
interface Condition {
  value: string;
  /** Holds for vehicles heavier than this [t]; undefined for all. */
  heavierThan?: number;
}

export function conditionsMet(text: string): Condition[] {
  const met: Condition[] = [];
  for (const match of text.matchAll(/([^;@]+?)\s*@\s*(\([^)]*\)|[^;]+)/g)) {
    const value = match[1].trim();
    const condition = match[2].replace(/^\(|\)$/g, "").trim();
    const weight = /^(?:weight|maxweight)\s*>\s*([\d.]+)/.exec(condition);
    if (weight) met.push({ value, heavierThan: Number(weight[1]) });
    else if (holdsAtTen(condition)) met.push({ value });
  }
  return met;
}

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const TUESDAY = 1;
const TEN = 10 * 60;

function holdsAtTen(condition: string): boolean {
  if (condition === "24/7") return true;
  return condition.split(/;/).some((rule) => {
    const text = rule.trim();
    const days = /^((?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)[A-Za-z,\- ]*)/.exec(text)?.[1] ?? "";
    const times = [...text.matchAll(/(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)/g)];
    if (days === "" && times.length === 0) return false;
    if (days !== "" && !namesTuesday(days)) return false;
    return times.length === 0 || times.some(coversTen);
  });
}

function namesTuesday(days: string): boolean {
  return days.split(",").some((part) => {
    const [from, to] = part.split("-").map((day) => DAYS.indexOf(day.trim()));
    if (from < 0) return false;
    if (to === undefined || to < 0) return from === TUESDAY;
    return from <= to ? from <= TUESDAY && TUESDAY <= to : TUESDAY >= from || TUESDAY <= to;
  });
}

function coversTen(match: RegExpMatchArray): boolean {
  const start = Number(match[1]) * 60 + Number(match[2]);
  const end = Number(match[3]) * 60 + Number(match[4]);
  return start <= end ? start <= TEN && TEN < end : TEN >= start || TEN < end;
}
