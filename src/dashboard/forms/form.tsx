import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { ProblemText } from "../parts/states.tsx";
import { FormContext, type FormState, problemOf } from "./form-context.ts";

interface FormProps {
  of: FormState;
  children: ComponentChildren;
  class?: string;
  /** The local check reports missing and invalid values, not the browser. */
  checksItself?: boolean;
}

/** A form of `useForm` or `useSubmit`. Its fields show the errors of their `param`. */
export function Form({ of, children, class: name = "stack", checksItself = false }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const params = useMemo(() => new Map<string, number>(), []);
  useEffect(() => {
    if (of.failures > 0) focusFirstError(element.current);
  }, [of.failures]);
  return (
    <FormContext.Provider value={{ form: of, params }}>
      <form
        ref={element}
        class={name}
        noValidate={checksItself}
        onSubmit={(event) => {
          event.preventDefault();
          if (of.locked === undefined && !of.isUnchanged) void of.submit();
        }}
      >
        {children}
      </form>
    </FormContext.Provider>
  );
}

function focusFirstError(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  for (let folded = field.closest("details"); folded; folded = folded.parentElement?.closest("details") ?? null)
    folded.open = true;
  field.focus();
}

/** The errors that belong to none of the form's visible fields. */
export function FormError() {
  const shown = useContext(FormContext);
  if (!shown) return null;
  const { form, params } = shown;
  const visible = [...params].filter(([, count]) => count > 0).map(([param]) => param);
  const lines = Object.entries(form.faults).flatMap(([param, text]) =>
    text !== undefined && !visible.includes(param) ? [`${param}: ${text}`] : [],
  );
  const { problem } = form;
  if (problem && !visible.some((param) => problemOf(problem, param) !== undefined))
    lines.push(problem.param ? `${problem.param}: ${problem.message}` : problem.message);
  if (lines.length === 0) return null;
  return <ProblemText>{lines.join(" ")}</ProblemText>;
}

interface SaveButtonProps {
  children: ComponentChildren;
  /** Not the main action of the page. */
  plain?: boolean;
  danger?: boolean;
  icon?: IconNode;
  disabled?: boolean;
  why?: string;
}

/** Submits the form. Disabled, with the reason, if the member may not or there is nothing to save. */
export function SaveButton({ children, plain = false, danger, icon, disabled = false, why }: SaveButtonProps) {
  const form = useContext(FormContext)?.form;
  const isUnchanged = form?.isUnchanged === true;
  return (
    <Button
      type="submit"
      main={!plain}
      danger={danger}
      icon={icon}
      busy={form?.busy}
      disabled={form?.locked !== undefined || isUnchanged || disabled}
      why={form?.locked ?? (isUnchanged ? "There are no changes." : why)}
    >
      {children}
    </Button>
  );
}

interface DialogFormProps {
  of: FormState;
  title: string;
  action: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
  danger?: boolean;
  disabled?: boolean;
}

/** A form in a dialog: fields, errors, Cancel, and the action. */
export function DialogForm({ of, title, action, onClose, children, wide, danger, disabled }: DialogFormProps) {
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <Form of={of}>
        {children}
        <FormError />
        <footer class="row dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <SaveButton danger={danger} disabled={disabled}>
            {action}
          </SaveButton>
        </footer>
      </Form>
    </Dialog>
  );
}
