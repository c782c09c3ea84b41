import type { ComponentChildren } from "preact";
import { EVERY_MS, useNow } from "./now.ts";
import { onUse } from "./on-use.ts";

import "./pill.css";

/**
 * Values as a person reads them: numbers with their unit (numbers.ts), times in the viewer's zone (hover shows UTC; relative ones in lists,
 * exact ones in details), and states in a word.
 */

export * from "./numbers.ts";

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
  // The clock of the page is up to one tick late.
  if (seconds > -10 && seconds <= EVERY_MS / 1000) return "just now";
  if (Math.abs(seconds) > 30 * 86_400) return new Date(at).toLocaleDateString("en-GB", { dateStyle: "medium" });
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relativeFormat().format(Math.trunc(seconds / size), unit);
  return relativeFormat().format(seconds, "second");
}

export const exact = (at: number | string) => exactly().format(new Date(at));
const clock = (at: number | string) => withoutDate().format(new Date(at));
const utc = (at: number | string) => `${new Date(at).toISOString().replace("T", " ").slice(0, 19)} UTC`;

interface TimeProps {
  at: string | number | undefined;
  as?: "relative" | "exact" | "clock";
}

export function Time({ at, as = "relative" }: TimeProps) {
  const now = useNow();
  if (at === undefined) return <span class="muted">–</span>;
  const ms = new Date(at).getTime();
  const text = as === "relative" ? relative(ms, now) : as === "clock" ? clock(ms) : exact(ms);
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
