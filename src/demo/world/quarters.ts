import type { Arterial } from "./arterial.ts";
import { type AddressStyle, APARTMENTS, buildLots, type LotStyle, RESIDENTIAL, SUBURBAN } from "./lots.ts";
import type { StreetName } from "./names.ts";
import type { PlanPoint } from "./plane.ts";
import { box, inset } from "./shapes.ts";
import type { Cell, Site } from "./site.ts";
import { gridStreets, type Street, suburbStreets } from "./streets.ts";

/** Quarters where people live and shop: streets first, then what stands along them. */

/** Downtown: one-way streets with shop fronts wall to wall, nearly every kind of business. */
export function downtown(site: Site, cell: Cell, nameOf?: (index: number, axis: "ns" | "ew") => StreetName): void {
  const streets = gridStreets(site, cell, { across: 100, along: 110, oneways: true, nameOf });
  site.sheet.area(inset(cell, 12), { landuse: "commercial" });
  const style: LotStyle = {
    addresses: "building",
    frontage: 20,
    setback: 9,
    depth: 20,
    fill: [0.8, 0.92],
    buildings: ["retail", "commercial", "office", "retail"],
    shopFront: (at, address, building) => {
      if (!site.draw.chance(0.55)) return;
      const { tags } = site.shops.next();
      // Half of the shops are a node in the doorway; of the rest the building itself has the tags.
      if (site.draw.chance(0.7)) site.sheet.fresh(at, { ...tags, ...address });
      else Object.assign(building.tags, tags);
    },
  };
  for (const street of [...fronts(cell), ...streets]) buildLots(site, cell, street, style);
  pedestrianStreet(site, cell, streets);
  backLots(site, cell, 60, "surface");
}

/** Car parks and trees on ground that nothing else took. */
function backLots(site: Site, cell: Cell, tries: number, kind: "surface" | "trees"): void {
  for (let i = 0; i < tries; i++) {
    const at: PlanPoint = [
      site.draw.between(cell.u0 + 30, cell.u1 - 30),
      site.draw.between(cell.v0 + 30, cell.v1 - 30),
    ];
    const lot = box(at, kind === "surface" ? 34 : 8, kind === "surface" ? 26 : 8);
    if (!site.ground.claim(lot)) continue;
    if (kind === "trees") site.sheet.fresh(at, { natural: "tree" });
    else site.sheet.area(lot, { amenity: "parking", parking: "surface", capacity: `${12 + site.draw.below(30)}` });
  }
}

/** A car-free arcade with a fountain through the middle of a downtown quarter. */
function pedestrianStreet(site: Site, cell: Cell, streets: readonly Street[]): void {
  const ns = streets.filter(({ points }) => points[0][0] === points[1][0]);
  if (ns.length < 2) return;
  const [a, b] = [ns[0].points, ns[1].points];
  const v = (cell.v0 + cell.v1) / 2;
  const meet = (points: readonly PlanPoint[]) =>
    points.reduce((best, point) => (Math.abs(point[1] - v) < Math.abs(best[1] - v) ? point : best));
  const from = meet(a);
  const to = meet(b);
  if (Math.abs(from[1] - to[1]) > 30) return;
  site.sheet.road([from, to], {
    highway: "pedestrian",
    name: `${site.shops.ownerName()} Arcade`,
    surface: "paving_stones",
  });
  site.sheet.fresh([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + 4], { amenity: "fountain" });
}

export function residentialGrid(site: Site, cell: Cell, addresses: AddressStyle = "building"): void {
  site.sheet.area(inset(cell, 12), { landuse: "residential" });
  const apartments = addresses === "units";
  const streets = gridStreets(site, cell, {
    across: apartments ? 105 : 84,
    along: apartments ? 130 : 128,
    alleys: !apartments,
  });
  const style: LotStyle = apartments ? APARTMENTS : { ...RESIDENTIAL, addresses };
  for (const street of [...streets, ...fronts(cell)]) buildLots(site, cell, street, style);
  cornerShops(site, streets, 3);
  backLots(site, cell, 80, "trees");
}

export function suburb(site: Site, cell: Cell): void {
  site.sheet.area(inset(cell, 14), { landuse: "residential" });
  const streets = suburbStreets(site, cell);
  for (const street of streets) buildLots(site, cell, street, SUBURBAN);
  for (const street of fronts(cell)) buildLots(site, cell, street, SUBURBAN);
  cornerShops(site, streets, 1);
  backLots(site, cell, 120, "trees");
}

/** The old quarter in the north: small French streets, shops between the houses. */
export function oldQuarter(site: Site, cell: Cell): void {
  site.sheet.area(inset(cell, 12), { landuse: "residential" });
  const streets = gridStreets(site, cell, { across: 78, along: 90, nameOf: () => site.book.french() });
  const style: LotStyle = {
    ...RESIDENTIAL,
    addresses: "node",
    frontage: 14,
    setback: 9,
    depth: 12,
    fill: [0.7, 0.9],
    buildings: ["house", "terrace", "retail"],
    shopFront: (at, address) => {
      if (site.draw.chance(0.06)) site.sheet.fresh(at, { ...site.shops.next().tags, ...address });
    },
  };
  for (const street of streets) buildLots(site, cell, street, style);
}

/** The inner edges of a cell, seen as streets with houses on the cell's side only; numbers continue from cell to cell. */
function fronts(cell: Cell): Street[] {
  const edge = (arterial: Arterial | undefined, from: PlanPoint, to: PlanPoint, hand: 1 | -1): Street[] => {
    if (!arterial) return [];
    const [low, high] = arterial.axis === "ns" ? [from[1], to[1]] : [from[0], to[0]];
    if (!arterial.parts().some(([a, b]) => a <= low + 30 && b >= high - 30)) return [];
    const base = 100 + 2 * Math.floor((low - arterial.from) / 10);
    return [{ name: arterial.nameAt((low + high) / 2), points: [from, to], hands: [hand], base }];
  };
  const { u0, u1, v0, v1 } = cell;
  return [
    ...edge(cell.west, [u0, v0], [u0, v1], 1),
    ...edge(cell.east, [u1, v0], [u1, v1], -1),
    ...edge(cell.south, [u0, v0], [u1, v0], -1),
    ...edge(cell.north, [u0, v1], [u1, v1], 1),
  ];
}

function cornerShops(site: Site, streets: readonly Street[], count: number): void {
  for (let i = 0; i < count; i++) {
    const { points } = site.draw.pick(streets);
    const [u, v] = points[Math.floor(points.length / 2)];
    site.sheet.fresh([u + 11, v + 11], site.shops.next().tags);
  }
}
