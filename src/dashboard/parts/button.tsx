import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import type { Role } from "../../core/auth/role.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { Icon } from "./icon.tsx";
import "./button.css";

interface Looks {
  /** The one thing to do here. */
  main?: boolean;
  /** It deletes, or cannot be undone. */
  danger?: boolean;
  bare?: boolean;
  small?: boolean;
  icon?: IconNode;
  /** Needed where there is no text: said to screen readers, shown on hover. */
  label?: string;
  children?: ComponentChildren;
}

export interface ButtonProps extends Looks {
  onClick?: (event: MouseEvent) => void;
  type?: "button" | "submit";
  busy?: boolean;
  /** The role that a click requires: for others the button is disabled. */
  needs?: Role;
  disabled?: boolean;
  /** Why it is disabled, on hover. */
  why?: string;
  pressed?: boolean;
  id?: string;
  expanded?: boolean;
}

const classOf = ({ main, danger, bare, small, children }: Looks, busy = false) =>
  [
    "button",
    main && "primary",
    danger && "danger",
    bare && "bare",
    small && "small",
    children === undefined && "square",
    busy && "busy",
  ]
    .filter(Boolean)
    .join(" ");

export function Button(props: ButtonProps) {
  const { onClick, type = "button", busy = false, needs, pressed, expanded, id, icon, label } = props;
  const lacksRole = !useMay(needs ?? "read") && needs !== undefined;
  const disabled = lacksRole || props.disabled === true;
  const why = lacksRole ? whyNot(needs) : props.why;
  return (
    <button
      id={id}
      type={type}
      class={classOf(props, busy)}
      disabled={disabled || busy}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-busy={busy || undefined}
      aria-label={props.children === undefined ? label : undefined}
      title={disabled ? (why ?? label) : label}
      onClick={onClick}
    >
      {icon && <Icon of={icon} />}
      {props.children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton(props: Looks & { href: string; download?: string | boolean; newTab?: boolean }) {
  const { href, download, newTab, icon, label } = props;
  return (
    <a
      class={classOf(props)}
      href={href}
      download={download}
      target={newTab ? "_blank" : undefined}
      rel={newTab ? "noopener" : undefined}
      aria-label={props.children === undefined ? label : undefined}
      title={label}
    >
      {icon && <Icon of={icon} />}
      {props.children}
    </a>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, side by side. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline in every browser
    <div class="choice" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </div>
  );
}
