import type { Properties, Value } from "../../../../core/maps/tiles/mvt.ts";
import { tableOf } from "../../../common/own-table.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, LINE, properties } from "./feature.ts";
import { namesOf } from "./names.ts";
import type { WayRoute } from "./way-routes.ts";

/**
 * A road on the map: its kind, its first zoom, the first zoom of its name and number, and its place in the
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

const HIGHWAYS = tableOf<RoadClass>({
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
});

const RAILWAYS = tableOf<[minZoom: number, rank: number]>({
  rail: [8, 290],
  narrow_gauge: [10, 289],
  preserved: [11, 288],
  light_rail: [11, 287],
  subway: [12, 286],
  monorail: [12, 286],
  funicular: [12, 286],
  tram: [13, 285],
  miniature: [14, 284],
});

const AERIALWAYS = new Set(["cable_car", "gondola", "mixed_lift", "chair_lift", "drag_lift", "t-bar", "funicular"]);

/** Roads over or under others are drawn after or before them, whatever their class. */
const LEVEL = 1000;

type MakeLine = (
  kind: string,
  kindDetail: string | undefined,
  minZoom: number,
  rank: number,
  details: (zoom: number) => Record<string, Value | undefined>,
) => BasemapFeature;

/** A line that one may travel: road, path, railway, ferry, runway, cable car, pier. undefined for any other. */
export function roadFeature(
  tags: Tags,
  parts: number[][],
  routes: readonly WayRoute[] = [],
): BasemapFeature | undefined {
  const line: MakeLine = (...line) => lineFeature(tags, parts, ...line);
  const named = (from: number) => (zoom: number) => (zoom >= from ? namesOf(tags) : {});

  const { highway, railway, aeroway, aerialway } = tags;
  if (highway && tags.area !== "yes") return highwayFeature(highway, tags, routes, line);
  if (railway && RAILWAYS[railway]) {
    const [minZoom, rank] = RAILWAYS[railway];
    const lineOf = transitOf(routes);
    return line("rail", railway, tags.service ? 13 : minZoom, tags.service ? rank - 20 : rank, (zoom) => ({
      ...lineOf,
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

function lineFeature(
  tags: Tags,
  parts: number[][],
  ...[kind, kindDetail, minZoom, rank, details]: Parameters<MakeLine>
): BasemapFeature {
  const bridge = isSet(tags.bridge);
  const covered = isCovered(tags);
  const tunnel = isSet(tags.tunnel) || covered;
  const base = { kind, kind_detail: kindDetail, sort_rank: rank };
  const make = (zoom: number): Properties =>
    properties({
      ...base,
      ...(zoom >= 12 && { is_bridge: bridge || undefined, is_tunnel: tunnel || undefined }),
      ...(zoom >= 14 && { is_covered: covered || undefined }),
      ...details(zoom),
    });
  return {
    layer: "roads",
    type: LINE,
    parts,
    minZoom,
    properties: make,
    order: rank + LEVEL * (bridge ? Math.max(1, levelOf(tags)) : tunnel && !covered ? Math.min(-1, levelOf(tags)) : 0),
  };
}

function highwayFeature(
  highway: string,
  tags: Tags,
  routes: readonly WayRoute[],
  line: MakeLine,
): BasemapFeature | undefined {
  const known = HIGHWAYS[highway];
  if (!known) return undefined;
  const along = alongRoad(tags);
  const minor = tags.service === "driveway" || tags.service === "parking_aisle" || tags.footway !== undefined;
  const shield = shieldOf(tags, routes);
  const isAlley = (highway === "footway" || highway === "path") && tags.name !== undefined && PAVED.has(tags.surface);
  const minZoom = along ? 15 : minor ? 14 : known.minZoom;
  return line(known.kind, along ?? highway, minZoom, known.rank, (zoom) => ({
    ...(zoom >= 14 && { is_paved: isAlley || undefined }),
    is_link: highway.endsWith("_link") || undefined,
    ...(zoom >= known.namesFrom && namesOf(tags)),
    ...(zoom >= known.shieldFrom && shield),
    ...(zoom >= 13 && { service: tags.service }),
    // Arrows begin at zoom 18.
    ...(zoom >= 15 && { oneway: onewayOf(tags) }),
  }));
}

const isSet = (value: string | undefined) => value !== undefined && value !== "no";

/** Open at a side or both ends, with the street's name: arcades, galleries, passages through buildings. */
const isCovered = ({ tunnel, covered }: Tags): boolean =>
  tunnel === "building_passage" || covered === "yes" || covered === "arcade" || covered === "colonnade";

/** Surfaces of streets on foot in towns: a named footway with one of them is an alley, not a trail. */
const PAVED: ReadonlySet<string | undefined> = new Set([
  ...["paved", "asphalt", "concrete", "concrete:plates", "paving_stones", "paving_stones:30", "sett", "cobblestone"],
  ...["unhewn_cobblestone", "bricks", "brick", "stone", "tiles", "granite", "marble", "wood"],
]);

/**
 * Footways that are a part of a road, with the schema's own details: pavements and crossings. A crossing without markings looks as the
 * pavement does.
 */
function alongRoad({ highway, footway, path, cycleway, ...tags }: Tags): "sidewalk" | "crossing" | undefined {
  if (highway !== "footway" && highway !== "path" && highway !== "cycleway") return undefined;
  const part = footway ?? path ?? cycleway;
  if (part === "sidewalk") return "sidewalk";
  if (part !== "crossing") return undefined;
  return tags.crossing === "unmarked" || tags["crossing:markings"] === "no" ? "sidewalk" : "crossing";
}

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
const MAX_SHIELD_CHARACTERS = 8;

/** State routes are written with the state's code and a blank; with a hyphen "CA-34" is a road of Spain. */
const STATES =
  "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC";
const STATE_ROUTE = new RegExp(`^(${STATES}) (\\d+[A-Z]?)$`);

/**
 * The road's number for a shield, and whose it is: "I 5" is 5 of US:I, "US 101" is 101 of US:US, "NY 9A" is 9A of US:NY. What the way leaves
 * open its routes say: "82" or "SR 82" is 82 of US:CA on a route of that network, "E 45" a European road. A way without a number has that of
 * its first route.
 */
export function shieldOf({ ref }: Tags, routes: readonly WayRoute[]): Record<string, Value | undefined> {
  const first = ref?.split(";")[0].trim();
  const roads = routes.filter(({ network }) => network !== undefined).sort(byNetwork);
  if (!first) return roads.length > 0 ? shield(roads[0].ref, roads[0].ref, roads[0].network) : {};
  const american = /^(I|US)[ -](\d+[A-Z]?)$/.exec(first) ?? STATE_ROUTE.exec(first);
  if (american) return shield(first, american[2], `US:${american[1]}`);
  const route = roads.find((one) => isSameNumber(first, one));
  if (!route) return shield(first, first, "other");
  return shield(first, isAmerican(route) ? route.ref : first, route.network);
}

function shield(ref: string, number: string, network = "other"): Record<string, Value | undefined> {
  const text = number.replace(/\s+/g, "");
  return text.length > MAX_SHIELD_CHARACTERS ? { ref } : { ref, shield_text: text, network };
}

const isAmerican = ({ network }: WayRoute) => network?.startsWith("US:") === true;

/** "A5" is "A 5"; a state's road is written with many prefixes: "SR 82", "M-22", "Route 9". */
function isSameNumber(ref: string, route: WayRoute): boolean {
  const [way, its] = [ref, route.ref].map((text) => text.replace(/[\s.-]+/g, "").toUpperCase());
  return way === its || (isAmerican(route) && way.endsWith(its) && /^[A-Z]*$/.test(way.slice(0, -its.length)));
}

/** Of several the one that signs show largest; among equals the shorter number, so that the order of relations does not count. */
function byNetwork(a: WayRoute, b: WayRoute): number {
  return rankOf(a) - rankOf(b) || a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1);
}

function rankOf({ network }: WayRoute): number {
  if (network === "US:I") return 0;
  if (network === "US:US") return 1;
  return network === "e-road" ? 3 : 2;
}

/** The line that runs along a track: the first by its name, where several do. */
function transitOf(routes: readonly WayRoute[]): Record<string, Value | undefined> {
  const lines = routes.filter(({ colour }) => colour !== undefined);
  const names = [...new Set(lines.map(({ ref }) => ref))].filter(Boolean).sort();
  const first = lines.sort((a, b) => (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : 0))[0];
  return first ? { colour: first.colour, ref: names.slice(0, MAX_LINES).join(" ") || undefined } : {};
}

const MAX_LINES = 4;
