import { byZoom, isKind, linear } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette } from "./palettes.ts";

/** A class of road and its drawn width. */
export interface RoadClass {
  id: string;
  filter: Json;
  color: string;
  casing: string;
  minzoom: number;
  /** Zooms at which the casing begins: at lower ones it would be all one sees. */
  casedFrom: number;
  /** Zooms between which it appears: the world base has no roads, and an import would be a patch of them. */
  fade?: readonly [from: number, to: number];
  /** [zoom, width] pairs, which grow as the ground does beyond zoom 18, and the additional width of the casing on each side. */
  width: number[];
  edge: number;
}

const isLink: Json = ["==", ["get", "is_link"], true];
const isService: Json = ["match", ["get", "kind_detail"], ["service"], true, false];
const isTertiary: Json = ["match", ["get", "kind_detail"], ["tertiary", "tertiary_link", "unclassified"], true, false];

/** Widths with the casing on both sides, which grows a little with the road. */
export function cased({ width, edge }: RoadClass): Json {
  return byZoom(...width.map((value, i) => (i % 2 === 0 ? value : value + 2 * edge * Math.min(1.5, 0.6 + value / 10))));
}

/** The opacity of a class that appears slowly. */
export const fading = ({ fade }: RoadClass): { "line-opacity"?: Json } =>
  fade ? { "line-opacity": linear(fade[0], 0, fade[1], 1) } : {};

/** Zooms and widths by class. */
const MEASURES: Record<string, Pick<RoadClass, "minzoom" | "fade" | "casedFrom" | "width" | "edge">> = {
  service: {
    minzoom: 13.5,
    casedFrom: 14.5,
    width: [13.5, 0.4, 15, 1.6, 16, 3, 18, 8, 20, 26],
    edge: 0.7,
  },
  minor: {
    minzoom: 11,
    casedFrom: 12.5,
    width: [11, 0.35, 12, 0.6, 13, 1.5, 14, 2.8, 15, 4.6, 16, 8, 18, 18, 20, 58],
    edge: 0.8,
  },
  link: {
    minzoom: 10,
    casedFrom: 11.5,
    width: [10, 0.5, 12, 1, 14, 2.8, 15, 4.2, 16, 6.5, 18, 14, 20, 45],
    edge: 0.9,
  },
  tertiary: {
    minzoom: 9,
    casedFrom: 11,
    width: [9, 0.4, 11, 1, 12, 1.6, 13, 2.6, 14, 4, 15, 6, 16, 10, 18, 22, 20, 70],
    edge: 0.9,
  },
  major: {
    minzoom: 7.5,
    fade: [7.5, 9],
    casedFrom: 9,
    width: [7.5, 0.8, 8, 0.9, 10, 1.6, 12, 2.6, 13, 3.6, 14, 5, 15, 7.5, 16, 12, 18, 25, 20, 80],
    edge: 1,
  },
  highway: {
    minzoom: 7,
    fade: [7, 8.5],
    casedFrom: 7,
    width: [7, 1.3, 9, 2, 11, 3, 13, 4.6, 14, 6, 15, 8.5, 16, 13, 18, 27, 20, 86],
    edge: 1,
  },
};

/** Lower classes first: higher ones are drawn above them. */
export function roadClasses(palette: Palette): RoadClass[] {
  const minor = { color: palette.minor, casing: palette.minorCase };
  const major = { color: palette.major, casing: palette.majorCase };
  const highway = { color: palette.highway, casing: palette.highwayCase };
  return [
    {
      id: "service",
      filter: ["all", isKind("minor_road"), isService],
      ...minor,
      ...MEASURES.service,
    },
    {
      id: "minor",
      filter: ["all", isKind("minor_road"), ["!", isService]],
      ...minor,
      ...MEASURES.minor,
    },
    {
      id: "link",
      filter: ["all", ["any", isKind("major_road"), isKind("highway")], isLink],
      ...major,
      ...MEASURES.link,
    },
    {
      id: "tertiary",
      filter: ["all", isKind("major_road"), ["!", isLink], isTertiary],
      ...{
        color: palette.dark ? palette.major : palette.minor,
        casing: palette.dark ? palette.majorCase : palette.minorCase,
      },
      ...MEASURES.tertiary,
    },
    {
      id: "major",
      filter: ["all", isKind("major_road"), ["!", isLink], ["!", isTertiary]],
      ...major,
      ...MEASURES.major,
    },
    {
      id: "highway",
      filter: ["all", isKind("highway"), ["!", isLink]],
      ...highway,
      ...MEASURES.highway,
    },
  ];
}
