import type { GeoJSONSource, GeoJSONSourceSpecification, LayerSpecification, MapLayerMouseEvent } from "maplibre-gl";
import { useEffect, useRef } from "preact/hooks";
import { type ShownMap, useShownMap } from "../map-view.tsx";
import { MAP_COLOURS, type MapColours, type MapTheme } from "../marks/palette.ts";
import type { FeatureCollection } from "./features.ts";

/** A layer without the source, which is named after the group it is in. */
export type OwnLayer = LayerSpecification extends infer L
  ? L extends { source: string }
    ? Omit<L, "source">
    : never
  : never;
export type Paint = (colours: MapColours, theme: MapTheme) => OwnLayer[];
type SourceOptions = Omit<GeoJSONSourceSpecification, "type" | "data">;

/** A circle of 64 corners keeps them at each zoom: by default MapLibre leaves out what is a third of a pixel. */
const ROUND = { tolerance: 0.05, maxzoom: 22 };

/**
 * Adds a GeoJSON source and its layers while the component is mounted, and again when the theme changes the style. New
 * data updates the same source.
 */
export function useLayers(
  source: string,
  data: FeatureCollection,
  paint: Paint,
  options: SourceOptions = {},
): ShownMap | undefined {
  const shown = useShownMap();
  const latest = useRef({ data, paint, options });
  latest.current = { data, paint, options };
  const drawn = useRef<FeatureCollection>(undefined);
  useEffect(() => {
    if (!shown) return;
    const { map, theme } = shown;
    const { data, paint, options } = latest.current;
    const layers = paint(MAP_COLOURS[theme], theme);
    const takeAway = () => {
      for (const { id } of layers) if (map.getLayer(id)) map.removeLayer(id);
      if (map.getSource(source)) map.removeSource(source);
    };
    takeAway();
    map.addSource(source, { type: "geojson", data: data as GeoJSON.GeoJSON, ...ROUND, ...options });
    drawn.current = data;
    for (const layer of layers) map.addLayer({ ...layer, source } as LayerSpecification);
    return takeAway;
  }, [shown, source]);
  useEffect(() => {
    if (!shown || drawn.current === data) return;
    drawn.current = data;
    shown.map.getSource<GeoJSONSource>(source)?.setData(data as GeoJSON.GeoJSON);
  }, [shown, source, data]);
  return shown;
}

/** Click handler for features of a layer; shows a pointer cursor over them. */
export function usePick(
  layer: string,
  onPick: ((properties: Record<string, unknown>, event: MapLayerMouseEvent) => void) | undefined,
): void {
  const shown = useShownMap();
  const latest = useRef(onPick);
  latest.current = onPick;
  const isPickable = onPick !== undefined;
  useEffect(() => {
    if (!shown || !isPickable) return;
    const { map } = shown;
    const click = (event: MapLayerMouseEvent) => {
      const [feature] = event.features ?? [];
      if (feature) latest.current?.(feature.properties ?? {}, event);
    };
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor;
    };
    const [over, out] = [point("pointer"), point("")];
    map.on("click", layer, click);
    map.on("mouseenter", layer, over);
    map.on("mouseleave", layer, out);
    return () => {
      map.off("click", layer, click);
      map.off("mouseenter", layer, over);
      map.off("mouseleave", layer, out);
    };
  }, [shown, layer, isPickable]);
}
