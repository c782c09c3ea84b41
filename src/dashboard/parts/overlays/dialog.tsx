import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../button.tsx";
import "./dialog.css";

/** The browser's own dialog: it holds the focus, Escape closes it, and what is behind cannot be reached. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
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

/**
 * Asks before something is deleted for good: the viewer types its name.
 * @param name what must be typed; without it a click is enough
 */
export function Confirm({
  title,
  children,
  name,
  action,
  busy = false,
  problem,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  name?: string;
  action: string;
  busy?: boolean;
  problem?: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const sure = name === undefined || typed.trim() === name;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (sure) onConfirm();
        }}
      >
        <div>{children}</div>
        {name !== undefined && (
          <Field
            label={
              <>
                Type <code>{name}</code> to confirm
              </>
            }
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        )}
        {problem && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <footer class="row dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" main danger disabled={!sure} busy={busy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
