import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Api, Result } from "../api/hooks.ts";
import { Button, type ButtonProps } from "../parts/button.tsx";
import { Field } from "./fields.tsx";
import { DialogForm } from "./form.tsx";
import { type Effects, useForm } from "./use-form.ts";

interface ConfirmProps<T> extends Effects {
  title: string;
  children: ComponentChildren;
  /** The text that the viewer must type; without it a click is enough. */
  name?: string;
  action: string;
  send: (api: Api) => Promise<Result<T>>;
  onClose: () => void;
  /** Called after the action succeeded and the dialog was closed. */
  onDone?: (data: T) => void;
}

/** Asks before an action that cannot be undone, then does it. */
export function Confirm<T>(props: ConfirmProps<T>) {
  const { title, children, name, action, send, onClose, onDone, forgets, said } = props;
  const form = useForm({
    ...{ saved: { typed: "" }, send, forgets, said },
    onDone: (data: T) => {
      onClose();
      onDone?.(data);
    },
  });
  const isSure = name === undefined || form.draft.typed.trim() === name;
  return (
    <DialogForm of={form} title={title} action={action} onClose={onClose} danger disabled={!isSure}>
      <div>{children}</div>
      {name !== undefined && (
        <Field
          label={
            <>
              Type <code>{name}</code> to confirm
            </>
          }
          {...form.field("typed")}
          autoFocus
        />
      )}
    </DialogForm>
  );
}

/** A button that asks before its action. Not for use inside a form, because the dialog is one. */
export function ConfirmButton<T>({ button, ...confirm }: Omit<ConfirmProps<T>, "onClose"> & { button: ButtonProps }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)} />
      {isAsking && <Confirm {...confirm} onClose={() => setAsking(false)} />}
    </>
  );
}
