import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { parseCoordinate } from "../../../core/geo/coordinate.ts";
import { type ShownRequest, withQuery } from "./request-text.ts";

/**
 * Explorer tools: their form fields, their request, and the drawable parts of the response. A tool is a value; the
 * page that shows it is generic.
 */
export type Values = Readonly<Record<string, string>>;

export interface ToolField {
  /** As the API calls it. */
  name: string;
  label: string;
  /**
   * place: "lat,lon"; places: several, separated by bars; area: the corners of one, likewise; all can be clicked on
   * the map. layers, countries: several, picked from a list. file: pasted text or a dropped file, which is too long for the URL.
   */
  kind: "text" | "place" | "places" | "area" | "choice" | "number" | "flag" | "time" | "file" | "layers" | "countries";
  options?: readonly string[];
  usual?: string;
  hint?: string;
  required?: boolean;
}

export interface DrawnAnswer {
  /** Numbered in their order. */
  points: Coordinate[];
  lines: { pairs: number[][]; look: "route" | "faint" | "walked" }[];
  areas: { rings: number[][][]; name?: string }[];
  /** One line for each thing found. */
  lineup: { title: string; detail?: string; at?: Coordinate }[];
  /** Text above the field. */
  summary: string;
  /** A way whose elevation profile is shown: longitude, latitude. */
  profile?: number[][];
}

export interface Tool {
  id: string;
  title: string;
  about: string;
  fields: readonly ToolField[];
  request(values: Values): ShownRequest;
  /** JSON → what is drawn. */
  draw(answer: never, values: Values): DrawnAnswer;
  /** It writes something for a moment, which takes the role "write". */
  writes?: boolean;
}

export const NOTHING: DrawnAnswer = { points: [], lines: [], areas: [], lineup: [], summary: "" };

export const getRequest = (
  path: string,
  { avoidPolygons, ...values }: Values,
  more: Record<string, string> = {},
): ShownRequest => {
  const area = polygonOf(avoidPolygons);
  const areas: Record<string, string> = area ? { avoidPolygons: JSON.stringify(area) } : {};
  return { method: "GET", path: withQuery(path, { ...values, ...areas, ...more }), level: "publishable" };
};

/** "lat,lon|lat,lon" → positions; what is none is left out. */
export function pointsOf(text = ""): Coordinate[] {
  return text.split("|").flatMap((part) => parseCoordinate(part) ?? []);
}

/** The corners of an area as GeoJSON; undefined where they are fewer than three. */
export function polygonOf(corners = ""): { type: "Polygon"; coordinates: number[][][] } | undefined {
  const ring = pointsOf(corners).map(({ latitude, longitude }) => [longitude, latitude]);
  return ring.length < 3 ? undefined : { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}

/** Fields that a click on the map fills. */
export const isOnMap = ({ kind }: ToolField): boolean => kind === "place" || kind === "places" || kind === "area";

/** Problems that can be found before a request, by field name. */
export function faultsOf({ fields }: Tool, values: Values): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { name, kind, required } of fields) {
    const value = values[name] ?? "";
    if (value.trim() === "") {
      if (required) faults[name] = "Required.";
    } else if (kind === "place" && !parseCoordinate(value)) faults[name] = 'Expected "latitude,longitude".';
    else if (kind === "area" && !polygonOf(value)) faults[name] = "An area needs at least three corners.";
    else if ((kind === "places" || kind === "area") && value.split("|").some((part) => !parseCoordinate(part)))
      faults[name] = 'Expected "latitude,longitude" with | between.';
    else if (kind === "number" && !Number.isFinite(Number(value))) faults[name] = "Expected a number.";
  }
  return faults;
}
