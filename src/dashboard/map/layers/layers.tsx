import type { GeoJSONSource } from "maplibre-gl";
import { useMemo, useState } from "preact/hooks";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import {
  circleFeature,
  EMPTY,
  type Feature,
  type FeatureCollection,
  featureCollection,
  fenceFeatures,
  lineFeature,
  type MapFence,
  type MapUser,
  nameFeatures,
  pointFeature,
  toCoordinate,
  userFeatures,
} from "./features.ts";
import { dotLayer, FONT, nameLayer } from "./name-layer.ts";
import { type Paint, useLayers, usePick } from "./use-layers.ts";
import { UsersTogether } from "./users-together.tsx";

type Expression = never;

interface UsersLayerProps {
  users: readonly MapUser[];
  now: number;
  selected?: string;
  onPick?: (id: string) => void;
}

/** Users where they were last seen: clustered while they are many, with a sign of their state when they stand alone. */
export function UsersLayer({ users, now, selected, onPick }: UsersLayerProps) {
  // The selected user stands alone: a cluster would hide it.
  const data = useMemo(
    () => userFeatures(selected ? users.filter(({ _id }) => _id !== selected) : users, now),
    [users, selected, now],
  );
  const chosen = useMemo(() => {
    const user = users.find(({ _id }) => _id === selected);
    if (!user) return EMPTY;
    const circle = circleFeature(toCoordinate(user.location.coordinates), user.locationAccuracy);
    return featureCollection([circle, ...userFeatures([user], now).features]);
  }, [users, selected, now]);
  useLayers("chosen-user", chosen, ({ accent }) => [
    { id: "chosen-accuracy", type: "fill", paint: { "fill-color": accent, "fill-opacity": 0.16 } },
    { id: "chosen-accuracy-edge", type: "line", paint: { "line-color": accent, "line-width": 1 } },
  ]);
  const shown = useLayers("users", data, userLayers, {
    cluster: true,
    clusterRadius: 40,
    // Also devices at one place show their count.
    maxzoom: 22,
    clusterMaxZoom: 21,
    clusterProperties: { flagged: ["+", ["case", ["==", ["get", "state"], "flagged"], 1, 0]] },
  });
  useLayers("chosen-user-sign", chosen, chosenLayers);
  usePick("user-signs", onPick && (({ id }) => onPick(String(id))));
  const [together, setTogether] = useState<readonly string[]>();
  usePick("user-clusters", ({ cluster_id, point_count }, { lngLat }) => {
    const source = shown?.map.getSource<GeoJSONSource>("users");
    const pick = async () => {
      const zoom = await source?.getClusterExpansionZoom(Number(cluster_id));
      if (zoom !== undefined && zoom <= LARGEST_ZOOM)
        return shown?.map.easeTo({ center: lngLat, zoom: zoom + 0.3, duration: 400 });
      const leaves = await source?.getClusterLeaves(Number(cluster_id), Number(point_count), 0);
      setTogether(leaves?.map(({ properties }) => String(properties?.id)));
    };
    void pick();
  });
  const there = together && users.filter(({ _id }) => together.includes(_id));
  return there && there.length > 0 ? (
    <UsersTogether users={there} onPick={onPick} onClose={() => setTogether(undefined)} />
  ) : null;
}

/** Closer, a map does not part what stands together: it is listed. */
const LARGEST_ZOOM = 19;

/** The selected user above all others, in a ring. */
const chosenLayers: Paint = ({ accent, casing, text, halo }) => [
  ...[
    { id: "chosen-ring-casing", color: casing, width: 7 },
    { id: "chosen-ring", color: accent, width: 3.5 },
  ].map(({ id, color, width }) => ({
    id,
    type: "circle" as const,
    filter: ["==", ["geometry-type"], "Point"] as Expression,
    paint: { "circle-radius": 17, "circle-opacity": 0, "circle-stroke-color": color, "circle-stroke-width": width },
  })),
  {
    id: "chosen-sign",
    type: "symbol",
    filter: ["==", ["geometry-type"], "Point"] as Expression,
    layout: {
      "icon-image": ["concat", "user-", ["get", "state"]] as Expression,
      "icon-allow-overlap": true,
      "text-field": ["get", "name"],
      "text-font": FONT,
      "text-size": 13,
      "text-offset": [0, 1.7],
      "text-anchor": "top",
      "text-allow-overlap": true,
    },
    paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 2 },
  },
];

/** Clusters with their count, and single users with their accuracy, state and name. */
const userLayers: Paint = (colours, theme) => [
  {
    id: "user-clusters",
    type: "circle",
    filter: ["has", "point_count"],
    paint: {
      "circle-color": theme === "light" ? "#2f3aa3" : "#c3c9ff",
      "circle-stroke-color": ["case", [">", ["get", "flagged"], 0], colours.bad, colours.casing] as Expression,
      "circle-stroke-width": 2.5,
      "circle-radius": ["step", ["get", "point_count"], 14, 10, 17, 100, 21, 1000, 26] as Expression,
    },
  },
  {
    id: "user-cluster-counts",
    type: "symbol",
    filter: ["has", "point_count"],
    layout: {
      "text-field": ["get", "point_count_abbreviated"],
      "text-font": FONT,
      "text-size": 12,
      "text-allow-overlap": true,
    },
    paint: { "text-color": theme === "light" ? "#ffffff" : "#0f1115" },
  },
  {
    id: "user-accuracies",
    type: "circle",
    // Closer than clusters go, and only there: further out a circle says nothing.
    minzoom: 15,
    filter: ["!", ["has", "point_count"]],
    paint: {
      "circle-radius": ["interpolate", ["exponential", 2], ["zoom"], 0, 0, 22, ["get", "reach"]] as Expression,
      "circle-color": colours.accent,
      "circle-opacity": 0.1,
      "circle-stroke-color": colours.accent,
      "circle-stroke-width": 1,
      "circle-stroke-opacity": 0.6,
      "circle-pitch-alignment": "map",
    },
  },
  {
    id: "user-signs",
    type: "symbol",
    filter: ["!", ["has", "point_count"]],
    layout: {
      "icon-image": ["concat", "user-", ["get", "state"]],
      "icon-allow-overlap": true,
      "text-field": ["step", ["zoom"], "", 13, ["get", "name"]] as Expression,
      "text-font": FONT,
      "text-size": 12,
      "text-offset": [0, 1.2],
      "text-anchor": "top",
      "text-optional": true,
    },
    paint: { "text-color": colours.text, "text-halo-color": colours.halo, "text-halo-width": 1.5 },
  },
];

interface FencesLayerProps {
  fences: readonly MapFence[];
  selected?: string;
  onPick?: (id: string) => void;
}

/** Areas with names; disabled ones are dashed and grey, the chosen one stands out. */
export function FencesLayer({ fences, selected = "", onPick }: FencesLayerProps) {
  const data = useMemo(() => fenceFeatures(fences), [fences]);
  const chosen = useMemo(() => fenceFeatures(fences.filter(({ _id }) => _id === selected)), [fences, selected]);
  useLayers("fences", data, (colours) => {
    const colour = ["case", ["get", "enabled"], colours.accent, colours.faint] as Expression;
    return [
      { id: "fence-areas", type: "fill", paint: { "fill-color": colour, "fill-opacity": 0.12 } },
      {
        id: "fence-edges",
        type: "line",
        filter: ["get", "enabled"],
        paint: { "line-color": colour, "line-width": 1.5 },
      },
      {
        id: "fence-edges-off",
        type: "line",
        filter: ["!", ["get", "enabled"]],
        paint: { "line-color": colour, "line-width": 1.5, "line-dasharray": [3, 2] },
      },
    ];
  });
  useNames("fence-names", data, 12);
  useLayers("chosen-fence", chosen, ({ accent }) => [
    { id: "chosen-fence-area", type: "fill", paint: { "fill-color": accent, "fill-opacity": 0.15 } },
    { id: "chosen-fence-edge", type: "line", paint: { "line-color": accent, "line-width": 3 } },
  ]);
  usePick("fence-areas", onPick && (({ id }) => onPick(String(id))));
  return null;
}

/** The names of areas, each once. */
function useNames(source: string, areas: FeatureCollection, minzoom: number): void {
  const names = useMemo(() => nameFeatures(areas), [areas]);
  useLayers(source, names, (colours) => [nameLayer(source, colours, minzoom)]);
}

/** A point with a sign of the style ("beacon", "place", "destination", "user-moving" …). */
export interface Sign {
  id: string;
  name: string;
  sign: string;
  location: Coordinate;
}

interface SignsLayerProps {
  source: string;
  signs: readonly Sign[];
  onPick?: (id: string) => void;
}

export function SignsLayer({ source, signs, onPick }: SignsLayerProps) {
  const data = useMemo(
    () => featureCollection(signs.map(({ id, name, sign, location }) => pointFeature(location, { id, name, sign }))),
    [signs],
  );
  useLayers(source, data, (colours) => [
    nameLayer(`${source}-signs`, colours, 0, {
      "icon-image": ["get", "sign"],
      "icon-allow-overlap": true,
      "text-field": ["step", ["zoom"], "", 12, ["get", "name"]],
      "text-offset": [0, 1.2],
      "text-anchor": "top",
    }),
  ]);
  usePick(`${source}-signs`, onPick && (({ id }) => onPick(String(id))));
  return null;
}

/** Numbered dots, such as the locations of a route in their order. */
export function NumbersLayer({ source, points }: { source: string; points: readonly Coordinate[] }) {
  const data = useMemo(
    () => featureCollection(points.map((point, i) => pointFeature(point, { number: String(i + 1) }))),
    [points],
  );
  useLayers(source, data, ({ text, halo }) => [
    dotLayer(`${source}-dots`, [10, 2], text, halo),
    {
      id: `${source}-numbers`,
      type: "symbol",
      layout: { "text-field": ["get", "number"], "text-font": FONT, "text-size": 12, "text-allow-overlap": true },
      paint: { "text-color": halo },
    },
  ]);
  return null;
}

type LineLook = "route" | "walked" | "faint" | "wrong";

interface LinesLayerProps {
  source: string;
  lines: readonly { pairs: number[][]; look: LineLook }[];
}

/** Lines with a casing, so that they stand out from roads. */
export function LinesLayer({ source, lines }: LinesLayerProps) {
  const data = useMemo(
    () =>
      featureCollection(
        lines.flatMap(({ pairs, look }): Feature[] => (pairs.length > 1 ? [lineFeature(pairs, { look })] : [])),
      ),
    [lines],
  );
  useLayers(source, data, ({ accent, casing, faint, good, bad }) => [
    {
      id: `${source}-casing`,
      type: "line",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": casing, "line-width": 7, "line-opacity": 0.85 },
    },
    {
      id: `${source}-line`,
      type: "line",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-width": 4,
        "line-color": ["match", ["get", "look"], "route", accent, "walked", good, "wrong", bad, faint] as Expression,
      },
    },
  ]);
  return null;
}

interface AreasLayerProps {
  source: string;
  areas: readonly { rings: number[][][]; name?: string; wrong?: boolean }[];
}

/** Plain areas: from a file, a response, or the bounds of a build. */
export function AreasLayer({ source, areas }: AreasLayerProps) {
  const data = useMemo(
    () =>
      featureCollection(
        areas.map(
          ({ rings, name = "", wrong = false }): Feature => ({
            type: "Feature",
            geometry: { type: "Polygon", coordinates: rings },
            properties: { name, wrong },
          }),
        ),
      ),
    [areas],
  );
  useLayers(source, data, (colours) => {
    const colour = ["case", ["get", "wrong"], colours.bad, colours.accent] as Expression;
    return [
      { id: `${source}-fill`, type: "fill", paint: { "fill-color": colour, "fill-opacity": 0.14 } },
      { id: `${source}-edge`, type: "line", paint: { "line-color": colour, "line-width": 2 } },
    ];
  });
  useNames(`${source}-names`, data, 0);
  return null;
}
