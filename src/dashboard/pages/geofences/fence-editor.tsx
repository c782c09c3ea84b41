import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { routeIsochrone } from "../../../worker/http/routes/isochrone.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useSubmit } from "../../forms/use-form.ts";
import { MapSearch } from "../../map/address-search.tsx";
import { CircleDraw, type CircleShape } from "../../map/fences/circle.tsx";
import { Draw, type Shape } from "../../map/fences/draw.tsx";
import {
  bodyOf,
  boxOf,
  draftOf,
  type FenceDraft,
  lackOf,
  NEW_FENCE,
  RADIUS,
  type WrittenFence,
} from "../../map/fences/fence-draft.ts";
import { useKeptDraft } from "../../map/fences/keep-draft.ts";
import { ShapeSteps } from "../../map/fences/shape-steps.ts";
import { UndoButton } from "../../map/fences/undo.tsx";
import { ShowTyped } from "../../map/go-to.tsx";
import { AreasLayer } from "../../map/layers/layers.tsx";
import { MapDetail } from "../../map/map-page.tsx";
import { boundsOf } from "../../map/position.ts";
import { Button, Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Note } from "../../parts/states.tsx";
import { type Fence, KIND_WORDS, type MapOfDetail } from "./fence.ts";
import { FenceFields } from "./fence-fields.tsx";
import { type FieldsProps, ShapeFields } from "./shape-fields.tsx";

const KINDS = choices({ circle: "Circle", polygon: "Polygon", isochrone: KIND_WORDS.isochrone });

interface FenceEditorProps {
  fence: Fence | undefined;
  onClose: () => void;
  onSaved: (id: string) => void;
  /** Gets what belongs on the page's map. */
  onView: (view: MapOfDetail | undefined) => void;
}

/** Draws a new geofence, or changes one. The form and the map hold the same draft, and it survives a reload. */
export function FenceEditor({ fence, onClose, onSaved, onView }: FenceEditorProps) {
  const { form, draft, first, edit, undo, drop, wasKept } = useFenceForm(fence, onSaved);
  const [isKept, setIsKept] = useState(wasKept);
  /** Whether the last change came from the form, not from the map. */
  const [isTyped, setIsTyped] = useState(wasKept);
  const type = useCallback(
    (part: Partial<FenceDraft>) => {
      setIsTyped(true);
      edit(part);
    },
    [edit],
  );
  const draw = useCallback(
    (part: Partial<FenceDraft>) => {
      setIsTyped(false);
      edit(part);
    },
    [edit],
  );
  const { areas, lack } = useAreaPreview(draft);
  const layer = useMemo(
    () => <DraftLayer {...{ draft, areas, isTyped }} edit={draw} onUndo={undo} />,
    [draft, areas, draw, undo, isTyped],
  );
  useEffect(() => onView({ layer, bounds: undefined }), [layer, onView]);
  useEffect(() => () => onView(undefined), [onView]);
  const startOver = () => {
    drop();
    edit({ ...NEW_FENCE, center: undefined, ring: undefined, ...first });
    setIsKept(false);
  };
  const cancel = () => {
    drop();
    onClose();
  };
  return (
    <Form of={form} class="map-form" checksItself>
      <MapDetail
        title={fence ? "Edit geofence" : "New geofence"}
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
        <Choice label="Kind" options={KINDS} value={draft.type} onChange={(kind) => type(kindChange(draft, kind))} />
        <ShapeFields draft={draft} edit={type} />
        {lack && <Note tone="warn">{lack}</Note>}
        <FenceFields draft={draft} edit={edit} />
      </MapDetail>
    </Form>
  );
}

interface DraftLayerProps extends FieldsProps {
  onUndo: (() => void) | undefined;
  isTyped: boolean;
  /** The preview of a travel-time area. */
  areas: readonly { rings: number[][][] }[];
}

/** The draft on the map, where it is drawn. */
function DraftLayer({ draft, edit, onUndo, isTyped, areas }: DraftLayerProps) {
  const { type, center, ring } = draft;
  const metres = Number(draft.radius);
  const radius = metres > 0 ? metres : 100;
  const circle = useMemo(
    () => (center && type === "circle" ? ({ kind: "circle", center, radius } as const) : undefined),
    [type, center, radius],
  );
  const shape = useMemo((): Shape | undefined => {
    if (type === "polygon") return ring && ring.length >= 4 ? { kind: "polygon", ring } : undefined;
    return center && { kind: "point", center };
  }, [type, center, ring]);
  const draw = useCallback(
    (drawn: Shape | CircleShape) => {
      if (drawn.kind === "polygon") edit({ ring: drawn.ring });
      else if (drawn.kind === "circle") edit({ center: drawn.center, radius: String(drawn.radius) });
      else if (drawn.kind === "point") edit({ center: drawn.center });
    },
    [edit],
  );
  return (
    <>
      <ShowTyped bounds={isTyped ? boxOf(draft) : undefined} />
      <ShowTyped bounds={isTyped ? boundsOf(areas.flatMap(({ rings }) => rings[0])) : undefined} />
      <AreasLayer source="area-preview" areas={areas} />
      {type === "circle" ? (
        <>
          <CircleDraw shape={circle} firstRadius={radius} bounds={RADIUS.circle.bounds} onChange={draw} />
          <UndoButton onUndo={onUndo} />
        </>
      ) : (
        <Draw kind={type === "polygon" ? "polygon" : "point"} shape={shape} onChange={draw} onUndo={onUndo} />
      )}
      <MapSearch
        onPick={({ latitude, longitude }) => {
          if (type !== "polygon" && !center) edit({ center: [longitude, latitude] });
        }}
      />
    </>
  );
}

/** Pause after the last change before a preview is computed [ms]. */
const PREVIEW_AFTER_MS = 300;

/** The travel-time area as it would be saved now, or why there is none. */
function useAreaPreview({ type, center, radius, mode }: FenceDraft) {
  const minutes = Number(radius);
  const [least, most] = RADIUS.isochrone.bounds;
  const isWanted = type === "isochrone" && center && minutes >= least && minutes <= most;
  const wanted = isWanted ? `${center[1]},${center[0]}|${minutes}|${mode}` : "";
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PREVIEW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const [origin, within, by] = asked.split("|");
  const area = useQuery<Answer<typeof routeIsochrone>>(
    asked ? "/v1/route/isochrone" : undefined,
    { origin, minutes: within, mode: by },
    { keep: true },
  );
  const features = asked && wanted ? area.data?.features : undefined;
  const areas = useMemo(
    () => (features ?? []).flatMap(({ geometry }) => geometry.coordinates.map((rings) => ({ rings }))),
    [features],
  );
  return {
    areas,
    lack: wanted && asked === wanted && !area.loading ? lackOf(area.problem?.message, features) : undefined,
  };
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

/** The fields that the map draws. */
const shapeFields = ({ type, center, ring, radius }: FenceDraft) => ({ type, center, ring, radius });

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
  const steps = useRef(new ShapeSteps<Partial<FenceDraft>>());
  const [canUndo, setCanUndo] = useState(false);
  const current = useRef(draft);
  current.current = draft;
  const edit = useCallback(
    (part: Partial<FenceDraft>) => {
      const before = current.current;
      steps.current.note(shapeFields(before), shapeFields({ ...before, ...part }), Date.now());
      setCanUndo(steps.current.canUndo);
      change(part);
      clear();
    },
    [change, clear],
  );
  const takeBack = useCallback(() => {
    const shape = steps.current.undo();
    if (shape) change(shape);
    setCanUndo(steps.current.canUndo);
  }, [change]);
  const undo = canUndo ? takeBack : undefined;
  return { form, draft, first, edit, undo, drop, wasKept };
}

/** Metres and minutes share a field of the API, and not a value. */
function kindChange(draft: FenceDraft, type: FenceDraft["type"]): Partial<FenceDraft> {
  if (type === "isochrone" && draft.type !== "isochrone") return { type, radius: "10" };
  return { type, ...(draft.type === "isochrone" ? { radius: "100" } : {}) };
}
