import type { NodeRecord, RoadRecord, RoadSigns } from "../../../../core/routing/graph/road-record.ts";
import type { RoadClass } from "../../../../core/routing/guidance/types.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { exitOf, signpost, turnLanesOf } from "./signposts.ts";
import { directed, directedValue, parseSpeed } from "./tag-values.ts";

const CLASSES: Readonly<Record<string, RoadClass>> = {
  motorway: "motorway",
  trunk: "trunk",
  primary: "primary",
  secondary: "secondary",
  tertiary: "tertiary",
  unclassified: "unclassified",
  road: "unclassified",
  residential: "residential",
  living_street: "living_street",
  service: "service",
  busway: "service",
  track: "track",
  cycleway: "cycleway",
  path: "path",
  bridleway: "path",
  footway: "footway",
  pedestrian: "footway",
  platform: "footway",
  corridor: "footway",
  elevator: "footway",
  steps: "steps",
};
const MAXSPEED = ["maxspeed"];
const MINOR_SERVICES = new Set(["driveway", "parking", "parking_aisle", "alley", "drive-through", "drive-thru"]);

function roadClass(tags: Tags): RoadClass {
  if (tags.route === "ferry") return "ferry";
  const highway = tags.highway ?? "";
  return CLASSES[highway.replace(/_link$/, "")] ?? (tags.highway ? "path" : "footway");
}

/** The record of a way; `oneway`: the only direction that vehicles take, where there is only one. */
export function roadRecord(tags: Tags, oneway: "forward" | "backward" | undefined): RoadRecord {
  const record: RoadRecord = { class: roadClass(tags) };
  const name = tags.name ?? tags["bridge:name"] ?? tags["tunnel:name"] ?? streetBeside(tags);
  if (name) record.name = name;
  if (tags.ref) record.ref = tags.ref;
  if (tags.highway?.endsWith("_link")) record.link = true;
  if (tags.junction === "roundabout" || tags.junction === "circular") record.junction = tags.junction;
  if (MINOR_SERVICES.has(tags.service)) record.minor = true;
  if (tags.tunnel && tags.tunnel !== "no") record.tunnel = true;
  if (tags.bridge && tags.bridge !== "no") record.bridge = true;
  if (tags.surface) record.surface = tags.surface;
  const forward = signs(tags, "forward", oneway);
  const backward = signs(tags, "backward", oneway);
  if (Object.keys(forward).length > 0) record.forward = forward;
  if (Object.keys(backward).length > 0) record.backward = backward;
  return record;
}

/** A nameless walk or cycleway next to a street is called after the street. */
function streetBeside(tags: Tags): string | undefined {
  const alongside = tags.footway === "sidewalk" || tags.cycleway === "sidepath" || tags.is_sidepath === "yes";
  const path = tags.highway === "footway" || tags.highway === "cycleway" || tags.highway === "path";
  return alongside && path ? (tags["is_sidepath:of:name"] ?? tags["street:name"]) : undefined;
}

function signs(tags: Tags, direction: "forward" | "backward", oneway: string | undefined): RoadSigns {
  if (oneway !== undefined && oneway !== direction) return {};
  const plain = oneway === direction;
  const signs: RoadSigns = signpost(tags, direction, plain);
  const turnLanes = turnLanesOf(tags, direction, plain);
  if (turnLanes) signs.turnLanes = turnLanes;
  const all = Number.parseInt(tags.lanes ?? "", 10);
  const own = Number.parseInt(tags[directed("lanes", direction)] ?? "", 10);
  const lanes = own > 0 ? own : plain ? all : Math.floor(all / 2);
  if (lanes > 0 && lanes < 100) signs.lanes = lanes;
  const limit = parseSpeed(directedValue(tags, MAXSPEED, direction));
  if (limit !== undefined && limit > 0 && tags.maxspeed !== "none") signs.speedLimit = Math.round(limit);
  return signs;
}

/** The record of a node; undefined for an ordinary one. */
export function nodeRecord(tags: Tags): NodeRecord | undefined {
  const record: NodeRecord = {};
  if (tags.highway === "traffic_signals") {
    record.trafficSignal = true;
    if (tags.name) record.name = tags.name;
  }
  if (tags.highway === "mini_roundabout") record.miniRoundabout = true;
  if (tags.highway === "motorway_junction") Object.assign(record, exitOf(tags));
  return Object.keys(record).length > 0 ? record : undefined;
}
