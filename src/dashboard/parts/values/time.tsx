import { useEffect, useState } from "preact/hooks";
import { onUse } from "./on-use.ts";

/** Times in the viewer's zone; hover shows UTC. Relative ones in lists, exact ones in details. */

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

export function Time({
  at,
  as = "relative",
}: {
  at: string | number | undefined;
  as?: "relative" | "exact" | "clock";
}) {
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
