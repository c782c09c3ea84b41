import { onUse } from "./on-use.ts";

/** Numbers with their unit, as a person reads them. */

const integer = onUse(() => new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }));
const compact = onUse(() => new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 }));
const oneDigit = onUse(() => new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }));

export const count = (value: number) => integer().format(value);
export const short = (value: number) => (Math.abs(value) < 10_000 ? integer().format(value) : compact().format(value));

/** Metres → "35 m", "1.2 km". */
export function metres(value: number | undefined): string {
  if (value === undefined) return "–";
  return value < 1000
    ? `${oneDigit().format(value < 10 ? value : Math.round(value))} m`
    : `${oneDigit().format(value / 1000)} km`;
}

/** Metres per second → "42 km/h". */
export const speed = (value: number | undefined) => (value === undefined ? "–" : `${count(value * 3.6)} km/h`);

/** Minutes → "25 min", "1 h 5 min". */
export function minutes(value: number | undefined): string {
  if (value === undefined) return "–";
  const whole = Math.round(value);
  if (whole < 60) return `${value < 10 ? oneDigit().format(value) : whole} min`;
  if (whole < 48 * 60) return `${Math.floor(whole / 60)} h${whole % 60 ? ` ${whole % 60} min` : ""}`;
  return `${Math.floor(whole / 1440)} d ${Math.floor((whole % 1440) / 60)} h`;
}

export const milliseconds = (value: number) =>
  value < 1000 ? `${count(value)} ms` : `${oneDigit().format(value / 1000)} s`;

export function bytes(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${oneDigit().format(value / 1e3)} KB`;
  return value < 1e9 ? `${oneDigit().format(value / 1e6)} MB` : `${oneDigit().format(value / 1e9)} GB`;
}

const pluralRules = onUse(() => new Intl.PluralRules("en-US"));

/** "1 user", "2 users". */
export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${pluralRules().select(value) === "one" ? one : many}`;

export const percent = (part: number, whole: number) =>
  whole === 0 ? "–" : `${oneDigit().format((part / whole) * 100)} %`;

/** [longitude, latitude] → "40.78382, -73.97536", the order that every endpoint accepts. */
export const position = ([longitude, latitude]: readonly number[]) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
