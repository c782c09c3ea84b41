import type { OsmMember, OsmNode, OsmRelation, OsmWay, Tags } from "../../importer/osm/pbf/element.ts";
import { columnPlan, RAIL_AT, rowPlan, type Side, TOWNSHIP, type Township } from "./layout.ts";
import { CARRIAGEWAYS } from "./motorway.ts";
import { COUNTY_WORDS, postalArea, type TownName, townName } from "./names.ts";
import { type Plane, type PlanPoint, walk } from "./plane.ts";
import { random } from "./random.ts";
import type { Drawing } from "./sheet.ts";
import { STATES } from "./site.ts";

/**
 * Shared by all townships: the gates where roads go from one to the next, and the boundaries, whose ways serve the areas
 * on both sides. Ids below a million are for these.
 *
 *     gates      1 + (edge of township) × 16 + line
 *     places     90,000 + township × 2 + side
 *     corners    100,000 + …, points of boundary ways 200,000 + …
 */
const HALF = TOWNSHIP / 2;
const PLACES = 90_000;
const CORNERS = 100_000;
const EDGE_POINTS = 200_000;
/** A boundary way that the extract does not hold: countries continue beyond it. */
const BEYOND = 900_001;

export function gatesOf({ cx, cy }: Pick<Township, "cx" | "cy">): { id: number; at: PlanPoint }[] {
  const edge = (x: number, y: number, upright: number) => 1 + (((x + 16) * 32 + y + 16) * 2 + upright) * 16;
  const us = columnPlan(cx).lines.map(({ at }) => at);
  if (cx === 0) us.push(...CARRIAGEWAYS, RAIL_AT);
  const vs = rowPlan(cy).lines.map(({ at }) => at);
  const [u, v] = [cx * TOWNSHIP, cy * TOWNSHIP];
  return [
    ...us.flatMap((at, i) => [
      { id: edge(cx, cy - 1, 0) + i, at: [u + at, v - HALF] as const },
      { id: edge(cx, cy, 0) + i, at: [u + at, v + HALF] as const },
    ]),
    ...vs.flatMap((at, i) => [
      { id: edge(cx - 1, cy, 1) + i, at: [u - HALF, v + at] as const },
      { id: edge(cx, cy, 1) + i, at: [u + HALF, v + at] as const },
    ]),
  ];
}

/** A township on the border has a town on each side, the others have one. */
export function townOf(seed: number, { index, cy }: Pick<Township, "index" | "cy">, side: Side): TownName {
  return townName(seed, index, cy === 0 ? side : "US");
}

/** Postal areas divide a township into a western and an eastern half, on each side of the border. */
export function postalAreaAt({ index, cx }: Township, u: number, v: number): string {
  return postalArea(v < 0 ? "US" : "CA", index * 2 + (u < cx * TOWNSHIP ? 0 : 1));
}

/** A quarter of a township, the grain of all boundaries. Row 1 starts on the 49th parallel. */
interface Quarter {
  qx: number;
  qy: number;
  township: Township;
}

const sideOfQuarter = ({ qy }: Quarter): Side => (qy >= 1 ? "CA" : "US");

interface Edge {
  i: number;
  j: number;
  upright: boolean;
}

const edgeIndex = ({ i, j, upright }: Edge) => ((i + 64) * 128 + j + 64) * 2 + (upright ? 1 : 0);
const cornerId = (i: number, j: number) => CORNERS + (i + 64) * 128 + j + 64;
const cornerAt = (i: number, j: number): PlanPoint => [(i - 1) * HALF, (j - 1) * HALF];

interface Area {
  id: number;
  tags: Tags;
  quarters: Quarter[];
  label?: number;
  /** Only these edges are in the extract; the rest is beyond. */
  partial?: (edge: Edge) => boolean;
}

/** Gates, place nodes and boundaries of a world. */
export function drawFrame(seed: number, plane: Plane, townships: readonly Township[]): Drawing {
  const nodes = new Map<number, OsmNode>();
  const put = (id: number, at: PlanPoint, tags: Tags = {}) => {
    if (!nodes.has(id)) nodes.set(id, { type: "node", id, ...plane.locate(at), tags });
  };
  for (const township of townships) for (const { id, at } of gatesOf(township)) put(id, at);
  for (const township of townships) for (const place of placeNodes(seed, township)) put(place.id, place.at, place.tags);

  const areas = areasOf(seed, townships);
  const levels = new Map<number, { edge: Edge; level: number }>();
  const relations: OsmRelation[] = areas.map(({ id, tags, quarters, label, partial }) => {
    const edges = outline(quarters).filter((edge) => partial?.(edge) ?? true);
    const level = Number(tags.admin_level ?? 99);
    for (const edge of edges) {
      const key = edgeIndex(edge);
      levels.set(key, { edge, level: Math.min(level, levels.get(key)?.level ?? 99) });
    }
    const members: OsmMember[] = edges.map((edge) => ({ type: "way", ref: 1 + edgeIndex(edge), role: "outer" }));
    if (partial) members.push({ type: "way", ref: BEYOND, role: "outer" });
    if (label !== undefined) members.push({ type: "node", ref: label, role: "label" });
    return { type: "relation", id, members, tags };
  });

  const ways: OsmWay[] = [];
  for (const [index, { edge, level }] of [...levels].sort(([a], [b]) => a - b)) {
    const { i, j, upright } = edge;
    const [from, to] = [cornerAt(i, j), upright ? cornerAt(i, j + 1) : cornerAt(i + 1, j)];
    const refs = [cornerId(i, j)];
    put(refs[0], from);
    walk(from, to, 200)
      .slice(0, -1)
      .forEach((at, k) => {
        const id = EDGE_POINTS + index * 16 + k;
        put(id, at);
        refs.push(id);
      });
    const end = upright ? cornerId(i, j + 1) : cornerId(i + 1, j);
    put(end, to);
    refs.push(end);
    const tags: Tags =
      level < 99 ? { boundary: "administrative", admin_level: `${level}` } : { boundary: "postal_code" };
    ways.push({ type: "way", id: 1 + index, refs, tags });
  }
  return {
    nodes: [...nodes.values()].sort((a, b) => a.id - b.id),
    ways,
    relations: relations.sort((a, b) => a.id - b.id),
  };
}

/** Edges that belong to one quarter of the set only. */
function outline(quarters: readonly Quarter[]): Edge[] {
  const seen = new Map<number, Edge | undefined>();
  for (const { qx, qy } of quarters) {
    const own: Edge[] = [
      { i: qx, j: qy, upright: false },
      { i: qx + 1, j: qy, upright: true },
      { i: qx, j: qy + 1, upright: false },
      { i: qx, j: qy, upright: true },
    ];
    for (const edge of own) seen.set(edgeIndex(edge), seen.has(edgeIndex(edge)) ? undefined : edge);
  }
  return [...seen].sort(([a], [b]) => a - b).flatMap(([, edge]) => (edge ? [edge] : []));
}

const COUNTRIES: Record<Side, Tags> = {
  US: {
    name: "United States",
    "name:de": "Vereinigte Staaten",
    "name:es": "Estados Unidos",
    "name:fr": "États-Unis",
    "name:ja": "アメリカ合衆国",
    "ISO3166-1": "US",
    "ISO3166-1:alpha2": "US",
  },
  CA: {
    name: "Canada",
    "name:de": "Kanada",
    "name:es": "Canadá",
    "name:fr": "Canada",
    "name:ja": "カナダ",
    "ISO3166-1": "CA",
    "ISO3166-1:alpha2": "CA",
  },
};

function areasOf(seed: number, townships: readonly Township[]): Area[] {
  const quarters = townships.flatMap((township): Quarter[] =>
    [0, 1, 2, 3].map((n) => ({ qx: township.cx * 2 + (n % 2), qy: township.cy * 2 + (n >> 1), township })),
  );
  const administrative = (admin_level: string, tags: Tags): Tags => ({
    type: "boundary",
    boundary: "administrative",
    admin_level,
    ...tags,
  });
  const areas: Area[] = [];
  for (const [s, side] of (["US", "CA"] as const).entries()) {
    const own = quarters.filter((quarter) => sideOfQuarter(quarter) === side);
    const state = STATES[side];
    areas.push({
      id: 1 + s,
      tags: administrative("2", COUNTRIES[side]),
      quarters: own,
      partial: ({ j, upright }) => j === 1 && !upright,
    });
    areas.push({
      id: 3 + s,
      tags: administrative("4", { name: state.name, ref: state.code, "ISO3166-2": `${side}-${state.code}` }),
      quarters: own,
    });
    for (const [key, list] of groupBy(own, ({ township: { cx, cy } }) => countyNumber(cx, cy))) {
      const word = COUNTY_WORDS[random(seed, "counties").below(COUNTY_WORDS.length - 200) + key * 2 + s];
      const tags: Tags =
        side === "US"
          ? { name: `${word} County`, "nist:fips_code": `30${901 + (key % 98)}` }
          : { name: `Municipal District of ${word}` };
      areas.push({ id: 100 + key * 2 + s, tags: administrative("6", tags), quarters: list });
    }
    for (const [index, list] of groupBy(own, ({ township }) => township.index)) {
      const { name, more } = townOf(seed, list[0].township, side);
      const label = PLACES + index * 2 + s;
      areas.push({
        id: 10_000 + index * 2 + s,
        tags: administrative("8", { name, ...more, place: "town" }),
        quarters: list,
        label,
      });
    }
    for (const [k, list] of groupBy(own, ({ township, qx }) => township.index * 2 + (qx & 1))) {
      const code = postalArea(side, k);
      areas.push({
        id: 20_000 + k * 2 + s,
        tags: { type: "boundary", boundary: "postal_code", postal_code: code, name: code },
        quarters: list,
      });
    }
  }
  return areas;
}

/** Counties are blocks of three by three townships. */
function countyNumber(cx: number, cy: number): number {
  return (Math.floor((cx + 1) / 3) + 4) * 9 + Math.floor((cy + 1) / 3) + 4;
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function placeNodes(seed: number, { index, cx, cy }: Township): { id: number; at: PlanPoint; tags: Tags }[] {
  const draw = random(seed, "population", index);
  const [u, v] = [cx * TOWNSHIP, cy * TOWNSHIP];
  const sides: [Side, number, number][] =
    cy === 0
      ? [
          ["US", 0, v - 900],
          ["CA", 1, v + 380],
        ]
      : [cy < 0 ? ["US", 0, v] : ["CA", 1, v]];
  return sides.map(([side, s, at]) => {
    const { name, more } = townOf(seed, { index, cy }, side);
    const population = index === 0 ? [48_200, 23_900][s] : 4000 + draw.below(18_000);
    const place = index === 0 && side === "US" ? "city" : "town";
    return {
      id: PLACES + index * 2 + s,
      at: [u - 380, at],
      tags: { place, name, ...more, population: `${population}` },
    };
  });
}
