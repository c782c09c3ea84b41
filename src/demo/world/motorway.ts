import type { Tags } from "../../importer/osm/pbf/element.ts";
import type { Arterial } from "./arterial.ts";
import { type LinePlan, MOTORWAY_AT, type Side, sideOf, speedTag, TOWNSHIP } from "./layout.ts";
import { type PlanPoint, smooth, walk } from "./plane.ts";
import { box } from "./shapes.ts";
import type { Draft, MutableTags } from "./sheet.ts";
import type { Site } from "./site.ts";

/** Half the distance between the carriageways, and how far out ramps meet the crossing road [metres]. */
const HALF_MEDIAN = 14;
const RAMP_OUT = 75;
/** Where ramps leave the motorway, before the crossing. */
const RAMP_BACK = 290;

export const CARRIAGEWAYS: readonly number[] = [MOTORWAY_AT - HALF_MEDIAN, MOTORWAY_AT + HALF_MEDIAN];

const REFS: Record<Side, string> = { US: "I 949", CA: "AB 94" };
const NETWORKS: Record<Side, Tags> = { US: { network: "US:I", ref: "949" }, CA: { network: "CA:AB", ref: "94" } };
const NAMES: Record<Side, string> = { US: "Parallel Freeway", CA: "Queen Ada Highway" };

/**
 * A motorway from south to north through the township, northbound to the east. Crossing roads pass over it;
 * interchanges are diamonds.
 *
 *        │ │                 ▲ entry
 *       ╱│ │╲
 *     ─o─┼─┼─o─ crossing road on a bridge
 *       ╲│ │╱
 *        │ │                 ▲ exit
 */
export function motorway(site: Site, v0: number, crossings: readonly { plan: LinePlan; road: Arterial }[]): void {
  for (const { road } of crossings) {
    road.stretch(MOTORWAY_AT - 40, MOTORWAY_AT + 40, { bridge: "yes", layer: "1" });
  }
  verges(site, v0);
  if (v0 < 0 && v0 + TOWNSHIP > 0) services(site);
  const interchanges = crossings.filter(({ plan }) => plan.interchange).map(({ road }) => road);
  for (const heading of [1, -1] as const) {
    const u = MOTORWAY_AT + heading * HALF_MEDIAN;
    const exits = interchanges.map(({ at }) => at - heading * RAMP_BACK);
    const entries = interchanges.map(({ at }) => at + heading * RAMP_BACK);
    carriageway(site, u, v0, heading, exits, entries);
    for (const road of interchanges) ramps(site, u, heading, road);
  }
}

/** The customs houses on both sides of the border, and a rest area in the north. */
function services(site: Site): void {
  for (const [side, v] of [
    ["US", -36],
    ["CA", 36],
  ] as const) {
    const name = `${site.towns[side]} Customs House`;
    site.sheet.area(box([MOTORWAY_AT + 48, v], 44, 30), { amenity: "customs", building: "government", name });
  }
  site.sheet.fresh([MOTORWAY_AT + 90, 1050], { highway: "rest_area", name: "Skylark Rest Area" });
}

/** Verges of the motorway, mown. */
function verges(site: Site, v0: number): void {
  const edges = v0 < 0 && v0 + TOWNSHIP > 0 ? [v0, -1548, -1312, -72, 72, v0 + TOWNSHIP] : [v0, v0 + TOWNSHIP];
  for (let i = 0; i < edges.length; i += 2) {
    const west = [
      [MOTORWAY_AT - 138, edges[i]] as const,
      ...walk([MOTORWAY_AT - 138, edges[i]], [MOTORWAY_AT - 138, edges[i + 1]], 100),
    ];
    const east = west.map(([, v]): PlanPoint => [MOTORWAY_AT + 138, v]).reverse();
    site.sheet.area([...west, ...east], { landuse: "grass" });
  }
}

function carriageway(site: Site, u: number, v0: number, heading: 1 | -1, exits: number[], entries: number[]): void {
  const ends = [v0, v0 + TOWNSHIP];
  const stops = new Set([...ends, ...exits, ...entries, ...exits.map((v) => v - heading * 200)]);
  const border = v0 < 0 && v0 + TOWNSHIP > 0;
  if (border) for (const v of [-250, 0, 250]) stops.add(v);
  const river = border ? [-1510, -1350] : [];
  for (const v of river) stops.add(v);
  const along = [...stops].sort((a, b) => (a - b) * heading);
  const pieces: Record<Side, Draft[]> = { US: [], CA: [] };
  for (let i = 1; i < along.length; i++) {
    const [from, to] = [along[i - 1], along[i]];
    const middle = (from + to) / 2;
    const side = sideOf(middle);
    const nearBorder = border && Math.abs(middle) < 250;
    const tags: MutableTags = {
      highway: "motorway",
      oneway: "yes",
      ref: REFS[side],
      name: NAMES[side],
      lanes: "2",
      maxspeed: speedTag(side, nearBorder ? 30 : 110),
      surface: "asphalt",
    };
    if (exits.includes(to)) Object.assign(tags, { lanes: "3", "turn:lanes": "through|through|slight_right" });
    if (border && middle < -1350 && middle > -1510) Object.assign(tags, { bridge: "yes", layer: "1" });
    pieces[side].push(site.sheet.road([[u, from], ...walk([u, from], [u, to], 90)], tags));
  }
  for (const side of ["US", "CA"] as const) {
    const members = pieces[side].map((draft) => ({ draft, role: heading === 1 ? "north" : "south" }));
    if (members.length > 0) site.sheet.relation(members, { type: "route", route: "road", ...NETWORKS[side] });
  }
  if (border) site.sheet.node([u, 0], { barrier: "border_control", name: "Meridale Crossing" });
}

function ramps(site: Site, u: number, heading: 1 | -1, road: Arterial): void {
  const side = sideOf(road.at);
  const out = u + heading * RAMP_OUT;
  const foot = road.attach(out);
  if (!foot) return;
  const ref = exitNumber(road.at, side);
  site.sheet.node([u, road.at - heading * RAMP_BACK], { highway: "motorway_junction", ref, name: road.names[side] });
  const link: MutableTags = {
    highway: "motorway_link",
    oneway: "yes",
    lanes: "1",
    maxspeed: speedTag(side, 60),
    surface: "asphalt",
  };
  const exit = smooth(
    [
      [u, road.at - heading * RAMP_BACK],
      [u + heading * 30, road.at - heading * 190],
      [out - heading * 4, road.at - heading * 70],
      foot,
    ] as PlanPoint[],
    4,
  );
  site.sheet.road(exit, { ...link, destination: `${road.names[side]};${site.towns[side]}`, "junction:ref": ref });
  const entry = smooth(
    [
      foot,
      [out - heading * 4, road.at + heading * 70],
      [u + heading * 30, road.at + heading * 190],
      [u, road.at + heading * RAMP_BACK],
    ] as PlanPoint[],
    4,
  );
  const ahead: Side = heading > 0 ? "CA" : "US";
  site.sheet.road(entry, {
    ...link,
    "destination:ref": REFS[side],
    destination: ahead === side ? site.towns[side] : "Border",
  });
  // Ramps end at lights; straight over from the exit to the entry is possible, but no one does.
  site.sheet.node(foot, { highway: "traffic_signals" });
}

/** Exits are numbered by miles in the south and kilometres in the north; letters part those on one mark. */
function exitNumber(v: number, side: Side): string {
  const unit = side === "US" ? 1609.344 : 1000;
  const mark =
    (side === "US" ? 397 : 0) + Math.floor(Math.abs(v) / unit) * (side === "US" ? -1 : 1) + (side === "CA" ? 1 : 0);
  return Math.abs(v) % unit > unit / 2 ? `${mark}B` : `${mark}A`;
}
