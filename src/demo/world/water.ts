import type { Arterial } from "./arterial.ts";
import { RIVER_AT } from "./layout.ts";
import { type PlanPoint, smooth } from "./plane.ts";
import { parseTags } from "./shops.ts";
import type { Site } from "./site.ts";

/** Lake Vesper and the Lantern River, which leaves it to the east. Only townships on the border have them. */

const RIVER_NAMES = { name: "Lantern River", "name:fr": "Rivière de la Lanterne", "name:es": "Río Linterna" };

/** The middle of the river at u: one curve for all townships, so that banks meet. */
function riverMiddle(u: number): number {
  return RIVER_AT + 18 * Math.sin(u / 410) + 9 * Math.sin(u / 173);
}

/** The river between two eastings; paths lead from its bank to the road in the north. */
export function river(site: Site, from: number, to: number, road?: Arterial): void {
  const middle: PlanPoint[] = [];
  for (let u = from; u < to; u += 80) middle.push([u, riverMiddle(u)]);
  middle.push([to, riverMiddle(to)]);
  const half = (u: number) => 38 + 6 * Math.sin(u / 290);
  const north = middle.map(([u, v]): PlanPoint => [u, v + half(u)]);
  const south = middle.map(([u, v]): PlanPoint => [u, v - half(u)]).reverse();
  site.sheet.area([...north, ...south], { natural: "water", water: "river", ...RIVER_NAMES });
  site.sheet.line(middle, { waterway: "river", ...RIVER_NAMES });
  const green = (bank: (u: number) => number, edge: number): PlanPoint[] => [
    ...middle.map(([u]): PlanPoint => [u, bank(u)]),
    ...middle.map(([u]): PlanPoint => [u, edge]).reverse(),
  ];
  site.sheet.area(
    green((u) => riverMiddle(u) + half(u), -1312),
    { landuse: "grass" },
  );
  site.sheet.area(
    green((u) => riverMiddle(u) - half(u), -1548),
    { landuse: "grass" },
  );
  if (!road) return;
  // A path for walkers and riders on the north bank, with a link up to the road every 400 m.
  const path = middle.slice(1, -1).map(([u, v]): PlanPoint => [u, v + half(u) + 16]);
  site.sheet.road(path, {
    highway: "cycleway",
    foot: "designated",
    segregated: "no",
    name: "Towpath",
    surface: "asphalt",
  });
  path.forEach((at, i) => {
    const top = i % 5 === 2 ? road.attach(at[0]) : undefined;
    if (top) site.sheet.road([at, top], { highway: "footway", surface: "gravel" });
  });
}

const SHORE: readonly PlanPoint[] = [
  [-2110, -1250],
  [-2125, -1000],
  [-2108, -700],
  [-2135, -420],
  [-2112, -100],
  [-2128, 200],
  [-2106, 520],
  [-2130, 820],
  [-2115, 1090],
  [-2180, 1290],
  [-2420, 1345],
  [-2640, 1260],
  [-2745, 1000],
  [-2715, 600],
  [-2755, 200],
  [-2720, -200],
  [-2760, -600],
  [-2725, -1000],
  [-2660, -1290],
  [-2400, -1390],
  [-2200, -1385],
];

/**
 * The lake is across the border, with an island and a ferry. Its shore is two ways, so its relation has to be put
 * together as those of real lakes.
 */
export function lake(site: Site): void {
  const { sheet } = site;
  const shore = smooth(SHORE, 4, true).slice(0, -1);
  const nodes = shore.map((at) => sheet.fresh(at));
  const half = Math.floor(nodes.length / 2);
  const east = sheet.draft(nodes.slice(0, half + 1), {});
  const west = sheet.draft([...nodes.slice(half), nodes[0]], {});
  const islandShore = smooth(
    [
      [-2500, 260],
      [-2400, 330],
      [-2380, 450],
      [-2450, 530],
      [-2560, 480],
      [-2580, 340],
    ],
    4,
    true,
  ).slice(0, -1);
  const island = sheet.area(islandShore, { place: "islet", name: "Lamplighter Island", natural: "wood" });
  sheet.relation(
    [
      { draft: east, role: "outer" },
      { draft: west, role: "outer" },
      { draft: island, role: "inner" },
    ],
    {
      type: "multipolygon",
      natural: "water",
      water: "lake",
      name: "Lake Vesper",
      "name:ar": "بحيرة فيسبر",
      "name:de": "Vespersee",
      "name:fr": "Lac Vesper",
      "name:ja": "ヴェスパー湖",
      "name:ru": "озеро Веспер",
      "name:zh": "维斯珀湖",
    },
  );
  sheet.area(
    [
      [-2114, -1130],
      [-2060, -1130],
      [-2060, -1040],
      [-2116, -1040],
    ],
    { natural: "beach", surface: "sand", name: "Sounding Beach" },
  );
  sheet.area(
    [
      [-2180, 560],
      [-2062, 560],
      [-2062, 680],
      [-2180, 680],
    ],
    { leisure: "marina", name: "Gnomon Marina" },
  );
  sheet.fresh([-2075, -300], { tourism: "viewpoint", name: "Parallel Point" });
}

/** A car ferry between the two shores, over the border. `piers` are the ends of the service roads at the landings. */
export function ferry(site: Site, south: PlanPoint, north: PlanPoint): void {
  const { sheet } = site;
  const southPier: PlanPoint = [-2150, south[1]];
  const northPier: PlanPoint = [-2150, north[1]];
  sheet.road([south, southPier], { highway: "service", name: "Ferry Landing" });
  sheet.road([north, northPier], { highway: "service", name: "Ferry Landing North" });
  sheet.road(smooth([southPier, [-2330, -560], [-2300, 0], [-2290, 600], northPier], 5), {
    route: "ferry",
    name: "Vesper Ferry",
    "name:fr": "Traversier Vesper",
    motor_vehicle: "yes",
    bicycle: "yes",
    foot: "yes",
    duration: "00:18",
    toll: "yes",
  });
  sheet.fresh([-2140, south[1] + 12], { ...parseTags("amenity=ferry_terminal"), name: "Meridale Ferry Landing" });
  sheet.fresh([-2140, north[1] + 12], { ...parseTags("amenity=ferry_terminal"), name: "North Meridale Ferry Landing" });
}
