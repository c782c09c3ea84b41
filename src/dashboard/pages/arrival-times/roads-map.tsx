import { useMemo } from "preact/hooks";
import type { getEtaStats } from "../../../worker/http/insight/eta-stats.ts";
import type { Answer } from "../../api/client.ts";
import { MapView } from "../../map/dashboard-map.tsx";
import type { FeatureCollection } from "../../map/layers/features.ts";
import { useLayers } from "../../map/layers/use-layers.ts";
import { boundsOf } from "../../map/position.ts";

export interface RoadsMapProps {
  roads: NonNullable<Answer<typeof getEtaStats>["eta"]["roads"]>;
}

/** Roads by learned speed / speed of the map: slow ones red, fast ones green, those that may be closed dashed. */
export default function RoadsMap({ roads }: RoadsMapProps) {
  const bounds = useMemo(() => boundsOf(roads.features.flatMap(({ geometry }) => geometry.coordinates)), [roads]);
  return (
    <MapView label="Roads by learned speed" fit={bounds} inAddress={false}>
      <Roads roads={roads} />
    </MapView>
  );
}

function Roads({ roads }: RoadsMapProps) {
  useLayers("learned-roads", roads as FeatureCollection, ({ bad, warn, good, faint, text }) => [
    {
      id: "learned-roads",
      type: "line",
      filter: ["has", "ratio"],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-width": 3,
        // One side of the road for each direction.
        "line-offset": 2,
        "line-color": [
          "interpolate",
          ["linear"],
          ["get", "ratio"],
          0.4,
          bad,
          0.7,
          warn,
          0.95,
          faint,
          1.1,
          good,
        ] as never,
      },
    },
    {
      id: "quiet-roads",
      type: "line",
      filter: ["has", "quiet"],
      paint: { "line-width": 3, "line-color": text, "line-dasharray": [2, 2] },
    },
  ]);
  return null;
}
