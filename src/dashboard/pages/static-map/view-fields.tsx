import { CLICK } from "../../base/pointer.ts";
import { Field, Select } from "../../forms/fields.tsx";
import { fieldOf } from "../../forms/use-form.ts";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import type { Draft } from "./draft.ts";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

/** View and size of the map. */
export function ViewFields({ draft, onChange, spot, onSpot, problemOf }: PartProps) {
  const put = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });
  const field = fieldOf(draft, put);
  const checked = <Name extends keyof Draft>(name: Name) => ({ ...field(name), problem: problemOf(name) });
  const size = { type: "number", unit: "px", min: 100, max: 2048 } as const;
  return (
    <fieldset class="static-part stack">
      <legend>View</legend>
      <Choice
        label="View"
        options={choices({ center: "Center and zoom", fit: "Fit content", bbox: "Box" })}
        {...field("view")}
      />
      {draft.view === "center" && (
        <>
          <SpotField
            label="Center"
            placeholder="latitude,longitude or a place"
            {...checked("center")}
            {...{ mine: { of: "center" }, spot, onSpot }}
          />
          <Field label="Zoom" type="number" min={1} max={23} step="any" {...checked("zoom")} />
        </>
      )}
      {draft.view === "bbox" && (
        <SpotField
          label="Box"
          placeholder="south,west,north,east"
          hint={`${CLICK} two opposite corners on the map.`}
          {...checked("bbox")}
          {...{ mine: { of: "bbox" }, spot, onSpot }}
        />
      )}
      {draft.view !== "center" && (
        <Field
          label="Padding"
          placeholder="16 or top,right,bottom,left"
          hint="Padding around the content, in pixels."
          {...checked("padding")}
        />
      )}
      <div class="form-grid two">
        <Field label="Width" {...size} {...checked("width")} />
        <Field label="Height" {...size} {...checked("height")} />
        <Select label="Scale" options={SCALES} {...field("scale")} />
      </div>
    </fieldset>
  );
}

const SCALES = [
  ["1", "1"],
  ["2", "2: high-DPI screens"],
  ["3", "3"],
] as const;
