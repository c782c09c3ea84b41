import type { IconNode } from "lucide";
import { CircleAlert, RefreshCw } from "lucide";
import type { ComponentChildren } from "preact";
import type { Problem, QueryState } from "../api/hooks.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import "./states.css";

/** Placeholders for data: empty, loading, or failed. */

/** Preact takes a number for what it is, not for pixels. */
const lengthOf = (value: number | string) => (typeof value === "number" ? `${value}px` : value);

/** A grey bar of the size of what comes. */
export function Skeleton({ width = "100%", height = 16 }: { width?: number | string; height?: number | string }) {
  return <span class="skeleton" style={{ width: lengthOf(width), height: lengthOf(height) }} aria-hidden="true" />;
}

export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  return (
    <div class="stack tight" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} width={`${90 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  );
}

/** Says what would be here, and the one thing that fills it. */
export function Empty({ icon, title, children }: { icon?: IconNode; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {icon && <Icon of={icon} size={24} />}
      <p class="strong">{title}</p>
      {children !== undefined && <div class="empty-body">{children}</div>}
    </div>
  );
}

export function Failure({ problem, again }: { problem: Problem; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <Icon of={CircleAlert} />
      <span class="grow">{problem.message}</span>
      {again && (
        <Button small icon={RefreshCw} onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The failure of a request, or lines until its response is there. */
export function Waiting({ of: { data, problem, again }, lines = 8 }: { of: QueryState<unknown>; lines?: number }) {
  if (problem) return <Failure problem={problem} again={again} />;
  return data === undefined ? <SkeletonLines lines={lines} /> : null;
}

/** The error of an input. */
export function ProblemText({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="field-problem" id={id} role="alert">
      {children}
    </p>
  );
}

const scrollIntoView = (one: HTMLElement | null) => one?.scrollIntoView({ block: "nearest" });

/** A note in the page. A good one is the result of a button, and must be seen below it, also on a phone. */
export function Note({ tone = "plain", children }: { tone?: "plain" | "warn" | "good"; children: ComponentChildren }) {
  return (
    <div ref={tone === "good" ? scrollIntoView : null} class={`note ${tone}`}>
      {children}
    </div>
  );
}
