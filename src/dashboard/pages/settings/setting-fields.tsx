import { Field, Switch } from "../../forms/fields.tsx";
import { PickField } from "../../forms/pick-field.tsx";
import { countryOptions } from "../../forms/pick-options.ts";
import type { DraftForm } from "../../forms/use-form.ts";
import { toggled } from "../../parts/choices.ts";
import { readValues, type SettingField, type SettingGroup, type SettingValues, writeValues } from "./setting-values.ts";
import { SettingsSection } from "./use-settings.tsx";

interface SettingGroupsProps {
  groups: readonly SettingGroup[];
  form: Pick<DraftForm<{ values: SettingValues }>, "draft" | "set">;
}

export function SettingGroups({ groups, form: { draft, set } }: SettingGroupsProps) {
  const input = ({ name, isUpper: _, picks, ...field }: SettingField) => {
    const value = draft.values[name];
    const change = (next: string | boolean) => set({ values: { ...draft.values, [name]: next } });
    return typeof value === "boolean" ? (
      <Switch key={name} {...field} param={name} value={value} onChange={change} />
    ) : picks ? (
      <PickField
        key={name}
        {...field}
        param={name}
        value={value}
        onChange={change}
        options={countryOptions()}
        separator={"\n"}
        placeholder="Country"
      />
    ) : (
      <Field key={name} {...field} param={name} value={value} onChange={change} />
    );
  };
  return (
    <>
      {groups.map(({ title, about, stack = [], grid = [] }) => (
        <section key={title} class="setting-group">
          <h2>{title}</h2>
          {about && <p class="muted">{about}</p>}
          {stack.map(input)}
          {grid.length > 0 && <div class="form-grid">{grid.map(input)}</div>}
        </section>
      ))}
    </>
  );
}

/** A section that consists of such fields alone. */
export function FieldsSection({ groups }: { groups: readonly SettingGroup[] }) {
  return (
    <SettingsSection
      read={(settings) => ({ values: readValues(settings, groups) })}
      write={({ values }) => writeValues(values, groups)}
    >
      {(form) => <SettingGroups groups={groups} form={form} />}
    </SettingsSection>
  );
}

interface SwitchListProps<T extends string> {
  options: readonly (readonly [value: T, label: string])[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

/** A switch for each value that a list may have. */
export function SwitchList<T extends string>({ options, chosen, onChange }: SwitchListProps<T>) {
  return (
    <div class="form-grid">
      {options.map(([value, label]) => (
        <Switch
          key={value}
          label={label}
          value={chosen.includes(value)}
          onChange={(isOn) => onChange(toggled(chosen, value, isOn))}
        />
      ))}
    </div>
  );
}
