import { type PlanPoint, smooth } from "./plane.ts";
import { blob, box, inset, middle, ringPoints } from "./shapes.ts";
import { parseTags } from "./shops.ts";
import type { Cell, Site } from "./site.ts";

/** Open ground: parks, woods, fields, water to swim in. */

export function park(site: Site, cell: Cell): void {
  const { sheet, draw } = site;
  const name = `${site.shops.ownerName()} Park`;
  sheet.area(inset(cell, 14), { leisure: "park", name, "name:fr": `Parc ${name.replace(" Park", "")}` });
  const [u, v] = middle(cell);
  const reach = Math.min(cell.u1 - cell.u0, cell.v1 - cell.v0) / 2 - 60;
  // A pond, a loop around it, and paths from every side.
  sheet.area(blob(site, u, v, reach * 0.4, 14), {
    natural: "water",
    water: "pond",
    name: `${site.shops.ownerName()} Pond`,
  });
  const loop = smooth(ringPoints(u, v, reach * 0.62, 8), 3, true);
  sheet.road(loop, { highway: "footway", surface: "fine_gravel" });
  const gates: [PlanPoint | undefined, PlanPoint][] = [
    [cell.south?.attach(u), loop[18]],
    [cell.north?.attach(u), loop[6]],
    [cell.west?.attach(v), loop[12]],
    [cell.east?.attach(v), loop[0]],
  ];
  gates.forEach(([gate, end], i) => {
    if (!gate) return;
    const bend: PlanPoint = [
      (gate[0] + end[0]) / 2 + draw.between(-20, 20),
      (gate[1] + end[1]) / 2 + draw.between(-20, 20),
    ];
    sheet.road(smooth([gate, bend, end], 4), {
      highway: i % 2 === 0 ? "cycleway" : "footway",
      foot: "designated",
      surface: "asphalt",
    });
  });
  sheet.road([loop[3], loop[21]], { highway: "steps", step_count: "24" });
  sheet.area(box([u - reach * 0.85, v - reach * 0.8], 46, 32), {
    leisure: "playground",
    name: `${site.shops.ownerName()} Playground`,
  });
  sheet.area(box([u + reach * 0.85, v + reach * 0.8], 44, 24), { leisure: "pitch", sport: "tennis" });
  sheet.area(box([u + reach * 0.8, v - reach * 0.8], 70, 60), {
    leisure: "garden",
    access: "yes",
    name: `${site.shops.ownerName()} Rose Garden`,
  });
  for (let i = 0; i < 60; i++) {
    const angle = draw.between(0, 2 * Math.PI);
    const r = reach * draw.between(0.65, 1);
    sheet.fresh([u + r * Math.cos(angle), v + r * Math.sin(angle)], { natural: "tree" });
  }
}

export function woods(site: Site, cell: Cell): void {
  const { sheet } = site;
  sheet.area(inset(cell, 20), { natural: "wood", leisure: "nature_reserve", name: `${site.shops.ownerName()} Woods` });
  const [u, v] = middle(cell);
  const trail = smooth(
    [
      [cell.u0 + 60, cell.v0 + 80],
      [u - 120, v - 60],
      [u + 40, v + 90],
      [u + 160, v - 40],
      [cell.u1 - 60, cell.v1 - 90],
    ],
    6,
  );
  sheet.road(trail, { highway: "path", surface: "ground", name: `${site.shops.ownerName()} Trail` });
  const gate = cell.east?.attach(v) ?? cell.west?.attach(v);
  if (gate) sheet.road([gate, trail[12]], { highway: "track", tracktype: "grade2", surface: "gravel" });
  sheet.area(box([u + 60, v - 150], 120, 90), { tourism: "camp_site", name: `${site.shops.ownerName()} Campground` });
}

export function farmland(site: Site, cell: Cell): void {
  const { sheet, draw } = site;
  const [u, v] = middle(cell);
  const quarter = (a: number, b: number, c: number, d: number) => ({ ...cell, u0: a, v0: b, u1: c, v1: d });
  for (const field of [
    quarter(cell.u0, cell.v0, u, v),
    quarter(u, cell.v0, cell.u1, v),
    quarter(cell.u0, v, u, cell.v1),
    quarter(u, v, cell.u1, cell.v1),
  ]) {
    sheet.area(inset(field, 12), { landuse: draw.pick(["farmland", "farmland", "meadow", "orchard"]) });
  }
  const gate = cell.west?.attach(v) ?? cell.east?.attach(v) ?? cell.south?.attach(u) ?? cell.north?.attach(u);
  if (!gate) return;
  const yard: PlanPoint = [u + draw.between(-60, 60), v + draw.between(-40, 40)];
  sheet.road([gate, [(gate[0] + yard[0]) / 2, (gate[1] + yard[1]) / 2 + 8], yard], {
    highway: "track",
    tracktype: "grade1",
    surface: "gravel",
  });
  sheet.area(box([yard[0] + 26, yard[1] + 18], 30, 18), { building: "farm" });
  sheet.area(box([yard[0] - 30, yard[1] + 22], 40, 22), { building: "barn" });
  sheet.fresh([yard[0] + 10, yard[1] + 6], { shop: "farm", name: `${site.shops.ownerName()} Farm Stand` });
}

/** The things a town has once: each is an area with a name, some are buildings. */
const OUTINGS: readonly (readonly [tags: string, name: string, width: number, height: number])[] = [
  ["leisure=golf_course", "Greenwich Links", 420, 300],
  ["tourism=zoo", "Tessellation Zoo", 260, 220],
  ["tourism=aquarium building=yes", "Bathymetry Aquarium", 90, 60],
  ["tourism=theme_park", "Planisphere Park", 240, 200],
  ["leisure=water_park", "Isobath Water Park", 140, 110],
  ["leisure=ice_rink building=yes", "Snowline Rink", 80, 50],
  ["leisure=stadium building=stadium", "Zenith Stadium", 190, 140],
  ["leisure=sports_centre building=yes sport=swimming", "Sounding Pool", 80, 50],
  ["leisure=sports_centre building=yes", "Baseline Sports Center", 90, 60],
  ["tourism=museum building=yes", "Museum of Maps", 70, 60],
  ["landuse=cemetery", "Stillwater Cemetery", 160, 140],
  ["tourism=attraction", "The Forty-Nine Steps", 60, 40],
  ["amenity=marketplace", "Compass Market", 90, 60],
  ["amenity=concert_hall building=yes", "Harmonic Hall", 70, 50],
];

/** A big green with the town's attractions on it, a loop road and car parks. */
export function fairground(site: Site, cell: Cell, first: number, count: number): void {
  const { sheet } = site;
  sheet.area(inset(cell, 14), { landuse: "recreation_ground" });
  const [u, v] = middle(cell);
  const gate = cell.west?.attach(v) ?? cell.east?.attach(v) ?? cell.south?.attach(u);
  const loop = smooth(ringPoints(u, v, 70, 6), 3, true);
  sheet.road(loop, { highway: "service", oneway: "yes" });
  if (gate) sheet.road([gate, loop[gate[0] < u ? 9 : 0]], { highway: "service" });
  sheet.area(box([u, v], 80, 60), { amenity: "parking", capacity: "240", name: `${site.shops.ownerName()} Parking` });
  const corners: PlanPoint[] = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ];
  for (let i = 0; i < Math.min(4, count); i++) {
    const [tags, name, width, height] = OUTINGS[(first + i) % OUTINGS.length];
    const w = Math.min(width, (cell.u1 - cell.u0) / 2 - 90);
    const h = Math.min(height, (cell.v1 - cell.v0) / 2 - 70);
    const [du, dv] = corners[i];
    const at: PlanPoint = [u + du * (85 + w / 2), v + dv * (65 + h / 2)];
    sheet.area(box(at, w, h), { ...parseTags(tags), name });
    sheet.road([loop[[12, 16, 8, 3][i]], [at[0], at[1] - (dv * h) / 2]], { highway: "footway" });
  }
}
