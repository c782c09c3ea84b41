import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { listOf } from "./draft.ts";
import { Labelled, useCommon } from "./fields.tsx";
import { Suggestions } from "./options.tsx";

type PickOption = readonly [value: string, text: string];

interface PickFieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  param?: string | readonly string[];
  problem?: string;
  disabled?: boolean;
  /** The chosen values, separated by commas or lines. */
  value: string;
  onChange: (value: string) => void;
  /** What can be chosen; other values can be typed. */
  options: readonly PickOption[];
  /** Between the values. */
  separator?: "," | "\n";
  placeholder?: string;
}

/** Several values: the chosen ones as chips, and a field that finds more by value or text. */
export function PickField(given: PickFieldProps) {
  const { value, onChange, options, separator = ",", placeholder, ...props } = useCommon(given);
  const id = useId();
  const [typed, setTyped] = useState("");
  const chosen = listOf(value);
  const put = (values: readonly string[]) => onChange(values.join(separator));
  const add = (text: string) => {
    const wanted = text.trim();
    const [found] = options.find(([one, words]) => one === wanted || words === wanted) ?? [wanted];
    setTyped("");
    if (found !== "" && !chosen.includes(found)) put([...chosen, found]);
  };
  const type = (text: string) => {
    // A comma ends a value; picking from the list of the browser types a whole one.
    if (/[,\n]$/.test(text)) add(text.slice(0, -1));
    else if (isPicked(text, typed) && options.some(([, words]) => words === text)) add(text);
    else setTyped(text);
  };
  const textOf = (one: string) => options.find(([known]) => known === one)?.[1] ?? one;
  return (
    <Labelled {...props} id={id}>
      <div class="pick">
        {chosen.map((one) => (
          <span key={one} class="pick-chip" title={one}>
            {textOf(one)}
            <button
              type="button"
              aria-label={`Remove ${textOf(one)}`}
              disabled={props.disabled}
              onClick={() => put(chosen.filter((other) => other !== one))}
            >
              <Icon of={X} size={12} />
            </button>
          </span>
        ))}
        <input
          id={id}
          value={typed}
          list={`${id}-list`}
          placeholder={chosen.length === 0 ? placeholder : undefined}
          disabled={props.disabled}
          aria-invalid={props.problem ? true : undefined}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={() => add(typed)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && typed.trim() !== "") {
              event.preventDefault();
              add(typed);
            } else if (event.key === "Backspace" && typed === "" && chosen.length > 0) put(chosen.slice(0, -1));
          }}
        />
      </div>
      <Suggestions
        id={`${id}-list`}
        values={options.filter(([one]) => !chosen.includes(one)).map(([, words]) => words)}
      />
    </Labelled>
  );
}

/** Was the text picked from the list, rather than typed letter by letter? */
const isPicked = (text: string, before: string) => text.length - before.length > 1;
