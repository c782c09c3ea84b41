import { useMemo } from "preact/hooks";
import { MapView } from "./dashboard-map.tsx";
import { collection, pointFeature } from "./features.ts";
import { boundsOf } from "./position.ts";
import { useLayers, usePick } from "./use-layers.ts";

export interface MapPoint {
  id: string;
  coordinates: number[];
  label: string;
  tone?: "good" | "warn" | "bad" | "accent" | "plain";
}

/** Points with their names, such as the users or beacons of a list beside it. */
export default function PointMap({ points, onPick }: { points: readonly MapPoint[]; onPick?: (id: string) => void }) {
  const fit = useMemo(() => boundsOf(points.map(({ coordinates }) => coordinates)), [points]);
  return (
    <MapView label="Map" fit={fit}>
      <Points points={points} onPick={onPick} />
    </MapView>
  );
}

function Points({ points, onPick }: { points: readonly MapPoint[]; onPick?: (id: string) => void }) {
  const data = useMemo(
    () =>
      collection(
        points.map(({ id, coordinates: [longitude, latitude], label, tone = "accent" }) =>
          pointFeature({ longitude, latitude }, { id, name: label, tone }),
        ),
      ),
    [points],
  );
  useLayers("points", data, ({ good, warn, bad, faint, accent, casing, text, halo }) => [
    {
      id: "point-dots",
      type: "circle",
      paint: {
        "circle-radius": 7,
        "circle-color": [
          "match",
          ["get", "tone"],
          "good",
          good,
          "warn",
          warn,
          "bad",
          bad,
          "plain",
          faint,
          accent,
        ] as never,
        "circle-stroke-color": casing,
        "circle-stroke-width": 2,
      },
    },
    {
      id: "point-names",
      type: "symbol",
      minzoom: 12,
      layout: {
        "text-field": ["get", "name"],
        "text-font": ["Noto Sans Medium"],
        "text-size": 12,
        "text-offset": [0, 1],
        "text-anchor": "top",
        "text-optional": true,
      },
      paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.5 },
    },
  ]);
  usePick("point-dots", onPick && (({ id }) => onPick(String(id))));
  return null;
}
