import type {
  FitBoundsOptions,
  Map as MapLibre,
  MapMouseEvent,
  MapOptions,
  RequestTransformFunction,
} from "maplibre-gl";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDark } from "../base/theme.ts";
import type { Home } from "./home.ts";
import { MAP_STYLES, type MapTheme } from "./marks/palette.ts";
import { drawSigns } from "./marks/signs.ts";
import { type Bounds, type MapPosition, readPosition, writePosition } from "./position.ts";
import { StreetsNote } from "./streets-note.ts";
import "./map.css";

/** A map that is on the screen, for the layers inside it. */
export interface ShownMap {
  map: MapLibre;
  theme: MapTheme;
  /** Counts styles: with a new one, every layer is put on again. */
  epoch: number;
}

const MapContext = createContext<ShownMap | undefined>(undefined);
export const useShownMap = () => useContext(MapContext);

export interface MapViewProps {
  /** Accessible label of the map. */
  label: string;
  /** Style URL of a theme; the Worker's own by default. */
  styleUrl?: (style: string) => string;
  /** Headers of each map request: those of the session, or none. */
  headers?: Record<string, string>;
  /** Where to look: a position (from the address), which the map follows; without one this box once it is known, else the world. */
  position?: string;
  fit?: Bounds;
  /** Where to look until the box is known, or if there is none. */
  findHome?: () => Promise<Home | undefined>;
  /** Called with the new position in its URL format. */
  onMove?: (position: string) => void;
  onClick?: (at: { latitude: number; longitude: number }, event: MapMouseEvent) => void;
  children?: ComponentChildren;
}

const WORLD: FirstView = { center: [15, 25], zoom: 1.2 };
/** Above, where the search for addresses is, more. */
const FIT = { padding: { top: 92, right: 56, bottom: 56, left: 56 }, maxZoom: 16 };

/** The map itself: the style of the theme, the viewer's position, and the layers that are its children. */
export function MapCanvas(props: MapViewProps) {
  const { label, headers, position, fit, findHome, onMove, onClick, children, styleUrl = workerStyle } = props;
  const box = useRef<HTMLDivElement>(null);
  const theme: MapTheme = useDark() ? "dark" : "light";
  const latest = useRef({ headers, onMove, onClick });
  latest.current = { headers, onMove, onClick };
  const [map, setMap] = useState<MapLibre>();
  /** The current style of the map, which is older than the theme while the next style loads. */
  const [style, setStyle] = useState<{ epoch: number; theme: MapTheme }>();
  /** "" once everything was drawn; undefined until then. */
  const [problem, setProblem] = useState<string>();
  const { start, settled, look } = useFirstView(position, fit, findHome);
  /** The position that the page knows. */
  const reported = useRef(position);
  const shownTheme = useRef(theme);

  // One map for the life of the component
  useEffect(() => {
    let made: MapLibre | undefined;
    let isOver = false;
    const make = async () => {
      const [{ maplibre }, view] = await Promise.all([import("./engine.ts"), look()]);
      if (isOver || !box.current) return;
      const transformRequest: RequestTransformFunction = (url) =>
        url.startsWith(location.origin)
          ? { url, headers: latest.current.headers, credentials: "same-origin" }
          : { url };
      made = new maplibre.Map({
        container: box.current,
        style: styleUrl(MAP_STYLES[theme]),
        ...view,
        transformRequest,
        attributionControl: { compact: true },
        fadeDuration: 0,
        dragRotate: false,
        pitchWithRotate: false,
        locale: { "Map.Title": label },
      });
      made.touchZoomRotate.disableRotation();
      addControls(made, maplibre);
      const mine = made;
      // The engine opens the words of the sources once; on a small map they would hide the data.
      mine.once("load", () => box.current?.querySelector("details.maplibregl-ctrl-attrib")?.removeAttribute("open"));
      mine.on("style.load", () => {
        drawSigns(mine, shownTheme.current);
        setStyle((before) => ({ epoch: (before?.epoch ?? 0) + 1, theme: shownTheme.current }));
      });
      const reportPosition = () => {
        reported.current = positionOf(mine);
        latest.current.onMove?.(reported.current);
      };
      mine.on("moveend", reportPosition);
      mine.on("movestart", (event: { originalEvent?: unknown }) => {
        // Who already looks elsewhere is not taken away from there.
        settled.current ||= event.originalEvent !== undefined;
      });
      // A page that needs a position, such as a search around the map, has it from the start.
      if (view !== WORLD && !start.current) reportPosition();
      mine.on("click", (event) => {
        const { lat, lng } = event.lngLat.wrap();
        latest.current.onClick?.({ latitude: lat, longitude: lng }, event);
      });
      mine.on("error", ({ error }) => setProblem(problemOf(error)));
      mine.on("idle", () => setProblem(""));
      // For tests: is everything drawn that is to be drawn, and in which theme?
      const mark = (drawn: string) => box.current?.parentElement?.setAttribute("data-drawn", drawn);
      mine.on("dataloading", () => mark(""));
      mine.on("idle", () => mark(shownTheme.current));
      setMap(mine);
    };
    make().catch((error: unknown) => setProblem(`The map cannot be shown: ${(error as Error).message}`));
    return () => {
      isOver = true;
      // The layers clean up after this and still need the map: a scheduled frame would access a map without a style.
      queueMicrotask(() => made?.remove());
    };
  }, []);

  useEffect(() => {
    if (!map || shownTheme.current === theme) return;
    shownTheme.current = theme;
    box.current?.parentElement?.setAttribute("data-drawn", "");
    map.setStyle(styleUrl(MAP_STYLES[theme]), { diff: false });
  }, [map, theme, styleUrl]);

  useEffect(() => {
    if (!map || !fit || settled.current) return;
    settled.current = true;
    // Not fitBounds: it flies, also with `animate: false`, and what interrupts the flight leaves the map on its way.
    const camera = map.cameraForBounds(fit, FIT);
    if (camera) map.jumpTo(camera);
  }, [map, fit]);

  // A step back in the history has the position of then.
  useEffect(() => {
    if (!map || !onMove || position === reported.current) return;
    const at = readPosition(position);
    if (at) map.jumpTo(viewAt(at));
    else if (reported.current) onMove(positionOf(map));
  }, [map, position]);

  const shown = useMemo(() => (map && style ? { map, ...style } : undefined), [map, style]);
  return (
    <div class="map">
      <div class="map-canvas" ref={box} />
      {problem === undefined && (
        <p class="map-problem loading" role="status">
          Loading the map…
        </p>
      )}
      {problem && (
        <p class="map-problem" role="status">
          {problem}
        </p>
      )}
      <MapContext.Provider value={shown}>{shown ? children : null}</MapContext.Provider>
    </div>
  );
}

type FirstView = Pick<MapOptions, "center" | "zoom" | "bounds" | "fitBoundsOptions">;

/**
 * Where a map opens: the position of the address, else the page's own box or the project's home, whichever is known first. `settled`:
 * whether the page's box is no reason to move any more.
 */
function useFirstView(position: string | undefined, fit: Bounds | undefined, findHome: MapViewProps["findHome"]) {
  const start = useRef(readPosition(position));
  const settled = useRef(start.current !== undefined);
  const fitKnown = useRef(Promise.withResolvers<Bounds>());
  if (fit) fitKnown.current.resolve(fit);
  const look = useRef(async (): Promise<FirstView> => {
    if (start.current) return viewAt(start.current);
    const home = findHome?.().catch(() => undefined) ?? Promise.resolve(undefined);
    const first = await Promise.race([home, fitKnown.current.promise.then((bounds) => ({ bounds }))]);
    if (!first) return WORLD;
    if ("bounds" in first) return { bounds: first.bounds, fitBoundsOptions: FIT };
    const at = readPosition(first.position);
    return at ? viewAt(at) : WORLD;
  });
  return { start, settled, look: look.current };
}

function addControls(map: MapLibre, { NavigationControl, ScaleControl }: typeof import("maplibre-gl")): void {
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl(), "bottom-left");
  map.addControl(new StreetsNote(), "bottom-left");
}

function positionOf(map: MapLibre): string {
  const { lat, lng } = map.getCenter().wrap();
  return writePosition({ latitude: lat, longitude: lng, zoom: map.getZoom() });
}

const viewAt = ({ latitude, longitude, zoom }: MapPosition) => ({
  center: [longitude, latitude] as [number, number],
  zoom,
});

const workerStyle = (style: string) => `${location.origin}/maps/styles/${style}`;

/** Free edge around a box [pixels], as MapLibre takes it. */
export type Padding = NonNullable<FitBoundsOptions["padding"]>;

/** Moves to a box, without animation if the viewer prefers reduced motion (MapLibre reads the system setting). */
export function fitTo({ map }: ShownMap, bounds: Bounds | undefined, padding: Padding = FIT.padding): void {
  if (bounds) map.fitBounds(bounds, { ...FIT, padding, duration: 500 });
}

function problemOf(error: Error & { status?: number }): string {
  if (error.status === 401 || error.status === 403) return "You are not signed in. Sign in again to see the map.";
  if (error.status !== undefined) return `A part of the map could not be loaded (${error.status}).`;
  return navigator.onLine
    ? "A part of the map could not be loaded."
    : "There is no connection. The map shows previously loaded data.";
}
