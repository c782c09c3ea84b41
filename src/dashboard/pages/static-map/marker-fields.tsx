import { ANCHORS, MARKER_SIZES } from "../../../core/maps/overlay.ts";
import { SYMBOLS } from "../../../core/maps/style/pictograms.ts";
import type { listMapIcons } from "../../../worker/http/maps/static-map-uploads.ts";
import type { Answer } from "../../api/client.ts";
import { useQuery } from "../../api/hooks.ts";
import { ColorField } from "../../forms/color-field.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { NEW_MARKER } from "./draft.ts";
import { Items } from "./items.tsx";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

const DEFAULT_VALUE = ["", "default"] as const;
const optionsOf = (values: readonly string[]) => [DEFAULT_VALUE, ...values.map((one) => [one, one] as const)];

/** Groups of markers, each of one look. */
export function MarkerFields({ draft, onChange, spot, onSpot, problemOf }: PartProps) {
  const icons = useQuery<Answer<typeof listMapIcons>>(draft.markers.length > 0 ? "/v1/maps/icons" : undefined);
  return (
    <Items
      of="marker"
      title="Markers"
      word="markers"
      addWords="Add markers"
      items={draft.markers}
      fresh={NEW_MARKER}
      onItems={(markers) => onChange({ ...draft, markers })}
      onSpot={onSpot}
    >
      {({ item: marker, index, name, put, remove }) => (
        <>
          <SpotField
            label={name}
            placeholder="One latitude,longitude or place per line"
            problem={problemOf("markers")}
            value={marker.locations}
            several
            onChange={(locations) => put({ locations })}
            {...{ mine: { of: "marker", index }, spot, onSpot }}
          />
          <div class="form-grid two">
            <Field
              label="Letters"
              hint="1 to 3, in the pin"
              value={marker.label}
              onChange={(label) => put({ label })}
            />
            <Select
              label="Pictogram"
              options={optionsOf(SYMBOLS)}
              value={marker.symbol}
              onChange={(symbol) => put({ symbol })}
            />
            <Select
              label="Size"
              options={optionsOf(MARKER_SIZES)}
              value={marker.size}
              onChange={(size) => put({ size })}
            />
            <Select
              label="Anchor"
              options={optionsOf(ANCHORS)}
              value={marker.anchor}
              onChange={(anchor) => put({ anchor })}
            />
          </div>
          <ColorField label="Color" usual="#000257" value={marker.color} onChange={(color) => put({ color })} />
          <Field label="Label" value={marker.text} onChange={(text) => put({ text })} />
          <Field
            label="Custom icon"
            hint="The id of an uploaded icon, or an https URL."
            list={icons.data?.icons.map(({ _id }) => _id) ?? []}
            value={marker.icon}
            onChange={(icon) => put({ icon })}
          />
          <div class="row">{remove}</div>
        </>
      )}
    </Items>
  );
}
