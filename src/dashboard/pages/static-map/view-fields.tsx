import { Field, Select } from "../../forms/fields.tsx";
import { Choice } from "../../parts/button.tsx";
import type { Draft } from "./draft.ts";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

/** View and size of the map. */
export function ViewFields({ draft, onChange, spot, onSpot, problemOf }: PartProps) {
  const put = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });
  return (
    <fieldset class="static-part stack">
      <legend>View</legend>
      <Choice
        label="View"
        options={[
          ["center", "Center and zoom"],
          ["fit", "Fit content"],
          ["bbox", "Box"],
        ]}
        value={draft.view}
        onChange={(view) => put({ view })}
      />
      {draft.view === "center" && (
        <>
          <SpotField
            label="Center"
            placeholder="latitude,longitude or a place"
            problem={problemOf("center")}
            value={draft.center}
            onChange={(center) => put({ center })}
            {...{ mine: { of: "center" }, spot, onSpot }}
          />
          <Field
            label="Zoom"
            type="number"
            min={1}
            max={23}
            step="any"
            problem={problemOf("zoom")}
            value={draft.zoom}
            onChange={(zoom) => put({ zoom })}
          />
        </>
      )}
      {draft.view === "bbox" && (
        <SpotField
          label="Box"
          placeholder="south,west,north,east"
          hint="Click two opposite corners on the map."
          problem={problemOf("bbox")}
          value={draft.bbox}
          onChange={(bbox) => put({ bbox })}
          {...{ mine: { of: "bbox" }, spot, onSpot }}
        />
      )}
      {draft.view !== "center" && (
        <Field
          label="Padding"
          placeholder="16 or top,right,bottom,left"
          hint="Padding around the content, in pixels."
          problem={problemOf("padding")}
          value={draft.padding}
          onChange={(padding) => put({ padding })}
        />
      )}
      <div class="form-grid two">
        {(["width", "height"] as const).map((name) => (
          <Field
            key={name}
            label={name === "width" ? "Width" : "Height"}
            type="number"
            unit="px"
            min={100}
            max={2048}
            problem={problemOf(name)}
            value={draft[name]}
            onChange={(value) => put({ [name]: value })}
          />
        ))}
        <Select
          label="Scale"
          options={[
            ["1", "1"],
            ["2", "2: high-DPI screens"],
            ["3", "3"],
          ]}
          value={draft.scale}
          onChange={(scale) => put({ scale })}
        />
      </div>
    </fieldset>
  );
}
