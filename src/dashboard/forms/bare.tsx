import type { ComponentChildren } from "preact";
import { Options, Suggestions } from "./options.tsx";

/** Fields without a visible label of their own: in table rows, filters and lists. */

interface BareProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  class?: string;
}

interface BareInputProps extends BareProps {
  type?: "text" | "number" | "date" | "time";
  placeholder?: string;
  min?: number;
  max?: string;
  list?: readonly string[];
  /** Report a change when the viewer leaves the field, not at each keystroke. */
  lazy?: boolean;
  /** The viewer presses Enter. */
  onEnter?: () => void;
}

export function BareInput({ label, value, onChange, type = "text", class: name, ...more }: BareInputProps) {
  const { list, lazy, onEnter, ...attributes } = more;
  const listId = list && `${label.toLowerCase().replace(/\W/g, "-")}-list`;
  const put = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  return (
    <>
      <input
        {...attributes}
        class={name}
        type={type}
        aria-label={label}
        list={listId}
        value={value}
        onKeyDown={onEnter && (({ key }) => key === "Enter" && onEnter())}
        {...(lazy ? { onChange: put } : { onInput: put })}
      />
      {list && listId && <Suggestions id={listId} values={list} />}
    </>
  );
}

interface BareSelectProps extends BareProps {
  options: readonly (readonly [value: string, text: string, disabled?: boolean])[];
}

export function BareSelect({ label, value, onChange, options, disabled, class: name }: BareSelectProps) {
  return (
    <select
      class={name}
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options of={options} />
    </select>
  );
}

interface CheckProps {
  children: ComponentChildren;
  value: boolean;
  onChange: (value: boolean) => void;
  type?: "checkbox" | "radio";
  class?: string;
  disabled?: boolean;
}

/** A small check box or radio button before its words. */
export function Check({ children, value, onChange, type = "checkbox", class: name = "row", disabled }: CheckProps) {
  return (
    <label class={name}>
      <input
        type={type}
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      {children}
    </label>
  );
}

interface BareCheckProps {
  label: string;
  value: boolean;
  /** Some of what it stands for is checked. */
  isMixed?: boolean;
  onChange: (value: boolean) => void;
}

/** A check box of a table row. */
export function BareCheck({ label, value, isMixed = false, onChange }: BareCheckProps) {
  return (
    <input
      type="checkbox"
      class="bare-check"
      aria-label={label}
      checked={value}
      ref={(box) => {
        if (box) box.indeterminate = isMixed;
      }}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
