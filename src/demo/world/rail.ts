import type { Arterial } from "./arterial.ts";
import { RAIL_AT, TOWNSHIP } from "./layout.ts";
import { type PlanPoint, walk } from "./plane.ts";
import { box } from "./shapes.ts";
import type { Site } from "./site.ts";

/** A tram in the middle of a street, up to the border and no further: a line of transit with its own colour. */
export function tram({ sheet }: Site, u: number, from: number, to: number): void {
  const draft = sheet.line([[u, from], ...walk([u, from], [u, to], 120)], { railway: "tram", gauge: "1435" });
  const tags = { type: "route", route: "tram", ref: "1", name: "Tram 1: Riverside – Border", colour: "#C2185B" };
  sheet.relation([{ draft, role: "" }], tags);
}

/**
 * The railway, south to north. Trunk roads pass over it, two underpasses too low for trucks lead below it, other roads
 * cross it on the level.
 */
export function rail(site: Site, v0: number, roads: readonly Arterial[]): void {
  const { sheet } = site;
  const stops = new Set<number>([v0, v0 + TOWNSHIP]);
  const bridges: [number, number][] = [];
  const border = v0 < 0 && v0 + TOWNSHIP > 0;
  if (border) bridges.push([-1510, -1350]);
  for (const road of roads) {
    if (road.class === "trunk") {
      road.stretch(RAIL_AT - 30, RAIL_AT + 30, { bridge: "yes", layer: "1" });
    } else if (border && (road.at === -620 || road.at === 700)) {
      road.stretch(RAIL_AT - 30, RAIL_AT + 30, { maxheight: road.at < 0 ? "11'6\"" : "3.5" });
      bridges.push([road.at - 25, road.at + 25]);
    } else if (road.attach(RAIL_AT, { railway: "level_crossing", "crossing:barrier": "full" })) {
      stops.add(road.at);
    }
  }
  for (const [from, to] of bridges) stops.add(from).add(to);
  const along = [...stops].sort((a, b) => a - b);
  const cuts = [v0, ...bridges.flat().sort((a, b) => a - b), v0 + TOWNSHIP];
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1], cuts[i]];
    const points: PlanPoint[] = [[RAIL_AT, from]];
    for (const stop of [...along.filter((v) => v > from && v < to), to])
      points.push(...walk(points[points.length - 1], [RAIL_AT, stop], 120));
    const bridge = bridges.some(([a]) => a === from);
    sheet.road(points, {
      railway: "rail",
      gauge: "1435",
      usage: "main",
      name: "Parallel Line",
      ...(bridge ? { bridge: "yes", layer: "1" } : {}),
    });
  }
  if (!border) return;
  sheet.line(
    [
      [RAIL_AT + 8, -1000],
      [RAIL_AT + 8, -850],
      [RAIL_AT + 8, -700],
    ],
    { railway: "rail", service: "siding", gauge: "1435" },
  );
  sheet.fresh([RAIL_AT, -905], {
    railway: "station",
    public_transport: "station",
    name: "Meridale Central",
    "name:fr": "Gare de Méridale",
  });
  sheet.area(box([RAIL_AT + 20, -900], 10, 160), { railway: "platform", public_transport: "platform", ref: "1" });
  sheet.area(box([RAIL_AT - 22, -900], 20, 60), { building: "train_station", name: "Meridale Central Station" });
  sheet.fresh([RAIL_AT - 20, -985], { amenity: "bus_station", name: "Meridale Coach Station" });
  sheet.fresh([RAIL_AT, -350], { railway: "station", station: "light_rail", name: "Peace Park Tram" });
  sheet.fresh([RAIL_AT, 950], { railway: "halt", public_transport: "station", name: "North Meridale" });
}
