import { parseCoordinate } from "../../../core/geo/coordinate.ts";
import { fillModel } from "../../forms/draft.ts";
import { type ShownRequest, withQuery } from "../../map/tools/request-text.ts";

/** Markers of one look. An empty option is not sent: the API's own default counts. */
export const NEW_MARKER = {
  /** "lat,lon" or a place's name in each line. */
  locations: "",
  ...{ color: "", size: "", label: "", symbol: "", icon: "", anchor: "", text: "" },
};
type MarkerDraft = typeof NEW_MARKER;

export const NEW_PATH = {
  /** "lat,lon" or "enc:…" in each line. */
  locations: "",
  ...{ stroke: "", width: "", border: "", borderWidth: "", fill: "", geodesic: false },
  /** A ring in each text, as `locations`. */
  holes: [] as string[],
};
type PathDraft = typeof NEW_PATH;

/**
 * Draft of a static map: all options of GET /maps/static as field texts. It is in the URL, so that a map can be
 * shared.
 */
export const NEW_DRAFT = {
  /** Source of the view: markers and paths, a center, or a box. */
  view: "center" as "fit" | "center" | "bbox",
  ...{ center: "", zoom: "14", bbox: "", padding: "", width: "600", height: "400", scale: "1" },
  ...{ style: "radar-default-v1", language: "", format: "png", attribution: "auto", beforeLayer: "" },
  ...{ transit: false, streetsNote: false },
  markers: [] as MarkerDraft[],
  paths: [] as PathDraft[],
  geojson: "",
};
export type Draft = typeof NEW_DRAFT;

/** Maximum URL length; longer maps use POST. Same as in src/worker/wire/maps/overlay-fields.ts. */
const MAX_ADDRESS = 16_384;

/** A draft as text for the address: what differs from a new one. */
export function writeDraft(draft: Draft): string {
  const said = (value: object, usual: object) =>
    Object.fromEntries(
      Object.entries(value).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(Reflect.get(usual, name))),
    );
  const changed = said(draft, NEW_DRAFT);
  if (draft.markers.length > 0) changed.markers = draft.markers.map((marker) => said(marker, NEW_MARKER));
  if (draft.paths.length > 0) changed.paths = draft.paths.map((path) => said(path, NEW_PATH));
  return Object.keys(changed).length > 0 ? JSON.stringify(changed) : "";
}

/** The draft of an address; whatever is no draft, or of another form, is a new one's. */
export function readDraft(text: string | null): Draft {
  try {
    const read = fillModel(NEW_DRAFT, JSON.parse(text || "{}"));
    const { markers, paths } = read as { markers: unknown[]; paths: unknown[] };
    return {
      ...read,
      markers: markers.map((marker) => fillModel(NEW_MARKER, marker)),
      paths: paths.map((path) => {
        const one = fillModel(NEW_PATH, path);
        return { ...one, holes: one.holes.filter((hole) => typeof hole === "string") };
      }),
    };
  } catch {
    return NEW_DRAFT;
  }
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** `color:red|label:A|48.99,-111.2`: a `markers` parameter; undefined while it has no location. */
export function markersText({ locations, ...options }: MarkerDraft): string | undefined {
  const places = linesOf(locations);
  if (places.length === 0) return undefined;
  return [...optionsText(options), ...places].join("|");
}

/** `fill:gold|48.98,-111.2|…|hole:|…`: a `path` parameter; undefined while it has no location. */
export function pathText({ locations, geodesic, holes, ...options }: PathDraft): string | undefined {
  const points = linesOf(locations);
  if (points.length === 0) return undefined;
  // Only an area has holes.
  const rings = options.fill === "" ? [] : holes.map(linesOf).filter((ring) => ring.length > 0);
  return [
    ...optionsText(options),
    ...(geodesic ? ["geodesic:true"] : []),
    ...points,
    ...rings.flatMap((ring) => ["hole:", ...ring]),
  ].join("|");
}

const optionsText = (options: Record<string, string>) =>
  Object.entries(options).flatMap(([name, value]) => (value.trim() === "" ? [] : [`${name}:${value.trim()}`]));

/** The request: a GET with everything in its address, or where no address holds it a POST. */
export function requestOf(draft: Draft): ShownRequest {
  const markers = draft.markers.flatMap((one) => markersText(one) ?? []);
  const paths = draft.paths.flatMap((one) => pathText(one) ?? []);
  const fields: Record<string, string> = {
    width: draft.width,
    height: draft.height,
    scale: unlessDefault("1", draft.scale),
    ...(draft.view === "center" && { center: draft.center, zoom: draft.zoom }),
    ...(draft.view === "bbox" && { bbox: draft.bbox }),
    ...(draft.view !== "center" && { padding: draft.padding }),
    style: unlessDefault(NEW_DRAFT.style, draft.style),
    language: draft.language,
    format: unlessDefault("png", draft.format),
    attribution: unlessDefault("auto", draft.attribution),
    before_layer: draft.beforeLayer,
    transit: draft.transit ? "true" : "",
    streets_note: draft.streetsNote ? "true" : "",
    geojson: draft.geojson.trim(),
  };
  // An address may repeat a parameter, which an object cannot.
  const repeated = [
    ...markers.map((text) => `markers=${encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":")}`),
    ...paths.map((text) => `path=${encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":")}`),
  ];
  const address = [withQuery("/maps/static", fields), ...repeated].join("&");
  // Only a secret key can omit the attribution.
  const level = draft.attribution === "false" ? "secret" : "publishable";
  if (address.length <= MAX_ADDRESS) return { method: "GET", path: address, level };
  const numbers = new Set(["width", "height", "scale", "zoom"]);
  const switches = new Set(["transit", "streets_note"]);
  const given = Object.entries(fields).filter(([, value]) => value !== "");
  const body = Object.fromEntries(
    given.map(([name, value]) => [name, numbers.has(name) ? Number(value) : switches.has(name) || value]),
  );
  return {
    method: "POST",
    path: "/maps/static",
    level,
    body: {
      ...body,
      ...(markers.length > 0 && { markers }),
      ...(paths.length > 0 && { path: paths }),
    },
  };
}

const unlessDefault = (usual: string, value: string) => (value === usual ? "" : value);

/** Describes what is missing for a request; undefined if nothing is. */
export function missingIn(draft: Draft): string | undefined {
  const hasOverlay =
    draft.geojson.trim() !== "" ||
    draft.markers.some((one) => markersText(one) !== undefined) ||
    draft.paths.some((one) => pathText(one) !== undefined);
  if (draft.view === "fit" && !hasOverlay) return "Add a marker, a path or GeoJSON for the map to fit.";
  if (draft.view === "center" && draft.center.trim() === "") return "Set the center, or click it on the map.";
  if (draft.view === "center" && draft.zoom.trim() === "") return "Set the zoom.";
  if (draft.view === "bbox" && draft.bbox.trim() === "")
    return "Set the box (south,west,north,east), or click two corners on the map.";
  return undefined;
}

/** A spot on the map that a click fills: a field of the draft, of a marker, of a path or of one of its holes. */
export type Spot =
  | { of: "center" }
  | { of: "bbox" }
  | { of: "marker"; index: number }
  | { of: "path"; index: number; hole?: number };

/** The draft after a click. */
export function withClick(draft: Draft, spot: Spot, { latitude, longitude }: { latitude: number; longitude: number }) {
  const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const add = (text: string) => [...linesOf(text), at].join("\n");
  if (spot.of === "center") return { ...draft, view: "center" as const, center: at };
  if (spot.of === "bbox") return { ...draft, view: "bbox" as const, bbox: boxWith(draft.bbox, latitude, longitude) };
  const { index } = spot;
  if (spot.of === "marker")
    return {
      ...draft,
      markers: draft.markers.map((one, i) => (i === index ? { ...one, locations: add(one.locations) } : one)),
    };
  return {
    ...draft,
    paths: draft.paths.map((one, i) => {
      if (i !== index) return one;
      if (spot.hole === undefined) return { ...one, locations: add(one.locations) };
      return { ...one, holes: one.holes.map((hole, j) => (j === spot.hole ? add(hole) : hole)) };
    }),
  };
}

/** The first click sets a corner, the second the opposite one; a third starts over. */
function boxWith(text: string, latitude: number, longitude: number): string {
  const numbers = text.split(",").map(Number);
  const corner = numbers.length === 2 && text.trim() !== "" ? numbers : undefined;
  if (!corner || corner.some((value) => !Number.isFinite(value)))
    return `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const [south, north] = [Math.min(corner[0], latitude), Math.max(corner[0], latitude)];
  // Choose the narrower box around the globe, which may cross the 180th meridian.
  const [low, high] = [Math.min(corner[1], longitude), Math.max(corner[1], longitude)];
  const [west, east] = high - low > 180 ? [high, low] : [low, high];
  return [south, west, north, east].map((value) => value.toFixed(6)).join(",");
}

/**
 * Parts of the draft that can be shown on an interactive map: not names and encoded lines, whose positions are
 * unknown.
 */
export function drawnOf({ center, view, markers, paths }: Draft) {
  const points = (text: string) => linesOf(text).flatMap((line) => parseCoordinate(line) ?? []);
  const pairs = (text: string) => points(text).map(({ latitude, longitude }) => [longitude, latitude]);
  const closed = (ring: number[][]) => [...ring, ring[0]];
  const areas = paths.filter(({ fill }) => fill !== "").map((path) => [path.locations, ...path.holes].map(pairs));
  return {
    points: [...(view === "center" ? points(center) : []), ...markers.flatMap((one) => points(one.locations))],
    lines: paths
      .filter(({ fill }) => fill === "")
      .map((path) => ({ pairs: pairs(path.locations), look: "route" as const }))
      .filter((line) => line.pairs.length > 1),
    areas: areas
      .filter(([outer]) => outer.length > 2)
      .map((rings) => ({ rings: rings.filter((ring) => ring.length > 2).map(closed) })),
  };
}
