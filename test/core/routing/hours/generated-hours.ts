/**
 * Conditions about time, drawn from the grammar of opening hours (OpenStreetMap wiki, Key:opening_hours/specification and
 * Conditional_restrictions) as values; their text, and whether they hold at a time, both follow from the values.
 */
export interface DrawnRule {
  text: string;
  /** On days as they are in UTC. */
  isOn(day: Date): boolean;
  /** Minutes since midnight; the end may be on the next day. Empty: off. */
  spans: readonly [number, number][];
  adds: boolean;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
/** Easter Sundays (any almanac). */
const EASTERS: Readonly<Record<number, string>> = {
  2024: "2024-03-31",
  2025: "2025-04-20",
  2026: "2026-04-05",
  2027: "2027-03-28",
  2028: "2028-04-16",
};
const DAY_MS = 86_400_000;

type Test = { text: string; isOn(day: Date): boolean };
const two = (number: number) => String(number).padStart(2, "0");

export class HoursDraw {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** One condition: rules of which a later one replaces or adds to those before it on its days. */
  condition(): { text: string; holds(time: Date): boolean } {
    const rules = [this.#rule("first")];
    // After days without times, a comma would list further days of the same rule.
    if (this.#below(3) === 0)
      rules.push(this.#rule(/\d$/.test(rules[0].text) && rules[0].text.includes(":") ? "any" : "replaces"));
    return {
      text: rules.map(({ text, adds }, i) => `${i === 0 ? "" : adds ? ", " : "; "}${text}`).join(""),
      holds: (time) => holds(rules, time),
    };
  }

  #below = (limit: number) => Math.floor(this.#random() * limit);
  #between = (from: number, until: number) => from + this.#below(until - from + 1);

  #rule(place: "first" | "replaces" | "any"): DrawnRule {
    const isLater = place !== "first";
    const kind = this.#below(10);
    if (kind === 0 && !isLater) return { text: "24/7", isOn: () => true, spans: [[0, 1440]], adds: false };
    const tests: Test[] = [];
    if (kind < 7)
      tests.push(
        [
          () => this.#months(),
          () => this.#dates(),
          () => this.#dated(),
          () => this.#easter(),
          () => this.#years(),
          () => this.#weeks(),
          () => this.#nthToNth(),
        ][this.#below(7)](),
      );
    if (this.#below(2) === 0) tests.push(this.#below(4) === 0 ? this.#nth() : this.#weekdays());
    const adds = place === "any" && this.#below(2) === 0;
    const isOff = isLater && !adds && this.#below(2) === 0;
    const isTimed = !isOff && (tests.length === 0 || this.#below(2) === 0);
    // After a comma, times alone would be further times of the rule before.
    if (adds && tests.length === 0) tests.push(this.#weekdays());
    const spans = isTimed ? this.#times() : [];
    const times = spans
      .map(([from, until]) => `${clock(from)}-${clock(until > 1440 ? until - 1440 : until)}`)
      .join(",");
    return {
      text: [...tests.map(({ text }) => text), times, isOff ? "off" : ""].filter(Boolean).join(" ") || "Mo-Su",
      isOn: (day) => tests.every((test) => test.isOn(day)),
      spans: isOff ? [] : isTimed ? spans : [[0, 1440]],
      adds,
    };
  }

  #months(): Test {
    const [from, to] = [this.#below(12), this.#below(12)];
    const isIn = (month: number) => (from <= to ? from <= month && month <= to : month >= from || month <= to);
    return {
      text: from === to ? MONTHS[from] : `${MONTHS[from]}-${MONTHS[to]}`,
      isOn: (day) => isIn(day.getUTCMonth()),
    };
  }

  #dates(): Test {
    const [from, to] = [
      [this.#below(12), this.#between(1, 31)],
      [this.#below(12), this.#between(1, 31)],
    ];
    const [first, last] = [from[0] * 100 + from[1], to[0] * 100 + to[1]];
    const at = (day: Date) => day.getUTCMonth() * 100 + day.getUTCDate();
    return {
      text: `${MONTHS[from[0]]} ${two(from[1])}-${MONTHS[to[0]]} ${to[1]}`,
      isOn: (day) => (first <= last ? first <= at(day) && at(day) <= last : at(day) >= first || at(day) <= last),
    };
  }

  /** A season with years: "2026 Nov 15-2027 Mar 31". */
  #dated(): Test {
    const from = Date.UTC(this.#between(2025, 2027), this.#below(12), this.#between(1, 28));
    const to = from + this.#between(0, 400) * DAY_MS;
    const text = (time: number) => {
      const day = new Date(time);
      return `${day.getUTCFullYear()} ${MONTHS[day.getUTCMonth()]} ${two(day.getUTCDate())}`;
    };
    return { text: `${text(from)}-${text(to)}`, isOn: (day) => from <= day.getTime() && day.getTime() <= to };
  }

  #easter(): Test {
    const [before, after] = [this.#below(4), this.#below(4)];
    const name = (days: number) =>
      days === 0 ? "easter" : `easter ${days > 0 ? "+" : "-"}${Math.abs(days)} day${Math.abs(days) === 1 ? "" : "s"}`;
    return {
      text: before + after === 0 ? "easter" : `${name(-before)}-${name(after)}`,
      isOn: (day) => {
        const days = (day.getTime() - Date.parse(EASTERS[day.getUTCFullYear()])) / DAY_MS;
        return -before <= days && days <= after;
      },
    };
  }

  #years(): Test {
    const [from, to] = [this.#between(2024, 2026), this.#between(2026, 2028)];
    const every = to > from && this.#below(3) === 0 ? 2 : 1;
    const text = every === 2 ? `${from}-${to}/2` : to === from ? `${from}` : `${from}-${to}`;
    return {
      text,
      isOn: (day) =>
        day.getUTCFullYear() >= from && day.getUTCFullYear() <= to && (day.getUTCFullYear() - from) % every === 0,
    };
  }

  #weeks(): Test {
    const [from, to] = [this.#between(1, 30), this.#between(31, 53)];
    const every = this.#below(2) + 1;
    return {
      text: `week ${two(from)}-${to}${every === 2 ? "/2" : ""}`,
      isOn: (day) => isoWeek(day) >= from && isoWeek(day) <= to && (isoWeek(day) - from) % every === 0,
    };
  }

  /** "Mar Su[-1]-Oct Su[-1]" */
  #nthToNth(): Test {
    const [from, to, nth, weekday] = [
      this.#below(6),
      this.#between(6, 11),
      this.#below(2) === 0 ? -1 : 1,
      this.#below(7),
    ];
    const dayIn = (year: number, month: number) => {
      const days = Array.from({ length: 31 }, (_, i) => new Date(Date.UTC(year, month, i + 1))).filter(
        (day) => day.getUTCMonth() === month && day.getUTCDay() === weekday,
      );
      return days.at(nth === 1 ? 0 : -1)!.getTime();
    };
    return {
      text: `${MONTHS[from]} ${DAYS[weekday]}[${nth}]-${MONTHS[to]} ${DAYS[weekday]}[${nth}]`,
      isOn: (day) =>
        dayIn(day.getUTCFullYear(), from) <= day.getTime() && day.getTime() <= dayIn(day.getUTCFullYear(), to),
    };
  }

  #weekdays(): Test {
    const [from, to] = [this.#below(7), this.#below(7)];
    const days = new Set<number>();
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
    const holidays = this.#below(6) === 0 ? ",PH" : "";
    return {
      text: `${from === to ? DAYS[from] : `${DAYS[from]}-${DAYS[to]}`}${holidays}`,
      isOn: (day) => days.has(day.getUTCDay()),
    };
  }

  #nth(): Test {
    const [weekday, nth] = [this.#below(7), [-2, -1, 1, 2, 5][this.#below(5)]];
    return {
      text: `${DAYS[weekday]}[${nth}]`,
      isOn: (day) => {
        if (day.getUTCDay() !== weekday) return false;
        const others = (step: number) => {
          let count = 1;
          for (let other = day.getTime() + step; new Date(other).getUTCMonth() === day.getUTCMonth(); other += step)
            count++;
          return count;
        };
        return nth > 0 ? others(-7 * DAY_MS) === nth : others(7 * DAY_MS) === -nth;
      },
    };
  }

  #times(): [number, number][] {
    const quarter = (from: number, until: number) => this.#between(from * 4, until * 4) * 15;
    const kind = this.#below(5);
    if (kind === 0) return [[quarter(18, 23), 1440 + quarter(1, 8)]];
    if (kind === 1) return [[0, 1440]];
    if (kind === 2)
      return [
        [quarter(6, 9), quarter(10, 12)],
        [quarter(14, 16), quarter(17, 23)],
      ];
    const from = quarter(0, 20);
    return [[from, from + quarter(1, 3)]];
  }
}

const clock = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Week 1 is the one with 4 January. */
function isoWeek(day: Date): number {
  const monday = (time: number) => time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS;
  const year = new Date(monday(day.getTime()) + 3 * DAY_MS).getUTCFullYear();
  return (monday(day.getTime()) - monday(Date.UTC(year, 0, 4))) / (7 * DAY_MS) + 1;
}

function holds(rules: readonly DrawnRule[], time: Date): boolean {
  const midnight = Math.floor(time.getTime() / DAY_MS) * DAY_MS;
  return [0, 1].some((daysAgo) => {
    const day = new Date(midnight - daysAgo * DAY_MS);
    let spans: readonly [number, number][] = [];
    for (const rule of rules) if (rule.isOn(day)) spans = rule.adds ? [...spans, ...rule.spans] : rule.spans;
    const minute = (time.getTime() - day.getTime()) / 60_000;
    return spans.some(([from, until]) => from <= minute && minute < until);
  });
}
