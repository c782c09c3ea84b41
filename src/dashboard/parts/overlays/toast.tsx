import { X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../button.tsx";
import "./toast.css";

/** Short notifications in a corner, with an undo button where possible. */

interface Toast {
  id: number;
  text: string;
  tone: "plain" | "bad";
  undo?: () => void;
}

const SHOWN_MS = 6_000;
let toasts: readonly Toast[] = [];
let last = 0;
let changed: () => void = () => {};

export function toast(
  text: string,
  { tone = "plain", undo }: { tone?: "plain" | "bad"; undo?: () => void } = {},
): void {
  const id = ++last;
  toasts = [...toasts.slice(-2), { id, text, tone, undo }];
  changed();
  setTimeout(() => dismiss(id), SHOWN_MS * (undo || tone === "bad" ? 2 : 1));
}

function dismiss(id: number): void {
  toasts = toasts.filter((one) => one.id !== id);
  changed();
}

export function Toasts() {
  const [, redraw] = useState(0);
  useEffect(() => {
    changed = () => redraw((count) => count + 1);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, undo }) => (
        <div key={id} class={`toast ${tone}`}>
          <span class="grow">{text}</span>
          {undo && (
            <Button
              small
              onClick={() => {
                undo();
                dismiss(id);
              }}
            >
              Undo
            </Button>
          )}
          <Button small bare icon={X} label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
