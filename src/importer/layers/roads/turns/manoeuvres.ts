import type { StatedManeuver } from "../../../../core/routing/guidance/maneuver.ts";
import type { OsmRelation } from "../../../osm/pbf/element.ts";
import { type PieceView, resolveRestrictions } from "./resolve-restrictions.ts";
import type { Restriction } from "./restrictions.ts";

/** The spellings of the type, and of the tag that names the maneuver. */
export const MANOEUVRES = ["manoeuvre", "maneuver", "maneuvre"] as const;

/**
 * What a mapper states of the maneuver at a junction where its shape misleads (OpenStreetMap wiki, Relation:manoeuvre): the ways
 * of the path, and the node on it where the maneuver is announced.
 */
export interface Manoeuvre {
  id: number;
  from: number[];
  viaWays: number[];
  viaNode: number;
  to: number[];
  stated: StatedManeuver;
}

const TYPES: Readonly<Record<string, StatedManeuver["type"]>> = {
  turn: "turn",
  uturn: "turn",
  continue: "continue",
  merge: "merge",
  fork: "fork",
  on_ramp: "on ramp",
  ramp: "on ramp",
  off_ramp: "off ramp",
  exit: "off ramp",
  new_name: "new name",
  end_of_road: "end of road",
  suppress: "suppressed",
};

/** OSRM's words, and those of the key turn. */
const DIRECTIONS: Readonly<Record<string, StatedManeuver["modifier"]>> = {
  uturn: "uturn",
  reverse: "uturn",
  sharp_right: "sharp right",
  right: "right",
  slight_right: "slight right",
  straight: "straight",
  through: "straight",
  slight_left: "slight left",
  left: "left",
  sharp_left: "sharp left",
};

/** Undefined where the relation is none, or lacks a member or a value that is known. */
export function parseManoeuvre({ id, tags, members }: OsmRelation): Manoeuvre | undefined {
  if (!MANOEUVRES.some((type) => type === tags.type)) return undefined;
  const value = MANOEUVRES.map((key) => tags[key]).find((text) => text) ?? "";
  const direction = tags.direction === "suppress" ? "suppress" : "";
  const type = TYPES[plain(direction || value)];
  const modifier = DIRECTIONS[plain(value)] ?? DIRECTIONS[plain(tags.direction ?? "")];
  const ways = (role: string) => members.filter((one) => one.type === "way" && one.role === role).map(({ ref }) => ref);
  const nodes = members.filter((one) => one.type === "node" && one.role === "via");
  const [from, viaWays, to] = [ways("from"), ways("via"), ways("to")];
  if ((!type && !modifier) || nodes.length !== 1 || from.length === 0 || to.length === 0) return undefined;
  return {
    id,
    from,
    viaWays,
    viaNode: nodes[0].ref,
    to,
    stated: { ...(type && { type }), ...(modifier && { modifier }) },
  };
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll(/[ -]/g, "_");

/** The paths of a manoeuvre as directed edges, and which turn of each is the stated one. */
export function pathsOf(
  { from, viaWays, viaNode, to, stated: { modifier } }: Manoeuvre,
  view: PieceView,
  headOf: (edge: number) => number,
): { path: readonly number[]; turn: number }[] {
  const side = modifier?.includes("left") ? "left" : modifier?.includes("right") ? "right" : undefined;
  const road = { only: false, uTurn: modifier === "uturn", modes: 15, from, to, viaWays };
  const restriction: Restriction = viaWays.length > 0 ? road : { ...road, viaNode, ...(side && { side }) };
  const node = view.nodeOf(viaNode);
  return resolveRestrictions([restriction], view).paths.flatMap(({ path }) => {
    const turn = path.slice(0, -1).findIndex((edge) => headOf(edge) === node);
    return turn < 0 ? [] : [{ path, turn }];
  });
}
