import { useMemo } from "preact/hooks";
import { viewOf } from "../clusters.ts";
import { MapView } from "../dashboard-map.tsx";
import { featureCollection, pointFeature } from "./features.ts";
import { BELOW, dotLayer, nameLayer } from "./name-layer.ts";
import { useLayers, usePick } from "./use-layers.ts";

export interface MapPoint {
  id: string;
  coordinates: number[];
  label: string;
  tone?: "good" | "warn" | "bad" | "accent" | "plain";
}

/** Labeled points, such as the users or beacons of a list. */
export default function PointMap({ points, onPick }: { points: readonly MapPoint[]; onPick?: (id: string) => void }) {
  const fit = useMemo(() => viewOf(points.map(({ coordinates }) => coordinates)), [points]);
  return (
    <MapView label="Map" fit={fit}>
      <Points points={points} onPick={onPick} />
    </MapView>
  );
}

function Points({ points, onPick }: { points: readonly MapPoint[]; onPick?: (id: string) => void }) {
  const data = useMemo(
    () =>
      featureCollection(
        points.map(({ id, coordinates: [longitude, latitude], label, tone = "accent" }) =>
          pointFeature({ longitude, latitude }, { id, name: label, tone }),
        ),
      ),
    [points],
  );
  useLayers("points", data, (colours) => {
    const { good, warn, bad, faint, accent, casing } = colours;
    const tone = ["match", ["get", "tone"], "good", good, "warn", warn, "bad", bad, "plain", faint, accent];
    return [dotLayer("point-dots", [7, 2], tone, casing), nameLayer("point-names", colours, 12, BELOW)];
  });
  usePick("point-dots", onPick && (({ id }) => onPick(String(id))));
  return null;
}
