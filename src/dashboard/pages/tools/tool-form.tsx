import { Crosshair, X } from "lucide";
import { CLICK } from "../../base/pointer.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { PickField } from "../../forms/pick-field.tsx";
import { countryOptions, LAYERS } from "../../forms/pick-options.ts";
import { TextFileField } from "../../forms/text-file-field.tsx";
import { localTime } from "../../map/fences/fence-draft.ts";
import { isOnMap, type Tool, type ToolField, type Values } from "../../map/tools/tool.ts";
import { Button } from "../../parts/button.tsx";
import { sameWords } from "../../parts/choices.ts";

interface FormProps {
  tool: Tool;
  values: Values;
  /** The field that a click on the map fills. */
  active: string;
  onActive: (name: string) => void;
  onChange: (name: string, value: string) => void;
}

export function ToolForm(props: FormProps) {
  return (
    <>
      {props.tool.fields.map((field) => (
        <ToolInput key={`${props.tool.id} ${field.name}`} field={field} {...props} />
      ))}
    </>
  );
}

function ToolInput({ field, values, active, onActive, onChange }: FormProps & { field: ToolField }) {
  const { name, label, kind, options = [], hint, required } = field;
  const value = values[name] ?? "";
  const common = { label, hint, param: name };
  const put = (next: string) => onChange(name, next);
  if (kind === "choice") return <Select {...common} options={sameWords(options)} value={value} onChange={put} />;
  if (kind === "flag") return <Switch {...common} value={value === "true"} onChange={(on) => put(on ? "true" : "")} />;
  if (kind === "time")
    return <Field {...common} type="datetime-local" value={localTime(value)} onChange={(at) => put(isoOf(at))} />;
  if (kind === "layers" || kind === "countries") {
    const all = kind === "layers" ? LAYERS : countryOptions();
    return <PickField {...common} value={value} onChange={put} options={all} placeholder="All" />;
  }
  if (kind === "file") return <TextFileField {...common} value={value} onChange={put} />;
  if (!isOnMap(field))
    return (
      <Field
        {...common}
        type={kind === "number" ? "number" : "text"}
        step="any"
        required={required}
        value={value}
        onChange={put}
      />
    );
  return (
    <div class="row place-field">
      <div class="grow">
        <Field
          {...common}
          mono
          lines={kind !== "place" ? Math.min(6, Math.max(2, value.split("|").length)) : undefined}
          placeholder={kind !== "place" ? "One latitude,longitude per line" : "latitude,longitude"}
          value={kind !== "place" ? value.split("|").join("\n") : value}
          onChange={(text) => put(kind !== "place" ? text.split("\n").join("|") : text)}
        />
      </div>
      <Button
        icon={Crosshair}
        label={`${CLICK} ${label} on the map`}
        pressed={active === name}
        main={active === name}
        onClick={() => onActive(active === name ? "" : name)}
      />
      {value !== "" && <Button bare icon={X} label={`Clear ${label}`} onClick={() => put("")} />}
    </div>
  );
}

const isoOf = (local: string) => (local === "" ? "" : new Date(local).toISOString());
