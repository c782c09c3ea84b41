import { ArrowLeft, ChevronDown, ChevronUp } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { Button } from "../parts/button.tsx";
import { Failure, SkeletonLines } from "../parts/states.tsx";
import "../forms/form.css";
import "./map-page.css";

type Sheet = "low" | "half" | "full";

interface MapPageProps {
  title: string;
  actions?: ComponentChildren;
  /** Filters and the list. */
  children: ComponentChildren;
  /** A MapDetail, while something is chosen. */
  detail?: ComponentChildren;
  /** What of a phone's screen a detail takes first: half of it, if the viewer works with the map at the same time. */
  detailSheet?: Sheet;
  map: ComponentChildren;
}

/**
 * List on the left, map on the right. Details cover the list and have their own URL, so that the map stays visible. On
 * a phone both are a sheet over the map that can be expanded and collapsed.
 */
export function MapPage({ title, actions, children, detail, detailSheet = "full", map }: MapPageProps) {
  const first: Sheet = detail ? detailSheet : "half";
  const [sheet, setSheet] = useState<Sheet>(first);
  useLayoutEffect(() => setSheet(first), [first]);
  return (
    <div class="map-page" data-sheet={sheet}>
      <section class="map-panel" aria-label={`${title}: list and details`}>
        <div class="sheet-handle">
          <Button
            bare
            small
            icon={ChevronUp}
            label={detail ? "Expand the details" : "Expand the list"}
            disabled={sheet === "full"}
            onClick={() => setSheet(sheet === "low" ? "half" : "full")}
          />
          <Button
            bare
            small
            icon={ChevronDown}
            label="Expand the map"
            disabled={sheet === "low"}
            onClick={() => setSheet(sheet === "full" ? "half" : "low")}
          />
        </div>
        {detail || (
          <>
            <header class="map-panel-head row ends">
              <h1 class="wraps">{title}</h1>
              {actions !== undefined && <div class="row">{actions}</div>}
            </header>
            {children}
          </>
        )}
      </section>
      <div class="map-side">{map}</div>
    </div>
  );
}

interface MapDetailProps {
  title: ComponentChildren;
  actions?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  /** Stays at the lower end: buttons of a form. */
  foot?: ComponentChildren;
}

interface WaitingDetailProps {
  title: string;
  problem?: Problem;
  again?: () => void;
  lines?: number;
  onClose: () => void;
}

/** The details of an item that is not loaded: the problem, or lines until it is there. */
export function WaitingDetail({ title, problem, again, lines, onClose }: WaitingDetailProps) {
  return (
    <MapDetail title={title} onClose={onClose}>
      {problem ? <Failure problem={problem} again={again} /> : <SkeletonLines lines={lines} />}
    </MapDetail>
  );
}

/** Details of one item, in place of the list. Escape and the arrow return to the list. */
export function MapDetail({ title, actions, onClose, children, foot }: MapDetailProps) {
  const heading = useId();
  const panel = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={panel}
      class="map-detail"
      aria-labelledby={heading}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !document.querySelector("dialog[open]")) close.current();
      }}
    >
      <header class="map-panel-head row">
        <Button bare icon={ArrowLeft} label="Back to the list" onClick={onClose} />
        <h1 id={heading} class="wraps grow">
          {title}
        </h1>
        {actions}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="map-detail-body stack" tabIndex={0}>
        {children}
      </div>
      {foot !== undefined && <footer class="map-detail-foot row">{foot}</footer>}
    </section>
  );
}
