import { Search, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useQueryValue, useQueryValues } from "../router.tsx";
import "./filters.css";

/** Filters above a list; each lives in the address under its name. */
export function FilterBar({ children, end }: { children: ComponentChildren; end?: ComponentChildren }) {
  return (
    <div class="filters">
      <div class="row wrap grow">{children}</div>
      {end !== undefined && <div class="row wrap">{end}</div>}
    </div>
  );
}

/** Typed letters reach the address after this pause [ms]. */
const PAUSE = 250;

export function SearchFilter({ name, label, placeholder }: { name: string; label: string; placeholder?: string }) {
  const [value, setValue] = useQueryValue(name);
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const put = (text: string, pause: number) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setValue(text.trim()), pause);
  };
  return (
    <span class="search">
      <Icon of={Search} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={typed}
        onInput={(event) => put(event.currentTarget.value, PAUSE)}
        onKeyDown={(event) => event.key === "Enter" && put(event.currentTarget.value, 0)}
      />
    </span>
  );
}

export function SelectFilter({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}) {
  const [value, setValue] = useQueryValue(name);
  return (
    <select
      class={value ? "filter set" : "filter"}
      aria-label={label}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    >
      <option value="">{label}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A time in the viewer's zone. The URL has it as typed. */
export function TimeFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useQueryValue(name);
  return (
    <label class="row small muted">
      {label}
      <input
        type="datetime-local"
        class="filter"
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
    </label>
  );
}

/** Removes all filters; shown only while there is one. */
export function ClearFilters({ names }: { names: readonly string[] }) {
  const [query, setQuery] = useQueryValues();
  if (!names.some((name) => query.get(name))) return null;
  return (
    <Button bare icon={X} onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, ""])))}>
      Clear
    </Button>
  );
}
