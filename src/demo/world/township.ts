import type { Tags } from "../../importer/osm/pbf/element.ts";
import { Arterial } from "./arterial.ts";
import { airport, civicCentre, educationCentre, industry, retailPark, university } from "./campus.ts";
import { gatesOf, postalAreaAt, townOf } from "./frame.ts";
import { Ground } from "./ground.ts";
import { fairground, farmland, park, woods } from "./grounds.ts";
import { columnPlan, edgesOf, type LinePlan, rowPlan, type Strips, TOWNSHIP, type Township } from "./layout.ts";
import { motorway } from "./motorway.ts";
import { arterialName, StreetBook } from "./names.ts";
import type { Plane, PlanPoint } from "./plane.ts";
import { downtown, oldQuarter, residentialGrid, suburb } from "./quarters.ts";
import { rail, tram } from "./rail.ts";
import { type Random, random } from "./random.ts";
import { restrictTurns } from "./restrictions.ts";
import { type Drawing, Sheet } from "./sheet.ts";
import { ShopShelf } from "./shops.ts";
import type { Cell, Site } from "./site.ts";
import { ferry, lake, river } from "./water.ts";

/** Ids of a township's elements: a million for each, the first million is for gates and boundaries. */
const IDS_PER_TOWNSHIP = 1_000_000;

/** The twin town, cell by cell, north at the top; letters are explained at `fill`. */
const TWIN_TOWN = ["WSSAKaa", "FSEGSS1", "~SGLKI4", "~ODDRGS", "~PGCRUS", "~HDDKGG", "SGUNKIF", "WSS2SG3"];

interface Crossing {
  plan: LinePlan;
  road: Arterial;
}

/** Draws one township. The same seed and place give the same drawing. */
export function drawTownship(seed: number, plane: Plane, township: Township): Drawing {
  const { index, cx, cy } = township;
  const u0 = cx * TOWNSHIP - TOWNSHIP / 2;
  const v0 = cy * TOWNSHIP - TOWNSHIP / 2;
  const site: Site = {
    seed,
    index,
    sheet: new Sheet(plane, (index + 1) * IDS_PER_TOWNSHIP, gatesOf(township)),
    ground: new Ground([cx * TOWNSHIP, cy * TOWNSHIP]),
    draw: random(seed, "township", index),
    book: new StreetBook(seed, index),
    shops: new ShopShelf(seed, index),
    towns: { US: townOf(seed, township, "US").name, CA: townOf(seed, township, "CA").name },
    postalAreaAt: (u, v) => postalAreaAt(township, u, v),
  };
  const columns = columnPlan(cx);
  const rows = rowPlan(cy);
  const ns = lines(seed, "ns", cx, columns, cx * TOWNSHIP, [v0, v0 + TOWNSHIP]);
  const ew = lines(seed, "ew", cy, rows, cy * TOWNSHIP, [u0, u0 + TOWNSHIP]);
  leaveGaps(township, ns, ew);
  crossLines(site, ns, ew);
  if (cx === 0) {
    motorway(
      site,
      v0,
      ew.filter(({ plan }) => plan.interchange || plan.overpass),
    );
    rail(
      site,
      v0,
      ew.map(({ road }) => road),
    );
  }
  for (const { road } of [...ns, ...ew]) {
    for (const [from, to] of road.parts()) site.ground.takeLine([road.point(from), road.point(to)], 8);
  }
  fillCells(site, township, columns, rows, ns, ew);
  if (cy === 0) waters(site, cx, ns, ew);
  for (const { road } of [...ns, ...ew]) road.draw(site.sheet);
  const street = ns.find(({ plan }) => plan.checkpoint);
  if (index === 0 && street) tram(site, street.road.at, -1290, -70);
  restrictTurns(site, index === 0 ? 0.2 : 0.06);
  return site.sheet.finish();
}

function lines(
  seed: number,
  axis: "ns" | "ew",
  strip: number,
  plan: Strips,
  centre: number,
  ends: [number, number],
): Crossing[] {
  return plan.lines.map((line, i) => ({
    plan: line,
    road: new Arterial(
      axis,
      centre + line.at,
      ends,
      line.class,
      {
        US: arterialName(seed, axis, strip, i, line.class, "US"),
        CA: arterialName(seed, axis, strip, i, line.class, "CA"),
      },
      line.class === "trunk" ? { ref: centre + line.at < 0 ? "US 498" : "AB 61" } : {},
    ),
  }));
}

/** Where arterials end: at water and the border, at the motorway, around the airport. */
function leaveGaps({ cx, cy }: Township, ns: Crossing[], ew: Crossing[]): void {
  if (cy === 0) {
    for (const { plan, road } of ns) {
      if (!plan.checkpoint) road.gap(-60, 60);
      else {
        road.attach(0, { barrier: "border_control" });
        road.stretch(-60, 60, { lanes: "2", hgv: "no" });
      }
      if (!plan.bridge) road.gap(-1560, -1300);
      else if (plan.bridge === "free") road.stretch(-1560, -1300, { bridge: "yes", layer: "1" });
      else {
        road.stretch(-1560, -1300, { bridge: "yes", layer: "1", toll: "yes", "bridge:name": "Transit Bridge" });
        road.attach(-1340, { barrier: "toll_booth" });
      }
    }
  }
  if (cx === 0) {
    for (const { plan, road } of ew) {
      if (!plan.interchange && !plan.overpass) road.gap(300, 600);
    }
  }
  if (cx !== 0 || cy !== 0) return;
  for (const { road } of ew) if (road.at >= -1300 && road.at <= 700) road.gap(-2801, -2050);
  ns[7].road.gap(2100, 2801);
  // Main Street: an old bridge for light vehicles only, and a stretch closed to trucks.
  ns[2].road.stretch(-1560, -1300, { maxweight: "8" });
  ns[2].road.stretch(-1300, -620, { hgv: "no", maxspeed: "25 mph" });
}

/** Junctions of arterials: lights, stop signs, and a few roundabouts. */
function crossLines(site: Site, ns: Crossing[], ew: Crossing[]): void {
  const roundabouts = site.index === 0 ? ["1/6", "7/3", "1/7"] : ["1/1", "3/5", "5/3"];
  ns.forEach(({ road: a }, i) => {
    ew.forEach(({ road: b }, k) => {
      const there =
        a.parts().some(([from, to]) => b.at >= from && b.at <= to) &&
        b.parts().some(([from, to]) => a.at >= from && a.at <= to);
      if (!there) return;
      if (roundabouts.includes(`${i}/${k}`) && a.class !== "trunk" && b.class !== "trunk") {
        roundabout(site, a, b);
        return;
      }
      const lights = [a, b].some((road) => road.class === "primary" || road.class === "trunk") || a.class === b.class;
      const tags: Tags = lights ? { highway: "traffic_signals" } : { highway: "stop", stop: "minor" };
      a.attach(b.at, tags);
      b.attach(a.at, tags);
    });
  });
}

function roundabout(site: Site, a: Arterial, b: Arterial): void {
  const radius = 22;
  a.gap(b.at - radius, b.at + radius);
  b.gap(a.at - radius, a.at + radius);
  const ring = Array.from({ length: 13 }, (_, i): PlanPoint => {
    const angle = (2 * Math.PI * (i % 12)) / 12;
    return [a.at + radius * Math.cos(angle), b.at + radius * Math.sin(angle)];
  });
  site.sheet.road(ring, {
    highway: a.class,
    junction: "roundabout",
    oneway: "yes",
    lanes: "1",
    maxspeed: b.at < 0 ? "20 mph" : "30",
  });
  site.ground.takeBox(a.at - 34, b.at - 34, a.at + 34, b.at + 34);
}

function fillCells(
  site: Site,
  { cx, cy }: Township,
  columns: Strips,
  rows: Strips,
  ns: Crossing[],
  ew: Crossing[],
): void {
  const us = edgesOf(columns).map((u) => u + cx * TOWNSHIP);
  const vs = edgesOf(rows).map((v) => v + cy * TOWNSHIP);
  const blocks = ({ strips }: Strips) => strips.map((kind, i) => ({ kind, i })).filter(({ kind }) => kind === "block");
  const blockRows = blocks(rows);
  const plan =
    site.index === 0 ? [...TWIN_TOWN].reverse() : drawPlan(random(site.seed, "plan", site.index), blockRows.length);
  let block = 0;
  blockRows.forEach(({ i: row }, r) => {
    blocks(columns).forEach(({ i: column }, c) => {
      const cell: Cell = {
        u0: us[column],
        u1: us[column + 1],
        v0: vs[row],
        v1: vs[row + 1],
        west: ns[column - 1]?.road,
        east: ns[column]?.road,
        south: ew[row - 1]?.road,
        north: ew[row]?.road,
        block: block++,
      };
      fill(site, cell, plan[r][c], plan[r][c - 1]);
    });
  });
}

/** Meaning of the letters in a plan. */
function fill(site: Site, cell: Cell, letter: string, before: string | undefined): void {
  if (letter === "G") residentialGrid(site, cell);
  else if (letter === "A") residentialGrid(site, cell, "associated");
  else if (letter === "I") residentialGrid(site, cell, "interpolation");
  else if (letter === "H") residentialGrid(site, cell, "hyphenated");
  else if (letter === "N") residentialGrid(site, cell, "node");
  else if (letter === "U") residentialGrid(site, cell, "units");
  else if (letter === "S") suburb(site, cell);
  else if (letter === "O") oldQuarter(site, cell);
  else if (letter === "D") downtown(site, cell);
  else if (letter === "P") park(site, cell);
  else if (letter === "R") retailPark(site, cell);
  else if (letter === "K") industry(site, cell);
  else if (letter === "C") civicCentre(site, cell);
  else if (letter === "L") educationCentre(site, cell);
  else if (letter === "E") university(site, cell);
  else if (letter === "F") farmland(site, cell);
  else if (letter === "W") woods(site, cell);
  else if (letter === "a" && before === "a") airport(site, { ...cell, u0: cell.u0 - 725, west: undefined }, "QMZ");
  else if (/[1-4]/.test(letter)) fairground(site, cell, (Number(letter) - 1) * 4, letter === "4" ? 2 : 4);
}

/** The plan of a separate town: a downtown in the middle, houses around it, fields at the edges. */
function drawPlan(draw: Random, rows: number): string[] {
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: 7 }, (_, c) => {
      const out = Math.max(Math.abs(c - 3), Math.abs(r - (rows - 1) / 2));
      if (out < 1) return "D";
      if (out < 2) return draw.pick("GGUNRCLPGHGA".split(""));
      if (out < 3) return draw.pick("GGGNASSGIKSGUP".split(""));
      return draw.pick("GSSGSGNSFWSG".split(""));
    }).join(""),
  );
}

function waters(site: Site, cx: number, ns: Crossing[], ew: Crossing[]): void {
  const road = ew[2].road;
  const [west, east] = [(cx - 0.5) * TOWNSHIP, (cx + 0.5) * TOWNSHIP];
  if (cx !== 0) {
    river(site, west, east, road);
    return;
  }
  // The river comes into the lake from the west and leaves it to the east.
  river(site, west, -2600);
  river(site, -2230, east, road);
  lake(site);
  const shore = ns[0].road;
  const south = shore.attach(-850);
  const north = shore.attach(1100);
  if (south && north) ferry(site, south, north);
}
