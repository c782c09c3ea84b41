import type { Coordinate } from "../geo/coordinate.ts";
import type { Color } from "./base/color.ts";
import { ANCHORS, MARKER_SIZES, type MarkerLook, type OverlayPath } from "./overlay.ts";
import {
  broken,
  choiceOf,
  colorOf,
  DEFAULT_COLOR,
  flagOf,
  locationOf,
  nameOf,
  noPlaces,
  optionOf,
  type PlaceOf,
  pixelsOf,
  polylineIn,
  type Section,
  SectionError,
  sectionsOf,
  unknownOption,
} from "./overlay-sections.ts";
import { SYMBOLS } from "./style/pictograms.ts";

export { MAX_PATH_POINTS, SectionError } from "./overlay-sections.ts";

/** One `markers` parameter: all its locations look the same. */
export interface MarkerGroup extends MarkerLook {
  /** URL of an image, or the id of an uploaded one. */
  icon: string | undefined;
  locations: Coordinate[];
}

export const MAX_MARKERS = 500;
export const MAX_ICON_URLS = 5;
/** Characters in a pin's head, and next to a marker. */
export const MAX_LABEL = 3;
const MAX_TEXT = 64;

const WHITE: Color = [255, 255, 255, 1];
const AFTER = "Options come before the locations.";

type Setters<T> = Record<string, (target: T, value: string, section: Section) => void>;

/** Setter of each option of `markers`, by its name in lower case. */
const MARKER_OPTIONS: Setters<MarkerGroup> = {
  color: (group, value, section) => {
    group.color = colorOf(value, section);
  },
  size: (group, value, section) => {
    group.size = choiceOf(MARKER_SIZES, value, section);
  },
  icon: (group, value, section) => {
    if (value === "") throw broken(section, "Expected a URL or the id of an uploaded icon.");
    group.icon = value;
  },
  label: (group, value, section) => {
    const length = [...value].length;
    if (length < 1 || length > MAX_LABEL)
      throw broken(section, `Expected 1 to ${MAX_LABEL} letters or digits; longer words are for \`text\`.`);
    group.label = value;
  },
  symbol: (group, value, section) => {
    group.symbol = choiceOf(SYMBOLS, value, section);
  },
  anchor: (group, value, section) => {
    group.anchor = choiceOf(ANCHORS, value, section);
  },
  text: (group, value, section) => {
    const length = [...value].length;
    if (length < 1 || length > MAX_TEXT) throw broken(section, `Expected 1 to ${MAX_TEXT} characters.`);
    group.text = value;
  },
};

/** A path while it is read, without its locations. */
type Draft = Omit<OverlayPath, "points" | "holes">;

/** Setter of each option of `path`, by its name in lower case. */
const PATH_OPTIONS: Setters<Draft> = {
  stroke: (path, value, section) => {
    path.stroke = colorOf(value, section);
  },
  width: (path, value, section) => {
    path.width = pixelsOf(value, section);
  },
  border: (path, value, section) => {
    path.border = colorOf(value, section);
  },
  borderwidth: (path, value, section) => {
    path.borderWidth = pixelsOf(value, section);
  },
  fill: (path, value, section) => {
    path.fill = colorOf(value, section);
  },
  geodesic: (path, value, section) => {
    path.geodesic = flagOf(value, section);
  },
};

/** As they are written in the documentation. */
export const MARKER_OPTION_NAMES = ["color", "size", "icon", "label", "symbol", "anchor", "text"];
const PATH_OPTION_NAMES = ["stroke", "width", "border", "borderWidth", "fill", "geodesic", "hole"];

/**
 * `color:red|size:small|40.7,-73.9|40.8,-73.8` → a group of markers.
 * @param placeOf positions of the named locations; without it, names are not accepted
 * @throws SectionError
 */
export function parseMarkers(written: Written, placeOf: PlaceOf = noPlaces): MarkerGroup {
  const group: MarkerGroup = { color: DEFAULT_COLOR, size: "normal", icon: undefined, locations: [] };
  for (const section of asSections(written)) {
    const option = optionOf(section);
    if (!option) group.locations.push(locationOf(section, placeOf));
    else if (group.locations.length > 0) throw broken(section, AFTER);
    else setterOf(MARKER_OPTIONS, option.name, section, MARKER_OPTION_NAMES)(group, option.value, section);
  }
  if (group.locations.length === 0) throw new SectionError("It has no location.");
  return group;
}

/** The names of places that `markers` parameters have among their locations. */
export function namesIn(markers: readonly Written[]): string[] {
  return markers.flatMap((written) => asSections(written).flatMap((section) => nameOf(section) ?? []));
}

/**
 * `stroke:0xff0000|width:4|enc:_p~iF~ps|U_ulL` → a path. With `fill` it is an area with a closed outline; the points
 * after `hole:` are cut out of it.
 * @throws SectionError
 */
export function parsePath(written: Written): OverlayPath {
  const draft: Draft = { stroke: DEFAULT_COLOR, width: 3, border: WHITE, borderWidth: 2 };
  const rings: Coordinate[][] = [[]];
  for (const section of asSections(written)) {
    const ring = rings[rings.length - 1];
    const polyline = polylineIn(section);
    const option = polyline ? undefined : optionOf(section);
    if (polyline) for (const point of polyline) ring.push(point);
    else if (!option) ring.push(locationOf(section, noPlaces));
    else if (option.name === "hole") {
      if (!draft.fill) throw broken(section, "Only an area has holes: begin with `fill`.");
      if (ring.length === 0) throw broken(section, "The locations before it are missing.");
      if (option.value !== "") throw broken(section, "Put its locations in separate sections.");
      rings.push([]);
    } else if (rings.length > 1 || ring.length > 0) throw broken(section, AFTER);
    else setterOf(PATH_OPTIONS, option.name, section, PATH_OPTION_NAMES)(draft, option.value, section);
  }
  if (rings[0].length === 0) throw new SectionError("It has no location.");
  if (rings[rings.length - 1].length === 0) throw new SectionError("Its last hole has no location.");
  const [points, ...holes] = rings;
  return { ...draft, points, ...(draft.fill && { holes }) };
}

/** A parameter's text, or its sections if it was given in another form. */
export type Written = string | readonly Section[];

const asSections = (written: Written) => (typeof written === "string" ? sectionsOf(written) : written);

function setterOf<T>(setters: Setters<T>, name: string, section: Section, known: readonly string[]) {
  const set = Object.hasOwn(setters, name) ? setters[name] : undefined;
  if (!set) throw unknownOption(section, known);
  return set;
}
