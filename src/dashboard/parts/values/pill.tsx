import type { ComponentChildren } from "preact";
import "./pill.css";

export type Tone = "good" | "warn" | "bad" | "accent" | "plain";

/** A state in a word; the colour only repeats it. */
export function Pill({
  tone = "plain",
  children,
  title,
}: {
  tone?: Tone;
  children: ComponentChildren;
  title?: string;
}) {
  return (
    <span class={`pill ${tone}`} title={title}>
      {children}
    </span>
  );
}
