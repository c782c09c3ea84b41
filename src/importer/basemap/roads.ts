import type { Properties, Value } from "../../maps/tiles/mvt.ts";
import type { Tags } from "../osm/element.ts";
import { type BasemapFeature, LINE, properties } from "./feature.ts";
import { namesOf } from "./names.ts";

/**
 * What a road is on the map: its kind, from which zoom it shows, from which its name and number, and its place in the
 * order.
 */
interface RoadClass {
  kind: string;
  minZoom: number;
  namesFrom: number;
  shieldFrom: number;
  rank: number;
}

const road = (kind: string, minZoom: number, namesFrom: number, shieldFrom: number, rank: number): RoadClass => ({
  kind,
  minZoom,
  namesFrom,
  shieldFrom,
  rank,
});

const NEVER = 99;

const HIGHWAYS: Record<string, RoadClass> = {
  motorway: road("highway", 3, 11, 7, 400),
  motorway_link: road("highway", 9, 13, NEVER, 390),
  trunk: road("major_road", 6, 11, 8, 380),
  trunk_link: road("major_road", 10, 13, NEVER, 370),
  primary: road("major_road", 7, 12, 10, 360),
  primary_link: road("major_road", 10, 13, NEVER, 350),
  secondary: road("major_road", 9, 12, 11, 340),
  secondary_link: road("major_road", 11, 13, NEVER, 330),
  tertiary: road("major_road", 10, 13, 12, 320),
  tertiary_link: road("major_road", 12, 13, NEVER, 310),
  residential: road("minor_road", 12, 14, NEVER, 240),
  unclassified: road("minor_road", 12, 14, NEVER, 240),
  living_street: road("minor_road", 12, 14, NEVER, 230),
  road: road("minor_road", 12, 14, NEVER, 230),
  raceway: road("minor_road", 12, 14, NEVER, 230),
  busway: road("minor_road", 13, 14, NEVER, 220),
  service: road("minor_road", 13, 14, NEVER, 210),
  pedestrian: road("path", 12, 14, NEVER, 140),
  track: road("path", 13, 14, NEVER, 130),
  cycleway: road("path", 13, 14, NEVER, 120),
  path: road("path", 13, 14, NEVER, 110),
  footway: road("path", 13, 14, NEVER, 110),
  bridleway: road("path", 13, 14, NEVER, 110),
  steps: road("path", 14, 15, NEVER, 110),
  corridor: road("path", 15, 15, NEVER, 100),
};

const RAILWAYS: Record<string, [minZoom: number, rank: number]> = {
  rail: [8, 290],
  narrow_gauge: [10, 289],
  preserved: [11, 288],
  light_rail: [11, 287],
  subway: [12, 286],
  monorail: [12, 286],
  funicular: [12, 286],
  tram: [13, 285],
  miniature: [14, 284],
};

const AERIALWAYS = new Set(["cable_car", "gondola", "mixed_lift", "chair_lift", "drag_lift", "t-bar", "funicular"]);

/** What stands over or under others is drawn after or before them, whatever its class. */
const LEVEL = 1000;

/** A line that one may travel: road, path, railway, ferry, runway, cable car, pier. undefined for any other. */
export function roadFeature(tags: Tags, parts: number[][]): BasemapFeature | undefined {
  const line = (
    kind: string,
    kindDetail: string | undefined,
    minZoom: number,
    rank: number,
    details: (zoom: number) => Record<string, Value | undefined>,
  ): BasemapFeature => {
    const bridge = isSet(tags.bridge);
    const tunnel = isSet(tags.tunnel) || tags.covered === "yes";
    const base = { kind, kind_detail: kindDetail, sort_rank: rank };
    const make = (zoom: number): Properties =>
      properties({
        ...base,
        ...(zoom >= 12 && { is_bridge: bridge || undefined, is_tunnel: tunnel || undefined }),
        ...details(zoom),
      });
    return {
      layer: "roads",
      type: LINE,
      parts,
      minZoom,
      properties: make,
      order: rank + LEVEL * (bridge ? Math.max(1, levelOf(tags)) : tunnel ? Math.min(-1, levelOf(tags)) : 0),
    };
  };
  const named = (from: number) => (zoom: number) => (zoom >= from ? namesOf(tags) : {});

  const { highway, railway, aeroway, aerialway } = tags;
  if (highway && tags.area !== "yes") {
    const known = HIGHWAYS[highway];
    if (!known) return undefined;
    const minor = tags.service === "driveway" || tags.service === "parking_aisle" || tags.footway !== undefined;
    const shield = shieldOf(tags);
    return line(known.kind, highway, minor ? 14 : known.minZoom, known.rank, (zoom) => ({
      is_link: highway.endsWith("_link") || undefined,
      ...(zoom >= known.namesFrom && namesOf(tags)),
      ...(zoom >= known.shieldFrom && shield),
      ...(zoom >= 13 && { service: tags.service }),
      ...(zoom >= 14 && { oneway: onewayOf(tags) }),
    }));
  }
  if (railway && RAILWAYS[railway]) {
    const [minZoom, rank] = RAILWAYS[railway];
    return line("rail", railway, tags.service ? 13 : minZoom, tags.service ? rank - 20 : rank, (zoom) => ({
      ...(zoom >= 13 && { service: tags.service }),
      ...(zoom >= 14 && namesOf(tags)),
    }));
  }
  if (tags.route === "ferry") return line("ferry", undefined, 9, 280, named(12));
  if (aeroway === "runway") return line("aeroway", aeroway, 10, 150, (zoom) => (zoom >= 13 ? { ref: tags.ref } : {}));
  if (aeroway === "taxiway") return line("aeroway", aeroway, 11, 149, (zoom) => (zoom >= 14 ? { ref: tags.ref } : {}));
  if (aerialway && AERIALWAYS.has(aerialway)) return line("aerialway", aerialway, 12, 420, named(13));
  if (tags.man_made === "pier") return line("path", "pier", 13, 90, named(14));
  return undefined;
}

const isSet = (value: string | undefined) => value !== undefined && value !== "no";

function levelOf(tags: Tags): number {
  const level = Number(tags.layer);
  return Number.isInteger(level) && Math.abs(level) <= 5 ? level : 0;
}

/** "yes" along the line, "-1" against it. */
function onewayOf(tags: Tags): string | undefined {
  const { oneway } = tags;
  if (oneway === "yes" || oneway === "1" || oneway === "true") return "yes";
  if (oneway === "-1" || oneway === "reverse") return "-1";
  if (oneway === undefined && (tags.highway === "motorway" || tags.junction === "roundabout")) return "yes";
  return undefined;
}

/** Longer numbers do not fit a shield. */
const LONGEST_SHIELD = 8;

/** The road's number for a shield, and whose it is: "I 5" is 5 of US:I, "US 101" is 101 of US:US. */
function shieldOf({ ref }: Tags): Record<string, Value | undefined> {
  const first = ref?.split(";")[0].trim();
  if (!first) return {};
  const american = /^(I|US)[ -](\d+[A-Z]?)$/.exec(first);
  const text = american ? american[2] : first.replace(/\s+/g, "");
  if (text.length > LONGEST_SHIELD) return { ref: first };
  return { ref: first, shield_text: text, network: american ? `US:${american[1]}` : "other" };
}
