import type { ComponentChildren } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import { useAddress } from "../../base/router.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useSubmit } from "../../forms/use-form.ts";
import { MapSearch } from "../../map/address-search.tsx";
import { MapView } from "../../map/dashboard-map.tsx";
import { Draw, type Shape, type ShapeKind } from "../../map/fences/draw.tsx";
import { bodyOf, draftOf, type FenceDraft, NEW_FENCE, type WrittenFence } from "../../map/fences/fence-draft.ts";
import { useKeptDraft } from "../../map/fences/keep-draft.ts";
import { MapDetail, MapPage } from "../../map/map-page.tsx";
import type { Bounds } from "../../map/position.ts";
import { Button, Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Note } from "../../parts/states.tsx";
import type { Fence } from "./fence.ts";
import { FenceFields } from "./fence-fields.tsx";
import { ShapeFields } from "./shape-fields.tsx";

const KINDS = choices({ circle: "Circle", polygon: "Polygon", isochrone: "Travel time" });
const TOOLS: Record<FenceDraft["type"], ShapeKind> = { circle: "circle", polygon: "polygon", isochrone: "point" };

interface FenceEditorProps {
  fence: Fence | undefined;
  layers: ComponentChildren;
  fit: Bounds | undefined;
  onClose: () => void;
  onSaved: (id: string) => void;
}

/** Draws a new geofence, or changes one. The form and the map hold the same draft, and it survives a reload. */
export function FenceEditor({ fence, layers, fit, onClose, onSaved }: FenceEditorProps) {
  const { form, draft, first, edit, drop, wasKept } = useFenceForm(fence, onSaved);
  const [isKept, setIsKept] = useState(wasKept);
  const shape = shapeOf(draft);
  const draw = useCallback((drawn: Shape) => edit(draftOfShape(drawn)), [edit]);
  const startOver = () => {
    drop();
    edit({ ...NEW_FENCE, center: undefined, ring: undefined, ...first });
    setIsKept(false);
  };
  const cancel = () => {
    drop();
    onClose();
  };
  const title = fence ? "Edit geofence" : "New geofence";
  return (
    <MapPage
      title={title}
      detailSheet="half"
      detail={
        <Form of={form} class="map-form" checksItself>
          <MapDetail
            title={title}
            onClose={onClose}
            foot={
              <>
                <FormError />
                <Button onClick={cancel}>Discard</Button>
                <SaveButton>{fence ? "Save" : "Create geofence"}</SaveButton>
              </>
            }
          >
            {isKept && <Restored onStartOver={startOver} />}
            <Choice
              label="Kind"
              options={KINDS}
              value={draft.type}
              onChange={(type) => edit(kindChange(draft, type))}
            />
            <ShapeFields draft={draft} edit={edit} />
            <FenceFields draft={draft} edit={edit} />
          </MapDetail>
        </Form>
      }
      map={
        <MapView label="Drawing map" fit={fit}>
          {layers}
          <Draw kind={TOOLS[draft.type]} shape={shape} onChange={draw} />
          <MapSearch
            onPick={({ latitude, longitude }) => {
              if (draft.type !== "polygon" && !draft.center) edit({ center: [longitude, latitude] });
            }}
          />
        </MapView>
      }
    >
      {null}
    </MapPage>
  );
}

function Restored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Note>
      Your earlier input was restored.{" "}
      <button type="button" class="link" onClick={onStartOver}>
        Start over
      </button>
    </Note>
  );
}

/** The draft of a geofence, which survives a reload, and its form. */
function useFenceForm(fence: Fence | undefined, onSaved: (id: string) => void) {
  const { project, environment } = useAddress();
  const name = `geofence ${project} ${environment} ${fence?._id ?? "new"}`;
  const first = useMemo(() => (fence ? draftOf(fence as WrittenFence) : NEW_FENCE), [fence]);
  const [draft, change, drop, wasKept] = useKeptDraft(name, first);
  const form = useSubmit<{ geofence: Fence }>({
    role: "write",
    send: (api) => {
      const checked = bodyOf(draft, Date.now());
      if ("faults" in checked) return checked;
      return fence ? api.put(`/v1/geofences/${fence._id}`, checked.body) : api.post("/v1/geofences", checked.body);
    },
    onDone: ({ geofence }) => {
      drop();
      onSaved(geofence._id);
    },
    forgets: ["/v1/geofences"],
    said: fence ? "Geofence saved" : "Geofence created",
  });
  const { clear } = form;
  const edit = useCallback(
    (part: Partial<FenceDraft>) => {
      change(part);
      clear();
    },
    [change, clear],
  );
  return { form, draft, first, edit, drop, wasKept };
}

/** The draft as a shape on the map; undefined while there is nothing to draw. */
function shapeOf({ type, center, ring, radius }: FenceDraft): Shape | undefined {
  if (type === "polygon") return ring && ring.length >= 4 ? { kind: "polygon", ring } : undefined;
  if (!center) return undefined;
  if (type === "isochrone") return { kind: "point", center };
  const metres = Number(radius);
  return { kind: "circle", center, radius: metres > 0 ? metres : 100 };
}

function draftOfShape(shape: Shape): Partial<FenceDraft> {
  if (shape.kind === "polygon") return { ring: shape.ring };
  if (shape.kind === "circle") return { center: shape.center, radius: String(shape.radius) };
  return shape.kind === "point" ? { center: shape.center } : {};
}

/** Metres and minutes share a field of the API, and not a value. */
function kindChange(draft: FenceDraft, type: FenceDraft["type"]): Partial<FenceDraft> {
  if (type === "isochrone" && draft.type !== "isochrone") return { type, radius: "10" };
  return { type, ...(draft.type === "isochrone" ? { radius: "100" } : {}) };
}
