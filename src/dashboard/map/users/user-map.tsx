import { useEffect, useMemo } from "preact/hooks";
import { typeWords } from "../../parts/values/type-words.ts";
import { MapView } from "../dashboard-map.tsx";
import { GoTo } from "../go-to.tsx";
import {
  circleFeature,
  EMPTY,
  type Feature,
  type FeatureCollection,
  featureCollection,
  lineFeature,
  type MapFence,
  pointFeature,
} from "../layers/features.ts";
import { FencesLayer } from "../layers/layers.tsx";
import { BELOW, casedLine, dotLayer, nameLayer } from "../layers/name-layer.ts";
import { useLayers, usePick } from "../layers/use-layers.ts";
import type { useShownMap } from "../map-view.tsx";
import { latestOfKinds, Way, type WayUpdate } from "../movement/replay.ts";
import { boundsOf } from "../position.ts";

export interface UserMapProps {
  /** Oldest first. */
  updates: readonly WayUpdate[];
  /** The time of the slider [ms]; without one the last update. */
  at?: number;
  events: readonly { _id: string; type: string; createdAt: string; location?: { coordinates: number[] } }[];
  geofences?: readonly MapFence[];
  /** Called when an update or an event is clicked: its time [ms]. */
  onPick?: (at: number) => void;
}

/** One user's walked way, and where they were at a time: with its accuracy, and what happened there. */
export default function UserMap(props: UserMapProps) {
  const { updates, geofences = [] } = props;
  const way = useMemo(() => new Way(updates), [updates]);
  const bounds = useMemo(() => boundsOf(way.line()), [way]);
  return (
    <MapView label="Map of the track" fit={bounds} inAddress={false}>
      <FencesLayer fences={geofences} />
      <WayLayers {...props} way={way} />
      <GoTo bounds={bounds} />
    </MapView>
  );
}

/**
 * Adds the line to the map once. A gradient along it separates the completed part from the rest, so that a replay
 * frame changes only two small features and one number, even for a long day.
 */
function WayLayers({ way, updates, at, events, onPick }: UserMapProps & { way: Way }) {
  const line = useMemo(() => (way.length > 0 ? featureCollection([lineFeature(way.line())]) : EMPTY), [way]);
  const dots = useMemo(
    () =>
      featureCollection(
        updates.map((update) => {
          const [longitude, latitude] = update.location.coordinates;
          return pointFeature({ longitude, latitude }, { at: Date.parse(update.at), stopped: update.stopped ?? false });
        }),
      ),
    [updates],
  );
  const happened = useMemo(
    () =>
      featureCollection(
        events.flatMap(({ type, createdAt, location }): Feature[] => {
          if (!location) return [];
          const [longitude, latitude] = location.coordinates;
          return [pointFeature({ longitude, latitude }, { name: typeWords(type), at: Date.parse(createdAt) })];
        }),
      ),
    [events],
  );
  const time = at ?? way.end;
  const labels = useMemo(() => featureCollection(latestOfKinds(happened.features, time)), [happened, time]);
  const moment = way.at(time);
  const { latitude, longitude, accuracy } = moment ?? {};
  const here = useMemo(() => {
    if (latitude === undefined || longitude === undefined || accuracy === undefined) return EMPTY;
    const center = { latitude, longitude };
    return featureCollection([circleFeature(center, accuracy), pointFeature(center)]);
  }, [latitude, longitude, accuracy]);

  const shown = useLayers(
    "way",
    line,
    ({ accent, casing }) => casedLine(["way-casing", "way-line"], [6, 3], casing, accent),
    { lineMetrics: true },
  );
  useLayers("way-updates", dots, ({ accent, casing }) => [
    dotLayer("way-dots", [3.5, 1.5], ["case", ["get", "stopped"], casing, accent], accent, { minzoom: 13 }),
  ]);
  useLayers("way-events", happened, ({ warn, casing }) => [dotLayer("way-event-dots", [6, 2], warn, casing)]);
  useLayers("way-event-labels", labels, (colours) => [
    nameLayer("way-event-names", colours, 10, { ...BELOW, "text-variable-anchor": ["top", "bottom", "left", "right"] }),
  ]);
  useLayers("way-here", here, ({ accent, casing, text }) => [
    { id: "way-accuracy", type: "fill", paint: { "fill-color": accent, "fill-opacity": 0.16 } },
    { id: "way-accuracy-edge", type: "line", paint: { "line-color": accent, "line-width": 1 } },
    dotLayer("way-here-dot", [8, 3], text, casing, { filter: ["==", ["geometry-type"], "Point"] }),
  ]);
  const pick = onPick && (({ at: picked }: Record<string, unknown>) => onPick(Number(picked)));
  usePick("way-dots", pick);
  usePick("way-event-dots", pick);

  useProgress(shown, moment?.progress ?? 1, line);
  return null;
}

/** Colors the completed part of the line. */
function useProgress(shown: ReturnType<typeof useShownMap>, walked: number, line: FeatureCollection): void {
  // A thousandth of the track is less than a pixel.
  const progress = Math.round(walked * 1000) / 1000;
  // A new line starts with a new gradient
  useEffect(() => {
    if (!shown?.map.getLayer("way-line")) return;
    const dark = shown.theme === "dark";
    const [behind, ahead] = dark ? ["#a3acff", "#5b647a"] : ["#4250d0", "#a9b0c2"];
    const rest = progress >= 1 ? behind : ahead;
    const gradient = ["step", ["line-progress"], behind, Math.max(progress, 0.0005), rest];
    shown.map.setPaintProperty("way-line", "line-gradient", gradient);
  }, [shown, progress, line]);
}
