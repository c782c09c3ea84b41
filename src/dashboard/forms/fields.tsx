import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { ProblemText } from "../parts/states.tsx";
import { useFormField } from "./form-context.ts";
import { Options, Suggestions } from "./options.tsx";
import { viewerZone } from "./pick-options.ts";
import "./form.css";

/** Form fields with hints and errors. */

interface Common {
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** The parameter of the API, or several, whose errors are shown here. */
  param?: string | readonly string[];
  /** An error that is found here, before anything is sent. */
  problem?: string;
  disabled?: boolean;
}

interface LabelledProps extends Common {
  id: string;
  children: ComponentChildren;
}

/** What `described` refers to. */
function Notes({ id, hint, problem }: Pick<Common, "hint" | "problem"> & { id: string }) {
  return (
    <>
      {hint !== undefined && hint !== "" && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && <ProblemText id={`${id}-problem`}>{problem}</ProblemText>}
    </>
  );
}

export function Labelled({ id, label, hint, problem, children }: LabelledProps) {
  return (
    <div class={problem ? "field wrong" : "field"}>
      <label for={id}>{label}</label>
      {children}
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** The properties of a field, with the error and the lock of its form. */
export function useCommon<P extends Common>(props: P): P {
  const { problem, locked } = useFormField(props.param);
  return { ...props, problem: props.problem ?? problem, disabled: props.disabled || locked };
}

const descriptionIds = (id: string, { hint, problem }: Common) =>
  [hint !== undefined && hint !== "" && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ") ||
  undefined;

interface FieldProps extends Common {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "search" | "email" | "url" | "number" | "password" | "date" | "datetime-local";
  placeholder?: string;
  /** Unit after the value ("minutes"). */
  unit?: string;
  /** Several lines. */
  lines?: number;
  required?: boolean;
  autoFocus?: boolean;
  mono?: boolean;
  min?: number;
  max?: number;
  step?: number | "any";
  list?: readonly string[];
}

export function Field(given: FieldProps) {
  const props = useCommon(given);
  const { value, onChange, type = "text", unit, lines, autoFocus, mono, list, placeholder, required, disabled } = props;
  const { min, max, step } = props;
  const id = useId();
  // A time without a zone could be anybody's.
  const hint = props.hint ?? (type === "datetime-local" ? `Time zone: ${viewerZone()}` : undefined);
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  const common = {
    id,
    ref: input,
    value,
    placeholder,
    required,
    disabled,
    class: mono ? "mono" : undefined,
    spellcheck: mono ? false : undefined,
    "aria-invalid": props.problem ? true : undefined,
    "aria-describedby": descriptionIds(id, { ...props, hint }),
    onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <Labelled {...props} hint={hint} id={id}>
      {lines ? (
        <textarea {...common} rows={lines} />
      ) : (
        <span class="input">
          <input {...({ ...common, type, min, max, step, list: list && `${id}-list` } as InputHTMLAttributes)} />
          {unit && <span class="unit">{unit}</span>}
        </span>
      )}
      {list && <Suggestions id={`${id}-list`} values={list} />}
    </Labelled>
  );
}

export function Select<T extends string>({
  options,
  value,
  onChange,
  ...given
}: Common & { options: readonly (readonly [T, string])[]; value: T; onChange: (value: T) => void }) {
  const common = useCommon(given);
  const id = useId();
  return (
    <Labelled {...common} id={id}>
      <select
        id={id}
        value={value}
        disabled={common.disabled}
        aria-invalid={common.problem ? true : undefined}
        aria-describedby={descriptionIds(id, common)}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        <Options of={options} />
      </select>
    </Labelled>
  );
}

/** On or off. */
export function Switch({ value, onChange, ...given }: Common & { value: boolean; onChange: (value: boolean) => void }) {
  const { label, hint, problem, disabled } = useCommon(given);
  const id = useId();
  return (
    <div class={problem ? "switch wrong" : "switch"}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={value}
        aria-checked={value}
        aria-invalid={problem ? true : undefined}
        disabled={disabled}
        aria-describedby={descriptionIds(id, { label, hint, problem })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        <Notes id={id} hint={hint} problem={problem} />
      </div>
    </div>
  );
}

/** A file chosen or dropped. */
export function FileField({
  accept,
  onFile,
  ...given
}: Common & { accept: string; onFile: (file: File | undefined) => void }) {
  const common = useCommon(given);
  const id = useId();
  return (
    <Labelled {...common} id={id}>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={common.disabled}
        aria-invalid={common.problem ? true : undefined}
        aria-describedby={descriptionIds(id, common)}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
    </Labelled>
  );
}

/** The error of a group of fields, such as opening hours. */
export function GroupProblem({ param, problem }: { param?: string | readonly string[]; problem?: string }) {
  const shown = useFormField(param);
  const text = problem ?? shown.problem;
  if (text === undefined) return null;
  return <ProblemText>{text}</ProblemText>;
}
