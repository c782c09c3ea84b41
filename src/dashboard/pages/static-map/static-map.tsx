import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useQueryValues } from "../../base/router.tsx";
import { problemOf } from "../../forms/form-context.ts";
import { MapSearch } from "../../map/address-search.tsx";
import { MapView } from "../../map/dashboard-map.tsx";
import { ShowTyped } from "../../map/go-to.tsx";
import { AreasLayer, LinesLayer, NumbersLayer } from "../../map/layers/layers.tsx";
import { MapPage } from "../../map/map-page.tsx";
import { boundsOf } from "../../map/position.ts";
import type { ShownRequest } from "../../map/tools/request-text.ts";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Note } from "../../parts/states.tsx";
import { CopyButton } from "../../parts/values/code.tsx";
import { AddressView, addressOf } from "./address-view.tsx";
import { type Draft, drawnOf, missingIn, readDraft, requestOf, type Spot, withClick, writeDraft } from "./draft.ts";
import { LookFields } from "./look-fields.tsx";
import { MarkerFields } from "./marker-fields.tsx";
import type { PartProps } from "./part-props.ts";
import { PathFields } from "./path-fields.tsx";
import { MapImage, useMapImage } from "./picture.tsx";
import { ViewFields } from "./view-fields.tsx";
import "./static-map.css";

/** Editor of a static map: a control for each API option, a preview, and the URL to copy. */
export default function StaticMap({ chooser }: { chooser: ComponentChildren }) {
  const [query, setQuery] = useQueryValues();
  const text = query.get("map");
  const draft = useMemo(() => readDraft(text), [text]);
  const [spot, setSpot] = useState<Spot>();
  /** Whether the last change came from the form, not from the map. */
  const [isTyped, setIsTyped] = useState(false);
  const change = (next: Draft, typed = true) => {
    setIsTyped(typed);
    setQuery({ map: writeDraft(next) });
  };
  const request = useMemo(() => requestOf(draft), [draft]);
  const missing = missingIn(draft);
  const picture = useMapImage(missing === undefined ? request : undefined);
  const { problem } = picture;
  const parts: PartProps = {
    draft,
    onChange: change,
    spot,
    onSpot: setSpot,
    problemOf: (param) => problemOf(problem, param),
  };
  return (
    <MapPage
      title="Tools"
      map={
        <StaticSide {...parts} {...{ request, missing, picture, isTyped }} onChange={(next) => change(next, false)} />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-panel-body stack" tabIndex={0}>
        {chooser}
        <div class="stack">
          <ViewFields {...parts} />
          <MarkerFields {...parts} />
          <PathFields {...parts} />
          <LookFields {...parts} />
        </div>
        {missing === undefined ? <AddressView request={request} /> : <Note>{missing}</Note>}
      </div>
    </MapPage>
  );
}

interface StaticSideProps extends PartProps {
  request: ShownRequest;
  missing: string | undefined;
  picture: ReturnType<typeof useMapImage>;
  isTyped: boolean;
}

/** The image, or the map whose clicks fill a field. */
function StaticSide({ draft, onChange, spot, onSpot, request, missing, picture, isTyped }: StaticSideProps) {
  const drawn = useMemo(() => drawnOf(draft), [draft]);
  const box = useMemo(
    () =>
      boundsOf([
        ...drawn.points.map(({ latitude, longitude }) => [longitude, latitude]),
        ...drawn.lines.flatMap(({ pairs }) => pairs),
        ...drawn.areas.flatMap(({ rings }) => rings[0]),
      ]),
    [drawn],
  );
  return (
    <div class="static-side">
      <div class="static-choice">
        <Choice
          label="View"
          options={choices({ picture: "Image", map: "Interactive map" })}
          value={spot ? "map" : "picture"}
          onChange={(shown) => onSpot(shown === "map" ? (spot ?? { of: "center" }) : undefined)}
        />
        {spot && <span class="small">A click sets {nameOf(spot)}.</span>}
        {!spot && missing === undefined && request.method === "GET" && (
          <CopyButton text={addressOf(request, location.origin)} label="Copy the URL of this image" />
        )}
      </div>
      {spot ? (
        <div class="static-click">
          <MapView label="Interactive map" onClick={(at) => onChange(withClick(draft, spot, at))}>
            <AreasLayer source="static-areas" areas={drawn.areas} />
            <LinesLayer source="static-lines" lines={drawn.lines} />
            <NumbersLayer source="static-points" points={drawn.points} />
            <ShowTyped bounds={isTyped ? box : undefined} />
            <MapSearch onPick={(at) => onChange(withClick(draft, spot, at))} />
          </MapView>
        </div>
      ) : (
        <MapImage picture={picture} missing={missing} width={Number(draft.width)} />
      )}
    </div>
  );
}

function nameOf(spot: Spot): string {
  if (spot.of === "center") return "the center";
  if (spot.of === "bbox") return "a corner of the box";
  if (spot.of === "marker") return `a location of markers ${spot.index + 1}`;
  return spot.hole === undefined
    ? `the next point of path ${spot.index + 1}`
    : `the next point of hole ${spot.hole + 1} in path ${spot.index + 1}`;
}
