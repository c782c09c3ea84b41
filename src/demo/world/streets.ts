import { sideOf, speedTag } from "./layout.ts";
import type { StreetName } from "./names.ts";
import { type PlanPoint, smooth, walk } from "./plane.ts";
import type { Draft, MutableTags } from "./sheet.ts";
import type { Cell, Site } from "./site.ts";

/** A street inside a cell, as houses see it. */
export interface Street {
  name: string;
  points: PlanPoint[];
  draft?: Draft;
  /** Sides with houses as you walk: 1 right, -1 left; both when absent. */
  hands?: readonly (1 | -1)[];
  /** The first house number, where it is not free to choose. */
  base?: number;
}

interface GridStyle {
  /** Usual distance between streets [metres]: of those that run north, and of those that run east. */
  across: number;
  along: number;
  /** Neighbouring streets are one-way in turn. */
  oneways?: boolean;
  alleys?: boolean;
  nameOf?: (index: number, axis: "ns" | "ew") => StreetName;
}

/**
 * A grid of streets between the arterials of a cell. Where a side has no arterial the outermost street closes the grid.
 *
 *     ═╪══╪══╪═ north arterial
 *      │  ┆  │
 *     ─┼──┼──┼─      ┆ an alley
 *      │  ┆  │
 *     ─┴──┴──┴─ no arterial
 */
export function gridStreets(site: Site, cell: Cell, style: GridStyle): Street[] {
  const us = spread(site, cell.u0, cell.u1, style.across, !cell.west, !cell.east);
  const vs = spread(site, cell.v0, cell.v1, style.along, !cell.south, !cell.north);
  if (us.length === 0 || vs.length === 0) return [];
  const alleys: { u: number; v0: number; v1: number }[] = [];
  if (style.alleys) {
    for (let i = 1; i < us.length; i++) {
      for (let k = 1; k < vs.length; k++) {
        if (site.draw.chance(0.9)) alleys.push({ u: (us[i - 1] + us[i]) / 2, v0: vs[k - 1], v1: vs[k] });
      }
    }
  }
  const streets: Street[] = [];
  us.forEach((u, i) => {
    // Some streets end a block early, so that the grid has three-way junctions too.
    const low = site.draw.chance(0.15) && vs.length > 2 ? vs[1] : cell.south?.attach(u) ? cell.v0 : vs[0];
    const high =
      site.draw.chance(0.15) && vs.length > 2 ? vs[vs.length - 2] : cell.north?.attach(u) ? cell.v1 : vs[vs.length - 1];
    const stops = [low, ...vs.filter((v) => v > low && v < high), high].map((v): PlanPoint => [u, v]);
    streets.push(pave(site, stops, nameOf(site, style, i, "ns"), style.oneways ? i : undefined));
  });
  vs.forEach((v, k) => {
    const low = cell.west?.attach(v) ? cell.u0 : us[0];
    const high = cell.east?.attach(v) ? cell.u1 : us[us.length - 1];
    const meets = new Set([
      low,
      ...us,
      ...alleys.filter((alley) => alley.v0 === v || alley.v1 === v).map(({ u }) => u),
      high,
    ]);
    const stops = [...meets].sort((a, b) => a - b).map((u): PlanPoint => [u, v]);
    streets.push(pave(site, stops, nameOf(site, style, k, "ew"), style.oneways ? k : undefined));
  });
  for (const { u, v0, v1 } of alleys) {
    const points = [[u, v0] as const, ...walk([u, v0], [u, v1])];
    site.sheet.road(points, {
      highway: "service",
      service: "alley",
      surface: site.draw.chance(0.5) ? "gravel" : "asphalt",
    });
    site.ground.takeLine(points, 3);
  }
  return streets;
}

/**
 * A winding suburb: a collector through the cell, crescents and culs-de-sac to both sides of it. Half of the suburbs
 * have their collector from south to north, the others from west to east.
 *
 *      ┌─────╮║      o
 *      └─────┴╫──────┘
 *        o────╢╭─────╮
 */
export function suburbStreets(site: Site, cell: Cell): Street[] {
  const { draw } = site;
  const turned = draw.chance(0.5);
  // s runs along the collector, t across it.
  const at = (t: number, s: number): PlanPoint => (turned ? [s, t] : [t, s]);
  const [t0, t1, s0, s1] = turned ? [cell.v0, cell.v1, cell.u0, cell.u1] : [cell.u0, cell.u1, cell.v0, cell.v1];
  const [start, end] = turned ? [cell.west, cell.east] : [cell.south, cell.north];
  const sides = turned ? [cell.south, cell.north] : [cell.west, cell.east];
  const middle = (t0 + t1) / 2;
  const low = start?.attach(middle) ? s0 : s0 + 45;
  const high = end?.attach(middle) ? s1 : s1 - 45;
  // Branches leave every 80–95 m; the collector swings between them.
  const count = Math.max(2, Math.round((high - low - 90) / 88));
  const swing = draw.between(35, 70);
  const phase = draw.between(0, Math.PI);
  const stops = Array.from({ length: count }, (_, k) => {
    const wave = Math.sin(phase + (k * 2.2 * Math.PI) / count) * Math.sin(((k + 0.5) * Math.PI) / count);
    return { t: middle + swing * wave, s: low + 50 + ((high - low - 100) * k) / (count - 1) };
  });
  const spine = smooth([at(middle, low), ...stops.map(({ t, s }) => at(t, s)), at(middle, high)], 3);
  const streets = [pave(site, spine, site.book.long())];
  for (const direction of [-1, 1]) {
    const arterial = sides[direction < 0 ? 0 : 1];
    const edge = direction < 0 ? t0 : t1;
    for (let k = 0; k < count; k++) {
      const from = stops[k];
      const reach = edge - direction * draw.between(48, 70);
      const roll = draw.next();
      if (k + 1 < count && roll < 0.45) {
        const to = stops[k + 1];
        const crescent = [
          at(from.t, from.s),
          at((from.t + reach) / 2, from.s + draw.between(-8, 8)),
          at(reach - direction * 25, from.s + 4),
          at(reach, (from.s + to.s) / 2),
          at(reach - direction * 25, to.s - 4),
          at((to.t + reach) / 2, to.s + draw.between(-8, 8)),
          at(to.t, to.s),
        ];
        streets.push(pave(site, smooth(crescent, 4), site.book.short()));
        k++;
        continue;
      }
      const bow = from.s + draw.between(-14, 14);
      const joins = roll > 0.82 && arterial?.attach(from.s) !== undefined;
      const tip = joins ? { t: edge, s: from.s } : { t: reach, s: bow };
      const bent = [
        at(from.t, from.s),
        at((from.t * 2 + tip.t) / 3, bow),
        at((from.t + tip.t * 2) / 3, bow),
        at(tip.t, tip.s),
      ];
      streets.push(pave(site, smooth(bent, 4), joins ? site.book.long() : site.book.short()));
      if (!joins) site.sheet.node(at(tip.t, tip.s), { highway: "turning_circle" });
    }
  }
  return streets;
}

/** Draws a residential street through its stops; `turn` makes it one-way, forth or back. */
function pave(site: Site, stops: readonly PlanPoint[], { name, more }: StreetName, turn?: number): Street {
  const points: PlanPoint[] = [stops[0]];
  for (let i = 1; i < stops.length; i++) points.push(...walk(stops[i - 1], stops[i], 70));
  const side = sideOf(stops[0][1]);
  const tags: MutableTags = { highway: "residential", name, ...more, surface: "asphalt", maxspeed: speedTag(side, 40) };
  if (turn !== undefined) {
    tags.oneway = turn % 2 === 0 ? "yes" : "-1";
    tags["oneway:bicycle"] = turn % 3 === 0 ? "no" : "yes";
    tags.lanes = "2";
    tags["turn:lanes"] = "left;through|through;right";
    tags.maxspeed = speedTag(side, 30);
    if (turn % 4 === 1) tags.highway = "unclassified";
    if (turn % 5 === 3) tags.hgv = "no";
  }
  const draft = site.sheet.road(points, tags);
  site.ground.takeLine(points, 7);
  return { name, points, draft };
}

function nameOf(site: Site, style: GridStyle, index: number, axis: "ns" | "ew"): StreetName {
  return style.nameOf ? style.nameOf(index, axis) : site.book.long();
}

/** Positions between two edges about `step` apart, a little uneven. An open edge keeps a street near it. */
function spread(site: Site, low: number, high: number, step: number, openLow: boolean, openHigh: boolean): number[] {
  const from = low + (openLow ? 40 : 0);
  const to = high - (openHigh ? 40 : 0);
  const pieces = Math.max(1, Math.round((to - from) / step));
  const out: number[] = [];
  for (let i = openLow ? 0 : 1; i <= (openHigh ? pieces : pieces - 1); i++) {
    const wobble = i === 0 || i === pieces ? 0 : site.draw.between(-0.12, 0.12) * step;
    out.push(Math.round(from + ((to - from) * i) / pieces + wobble));
  }
  return out;
}
