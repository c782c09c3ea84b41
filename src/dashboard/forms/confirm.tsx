import type { ComponentChildren } from "preact";
import type { Api, Result } from "../api/client.ts";
import { Field } from "./fields.tsx";
import { DialogForm } from "./form.tsx";
import { useForm } from "./use-form.ts";

/**
 * Asks before an action that cannot be undone, then does it.
 * @param name what the viewer must type; without it a click is enough
 */
export function Confirm<T>({
  title,
  children,
  name,
  action,
  send,
  onDone,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  name?: string;
  action: string;
  send: (api: Api) => Promise<Result<T>>;
  /** Called after the action succeeded. Close the dialog here, unless the page leaves. */
  onDone: (data: T) => void;
  onClose: () => void;
}) {
  const form = useForm({ saved: { typed: "" }, send, onDone });
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
