import { ANCHORS, MARKER_SIZES } from "../../../core/maps/overlay.ts";
import { SYMBOLS } from "../../../core/maps/style/pictograms.ts";
import type { listMapIcons } from "../../../worker/http/maps/static-map-uploads.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { ColorField } from "../../forms/color-field.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { fieldOf } from "../../forms/use-form.ts";
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
      {({ item, index, name, put, remove }) => {
        const field = fieldOf(item, put);
        return (
          <>
            <SpotField
              label={name}
              placeholder="One latitude,longitude or place per line"
              problem={problemOf("markers")}
              several
              {...field("locations")}
              {...{ mine: { of: "marker", index }, spot, onSpot }}
            />
            <div class="form-grid two">
              <Field label="Letters" hint="1 to 3, in the pin" {...field("label")} />
              <Select label="Pictogram" options={optionsOf(SYMBOLS)} {...field("symbol")} />
              <Select label="Size" options={optionsOf(MARKER_SIZES)} {...field("size")} />
              <Select label="Anchor" options={optionsOf(ANCHORS)} {...field("anchor")} />
            </div>
            <ColorField label="Color" usual="#000257" {...field("color")} />
            <Field label="Label" {...field("text")} />
            <Field
              label="Custom icon"
              hint="The id of an uploaded icon, or an https URL."
              list={icons.data?.icons.map(({ _id }) => _id) ?? []}
              {...field("icon")}
            />
            <div class="row">{remove}</div>
          </>
        );
      }}
    </Items>
  );
}
