import { Search, SlidersHorizontal, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQueryValue, useQueryValues } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { BareInput } from "./bare.tsx";
import { Options } from "./options.tsx";
import { viewerZone } from "./pick-options.ts";
import { SavedViews } from "./saved-views.tsx";
import "./filters.css";

interface FilterBarProps {
  children: ComponentChildren;
  end?: ComponentChildren;
  names: readonly string[];
}

/**
 * Filters above a list; each lives in the address under its name. On a phone they are behind one button.
 * @param names of the filters in the address
 */
export function FilterBar({ children, end, names }: FilterBarProps) {
  const [query, setQuery] = useQueryValues();
  const [isOpen, setOpen] = useState(false);
  const body = useRef<HTMLFieldSetElement>(null);
  const opener = useRef<HTMLDivElement>(null);
  const set = names.filter((name) => query.get(name)).length;
  useEffect(() => {
    if (isOpen) body.current?.querySelector<HTMLElement>("input, select")?.focus();
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    opener.current?.querySelector("button")?.focus();
  };
  return (
    <div class="filters" ref={opener}>
      <span class="filters-open">
        <Button icon={SlidersHorizontal} expanded={isOpen} onClick={() => setOpen(true)}>
          Filters{set > 0 && <span class="filters-set number">{set}</span>}
        </Button>
      </span>
      <fieldset
        ref={body}
        class={isOpen ? "filters-body open" : "filters-body"}
        aria-label="Filters"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !isOpen) return;
          event.stopPropagation();
          close();
        }}
      >
        <header class="filters-phone row ends">
          <h2>Filters</h2>
          <Button bare icon={X} label="Close filters" onClick={close} />
        </header>
        {children}
        {set > 0 && (
          <Button bare icon={X} onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, ""])))}>
            Clear
          </Button>
        )}
        <SavedViews names={names} />
        <footer class="filters-phone">
          <Button main onClick={close}>
            Show results
          </Button>
        </footer>
      </fieldset>
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

/** A value that can be typed, or picked from a list. */
export function ListFilter({ name, label, options }: SelectFilterProps) {
  const [value, setValue] = useQueryValue(name);
  return (
    <BareInput
      class={value ? "filter set" : "filter"}
      label={label}
      placeholder={label}
      value={value}
      onChange={(text) => setValue(text.trim())}
      list={options.map(([one]) => one)}
      lazy
    />
  );
}

interface SelectFilterProps {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}

export function SelectFilter({ name, label, options }: SelectFilterProps) {
  const [value, setValue] = useQueryValue(name);
  return (
    <select
      class={value ? "filter set" : "filter"}
      aria-label={label}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    >
      <option value="">{label}</option>
      <Options of={options} />
    </select>
  );
}

interface DateFilterProps {
  name: string;
  label: string;
  /** Without a value in the address. */
  usual: string;
  min?: string;
  max?: string;
}

/** A day in the viewer's zone. */
export function DateFilter({ name, label, usual, min, max }: DateFilterProps) {
  const [value, setValue] = useQueryValue(name);
  return (
    <label class="row small muted" title={`Time zone: ${viewerZone()}`}>
      {label}
      <input
        type="date"
        class="filter"
        value={value || usual}
        min={min}
        max={max}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    </label>
  );
}

/** A time in the viewer's zone. The URL has it as typed. */
export function TimeFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useQueryValue(name);
  return (
    <label class="row small muted" title={`Time zone: ${viewerZone()}`}>
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
