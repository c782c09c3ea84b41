import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { onUse } from "./on-use.ts";
import "./pill.css";

/**
 * Values as a person reads them: numbers with their unit, times in the viewer's zone (hover shows UTC; relative ones in lists, exact ones
 * in details), and states in a word.
 */

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

/** "1 user", "2 users". */
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export const percent = (part: number, whole: number) =>
  whole === 0 ? "–" : `${oneDigit().format((part / whole) * 100)} %`;

/** [longitude, latitude] → "40.78382, -73.97536", the order that every endpoint accepts. */
export const position = ([longitude, latitude]: readonly number[]) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

const relativeFormat = onUse(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" }));
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const exactly = onUse(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
);
const withoutDate = onUse(
  () => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
);

/** "3 min. ago"; after a month the date. */
function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 10) return "just now";
  if (Math.abs(seconds) > 30 * 86_400) return new Date(at).toLocaleDateString("en-GB", { dateStyle: "medium" });
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relativeFormat().format(Math.trunc(seconds / size), unit);
  return relativeFormat().format(seconds, "second");
}

export const exact = (at: number | string) => exactly().format(new Date(at));
const clock = (at: number | string) => withoutDate().format(new Date(at));
const utc = (at: number | string) => `${new Date(at).toISOString().replace("T", " ").slice(0, 19)} UTC`;

/** Once for all relative times on the screen. */
const ticking = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function useTick(on: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!on) return;
    const redraw = () => tick((count) => count + 1);
    ticking.add(redraw);
    timer ??= setInterval(() => {
      for (const one of ticking) one();
    }, 15_000);
    return () => {
      ticking.delete(redraw);
      if (ticking.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    };
  }, [on]);
}

/** Current time, updated every minute; for queries that end now. */
export function useMinute(): number {
  const minute = () => Math.floor(Date.now() / 60_000) * 60_000;
  const [now, setNow] = useState(minute);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && setNow(minute()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface TimeProps {
  at: string | number | undefined;
  as?: "relative" | "exact" | "clock";
}

export function Time({ at, as = "relative" }: TimeProps) {
  useTick(as === "relative" && at !== undefined);
  if (at === undefined) return <span class="muted">–</span>;
  const ms = new Date(at).getTime();
  const text = as === "relative" ? relative(ms, Date.now()) : as === "clock" ? clock(ms) : exact(ms);
  return (
    <time dateTime={new Date(ms).toISOString()} title={`${exact(ms)}\n${utc(ms)}`}>
      {text}
    </time>
  );
}

export type Tone = "good" | "warn" | "bad" | "accent" | "plain";

interface PillProps {
  tone?: Tone;
  children: ComponentChildren;
  title?: string;
}

/** A state in a word; the colour only repeats it. */
export function Pill({ tone = "plain", children, title }: PillProps) {
  return (
    <span class={`pill ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** Whether something is enabled. */
export const EnabledPill = ({ enabled }: { enabled: boolean }) =>
  enabled ? <Pill tone="good">Enabled</Pill> : <Pill>Disabled</Pill>;
