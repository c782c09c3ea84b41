import { Plus, Trash2 } from "lucide";
import type { listMapIcons } from "../../../http/maps/static-map-uploads.ts";
import { ANCHORS, MARKER_SIZES } from "../../../maps/overlay.ts";
import { SYMBOLS } from "../../../maps/style/pictograms.ts";
import type { Answer } from "../../api/client.ts";
import { useQuery } from "../../api/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/form.tsx";
import { ColorField } from "./color-field.tsx";
import { type MarkerDraft, NEW_MARKER } from "./draft.ts";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

const USUAL = ["", "default"] as const;
const optionsOf = (values: readonly string[]) => [USUAL, ...values.map((one) => [one, one] as const)];

/** Groups of markers, each of one look. */
export function MarkerFields({ draft, onChange, spot, onSpot, problemOf }: PartProps) {
  const icons = useQuery<Answer<typeof listMapIcons>>(draft.markers.length > 0 ? "/v1/maps/icons" : undefined);
  const set = (markers: MarkerDraft[]) => onChange({ ...draft, markers });
  return (
    <fieldset class="static-part stack">
      <legend>Markers</legend>
      {draft.markers.map((marker, index) => {
        const put = (changed: Partial<MarkerDraft>) =>
          set(draft.markers.map((one, i) => (i === index ? { ...one, ...changed } : one)));
        const name = `Markers ${index + 1}`;
        return (
          <fieldset key={index} class="static-item static-part stack" aria-label={name}>
            <SpotField
              label={name}
              placeholder="latitude,longitude or a place in each line"
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
                label="Stands on"
                options={optionsOf(ANCHORS)}
                value={marker.anchor}
                onChange={(anchor) => put({ anchor })}
              />
            </div>
            <ColorField label="Color" usual="#000257" value={marker.color} onChange={(color) => put({ color })} />
            <Field label="Words beside it" value={marker.text} onChange={(text) => put({ text })} />
            <Field
              label="Own icon"
              hint="Its id in the settings, or an https address."
              list={icons.data?.icons.map(({ _id }) => _id) ?? []}
              value={marker.icon}
              onChange={(icon) => put({ icon })}
            />
            <div class="row">
              <Button
                small
                icon={Trash2}
                onClick={() => {
                  onSpot(undefined);
                  set(draft.markers.filter((_, i) => i !== index));
                }}
              >
                Remove markers {index + 1}
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div class="row">
        <Button
          small
          icon={Plus}
          onClick={() => {
            onSpot({ of: "marker", index: draft.markers.length });
            set([...draft.markers, NEW_MARKER]);
          }}
        >
          Add markers
        </Button>
      </div>
    </fieldset>
  );
}
