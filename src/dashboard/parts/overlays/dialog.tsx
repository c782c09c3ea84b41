import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** The browser's own dialog: it holds the focus, Escape closes it, and what is behind cannot be reached. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed, and not only removed, it returns the focus to what opened it.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header class="row ends">
        <h2 id={heading}>{title}</h2>
        <Button bare small icon={X} label="Close" onClick={onClose} />
      </header>
      <div class="dialog-body stack">{children}</div>
    </dialog>
  );
}
