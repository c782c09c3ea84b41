import { listOf } from "../../forms/draft.ts";
/** Settings as values of fields, and back. */

/** A field of a setting: a switch for a boolean, and one line for each value of a list, which therefore has `lines`. */
export interface SettingField<Name extends string = string> {
  /** As the API writes it in errors: "tracking[regions][state]". */
  name: Name;
  label: string;
  hint?: string;
  unit?: string;
  lines?: number;
  mono?: boolean;
  type?: "number";
  step?: "any";
  /** Whether values are written in upper case. */
  isUpper?: boolean;
  /** Values that are picked from a list; others can be typed. */
  picks?: "countries";
}

export interface SettingGroup<Name extends string = string> {
  title: string;
  about?: string;
  /** One below the other. */
  stack?: readonly SettingField<Name>[];
  /** Next to each other, where there is space. */
  grid?: readonly SettingField<Name>[];
}

/** The values of fields, by their names: texts, until the server has checked them. */
export type SettingValues = Readonly<Record<string, string | boolean>>;

const fieldsOf = (groups: readonly SettingGroup[]) =>
  groups.flatMap(({ stack = [], grid = [] }) => [...stack, ...grid]);

/** Lists are typed one to a line, or with commas. */
export const toLines = (list: readonly string[]) => list.join("\n");
export const fromLines = (text: string) => [...new Set(listOf(text))];

const pathOf = (name: string) => name.split(/[[\]]+/).filter((key) => key !== "");

export function readValues(settings: object, groups: readonly SettingGroup[]): SettingValues {
  const entries = fieldsOf(groups).map(({ name }) => {
    const value = pathOf(name).reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], settings);
    return [name, Array.isArray(value) ? toLines(value) : typeof value === "boolean" ? value : String(value)];
  });
  return Object.fromEntries(entries);
}

/** The change of the settings that stores the values. */
export function writeValues(values: SettingValues, groups: readonly SettingGroup[]): Record<string, never> {
  const patch: Patch = {};
  for (const { name, lines, isUpper } of fieldsOf(groups)) {
    const value = isUpper ? String(values[name]).toUpperCase() : values[name];
    putValue(patch, pathOf(name), lines ? fromLines(String(value)) : value);
  }
  return patch as Record<string, never>;
}

type Patch = { [key: string]: unknown };

function putValue(patch: Patch, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) patch[key] = value;
  else {
    patch[key] ??= {};
    putValue(patch[key] as Patch, rest, value);
  }
}
