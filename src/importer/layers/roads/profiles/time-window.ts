import { holds, type TimeWindow } from "../../../../core/routing/graph/traffic.ts";

const DAYS = ["mo", "tu", "we", "th", "fr", "sa", "su"];

/** "Mo-Fr", "Sa,Su", "Fr-Mo" → bits, Monday 1; every day when empty; undefined when it cannot be read. */
export function parseDays(text: string): number | undefined {
  if (text.trim() === "") return 127;
  let bits = 0;
  for (const part of text.toLowerCase().split(/[,;\s]+/)) {
    const [first, last = first, ...more] = part.split("-").map((name) => DAYS.indexOf(name.slice(0, 2)));
    if (first < 0 || last < 0 || more.length > 0) return undefined;
    for (let day = first; ; day = (day + 1) % 7) {
      bits |= 1 << day;
      if (day === last) break;
    }
  }
  return bits;
}

/**
 * "07:00-09:30", "7-9", "22:00-06:00" → minutes since midnight; the whole day when empty; undefined when it cannot be
 * read.
 */
export function parseHours(text: string): { from: number; until: number } | undefined {
  if (text.trim() === "") return { from: 0, until: 1440 };
  const match = /^\s*(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?\s*$/.exec(text);
  if (!match) return undefined;
  const [from, until] = [1, 3].map((i) => Number(match[i]) * 60 + Number(match[i + 1] ?? 0));
  const minutes = [2, 4].every((i) => Number(match[i] ?? 0) < 60);
  return minutes && from < 1440 && until <= 1440 && from !== until ? { from, until } : undefined;
}

/** A moment in both windows, if there is one. */
export function overlap(a: TimeWindow, b: TimeWindow): { day: number; minute: number } | undefined {
  for (let day = 0; day < 7; day++) {
    for (let minute = 0; minute < 1440; minute++) {
      if (holds(a, { day, minute }) && holds(b, { day, minute })) return { day, minute };
    }
  }
  return undefined;
}
