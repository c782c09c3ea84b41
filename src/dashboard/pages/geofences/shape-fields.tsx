import { useEffect, useState } from "preact/hooks";
import { parseCoordinate } from "../../../core/geo/coordinate.ts";
import { CLICK } from "../../base/pointer.ts";
import { Field, GroupProblem, Select } from "../../forms/fields.tsx";
import type { FenceDraft } from "../../map/fences/fence-draft.ts";
import { ringFault } from "../../map/fences/ring-check.ts";
import { Button } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Note } from "../../parts/states.tsx";

export interface FieldsProps {
  draft: FenceDraft;
  edit: (part: Partial<FenceDraft>) => void;
}

const MODES = choices({ car: "Car", truck: "Truck", foot: "On foot", bike: "Bike" });

/** The shape as numbers, as an alternative to drawing. */
export function ShapeFields({ draft, edit }: FieldsProps) {
  const { type, center, ring, radius } = draft;
  if (type === "polygon") return <RingField ring={ring} edit={edit} />;
  return (
    <>
      {!center && (
        <Note>
          {type === "circle"
            ? `${CLICK} the center on the map, then drag the handle on its edge.`
            : `${CLICK} the starting point on the map. The area contains everything within reach of it.`}
        </Note>
      )}
      <div class="form-grid">
        <CenterField center={center} edit={edit} />
        <Field
          label={type === "circle" ? "Radius" : "Travel time"}
          type="number"
          unit={type === "circle" ? "meters" : "minutes"}
          min={type === "circle" ? 10 : 1}
          max={type === "circle" ? 10_000 : 60}
          value={radius}
          onChange={(value) => edit({ radius: value })}
          param="radius"
        />
      </div>
      {type === "isochrone" && (
        <Select
          label="By"
          options={MODES}
          value={draft.mode as (typeof MODES)[number][0]}
          onChange={(mode) => edit({ mode })}
          hint="The map shows a preview. Saving computes the area from the current roads."
          param="mode"
        />
      )}
    </>
  );
}

function CenterField({ center, edit }: { center: FenceDraft["center"]; edit: FieldsProps["edit"] }) {
  const written = center ? `${center[1]}, ${center[0]}` : "";
  const [typed, setTyped] = useState(written);
  useEffect(() => setTyped(written), [written]);
  const wrong = typed.trim() !== "" && !parseCoordinate(typed);
  return (
    <Field
      label="Center"
      placeholder="latitude, longitude"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        const at = parseCoordinate(text);
        if (at) edit({ center: [at.longitude, at.latitude] });
      }}
      param="coordinates"
      problem={wrong ? 'Expected "latitude, longitude".' : undefined}
    />
  );
}

/** Corners one per line as "latitude, longitude"; the ring is closed for the writer. */
function RingField({ ring, edit }: { ring: number[][] | undefined; edit: FieldsProps["edit"] }) {
  const written = textOf(ring);
  const [typed, setTyped] = useState(written);
  const [open, setOpen] = useState(false);
  useEffect(() => setTyped((now) => (textOf(ringOf(now)) === written ? now : written)), [written]);
  const read = ringOf(typed);
  const fault =
    typed.trim() === "" ? undefined : read ? ringFault(read) : 'Expected "latitude, longitude" in each line.';
  return (
    <>
      {!ring && (
        <Note>
          {CLICK} the corners on the map. {CLICK} the first corner again to close the area.
        </Note>
      )}
      {ring && (
        <p class="muted">
          {ring.length - 1} corners. Drag them on the map, drag a midpoint to add one.{" "}
          <button type="button" class="link" onClick={() => edit({ ring: undefined })}>
            Redraw
          </button>
        </p>
      )}
      <GroupProblem param="coordinates" problem={fault} />
      {open ? (
        <Field
          label="Corners"
          lines={6}
          mono
          placeholder={"49.0012, -111.2034\n49.0012, -111.1991\n…"}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            const next = ringOf(text);
            if (next && next.length >= 4) edit({ ring: next });
          }}
          hint="One corner per line, latitude first. The last one connects to the first."
        />
      ) : (
        <div>
          <Button small onClick={() => setOpen(true)}>
            Enter the corners
          </Button>
        </div>
      )}
    </>
  );
}

const textOf = (ring: number[][] | undefined) =>
  (ring ?? [])
    .slice(0, -1)
    .map(([longitude, latitude]) => `${latitude}, ${longitude}`)
    .join("\n");

function ringOf(text: string): number[][] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const corners = lines.map((line) => parseCoordinate(line));
  if (corners.length === 0 || corners.includes(undefined)) return undefined;
  const ring = corners.map((corner) => [corner!.longitude, corner!.latitude]);
  return [...ring, ring[0]];
}
