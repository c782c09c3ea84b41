import type { PlanPoint } from "./plane.ts";
import { box, inset } from "./shapes.ts";
import type { MutableTags } from "./sheet.ts";
import { branchTags, parseTags } from "./shops.ts";
import { type Cell, cityTags, type Site } from "./site.ts";

/** Cells with a few large things: schools and hospitals, malls, works, the airport. */

interface Hall {
  tags: string;
  name: string;
  width: number;
  height: number;
}

const hall = (tags: string, name: string, width: number, height: number): Hall => ({ tags, name, width, height });

const CIVIC: readonly Hall[] = [
  hall("amenity=townhall building=civic", "Town Hall", 60, 40),
  hall("amenity=courthouse building=civic", "County Courthouse", 50, 40),
  hall("amenity=police building=civic", "Police Station", 40, 30),
  hall("amenity=fire_station building=civic", "Fire Station No. 1", 40, 30),
  hall("amenity=library building=civic", "Public Library", 50, 40),
  hall("amenity=community_centre building=civic", "Community Center", 50, 30),
  hall("amenity=post_office building=civic", "Post Office", 40, 30),
  hall("office=government building=civic", "Land Survey Office", 40, 30),
  hall("amenity=place_of_worship religion=christian building=church", "St. Eratosthenes Church", 40, 22),
  hall("amenity=place_of_worship religion=muslim building=mosque", "Qibla Mosque", 36, 30),
  hall("amenity=place_of_worship religion=jewish building=synagogue", "Beth Mizrah Synagogue", 34, 26),
  hall("amenity=place_of_worship building=yes", "House of All Bearings", 34, 26),
  hall("amenity=place_of_worship religion=buddhist building=temple", "Lotus Temple", 30, 30),
];

const LEARNED: readonly Hall[] = [
  hall("amenity=hospital emergency=yes building=hospital", "Ptolemy General Hospital", 120, 70),
  hall("amenity=school building=school", "Eratosthenes Elementary School", 80, 50),
  hall("amenity=school building=school", "Snellius High School", 100, 60),
  hall("amenity=college building=college", "College of Surveying", 90, 50),
  hall("amenity=kindergarten building=kindergarten", "Little Compass Preschool", 40, 30),
  hall("amenity=clinic building=yes", "Northside Clinic", 50, 40),
  hall("amenity=music_school building=yes", "Conservatory of Music", 50, 36),
  hall("amenity=social_facility building=yes", "Evening Star Home", 60, 36),
];

/** Civic buildings on both sides of three short streets. */
export const civicCentre = (site: Site, cell: Cell): void => halls(site, cell, CIVIC, "civic_admin");
export const educationCentre = (site: Site, cell: Cell): void => halls(site, cell, LEARNED, "education");

/** Buildings in rows on both sides of service roads, with lawns and car parks between. */
function halls(site: Site, cell: Cell, list: readonly Hall[], landuse: string): void {
  const { sheet } = site;
  sheet.area(inset(cell, 14), { landuse });
  const u = Math.round((cell.u0 + cell.u1) / 2);
  const rows = Math.ceil(list.length / 4);
  const street = site.book.long();
  const points: PlanPoint[] = [cell.south?.attach(u) ?? [u, cell.v0 + 40]];
  for (let row = 0; row < rows; row++) {
    const v = cell.v0 + ((row + 0.5) * (cell.v1 - cell.v0)) / rows;
    points.push([u, v]);
    sheet.road(
      [
        [cell.u0 + 50, v],
        [u, v],
        [cell.u1 - 50, v],
      ],
      { highway: "service" },
    );
    list.slice(row * 4, row * 4 + 4).forEach((item, i) => {
      const at: PlanPoint = [
        cell.u0 + 130 + (i * (cell.u1 - cell.u0 - 260)) / 3,
        v + (i % 2 === 0 ? 1 : -1) * (item.height / 2 + 14),
      ];
      const address: MutableTags = {
        "addr:housenumber": `${100 * (row + 1) + 2 * i}`,
        "addr:street": street.name,
        ...cityTags(site, cell, at),
      };
      sheet.area(box(at, item.width, item.height), {
        ...parseTags(item.tags),
        name: nameIn(site, item.name),
        ...address,
      });
      sheet.area(box([at[0], v - (i % 2 === 0 ? 1 : -1) * 26], 50, 24), { amenity: "parking", capacity: "36" });
    });
  }
  points.push(cell.north?.attach(u) ?? [u, cell.v1 - 40]);
  sheet.road(points, { highway: "unclassified", name: street.name, surface: "asphalt" });
}

/** Outside the twin towns the halls take the name of their town. */
function nameIn(site: Site, name: string): string {
  return site.index === 0
    ? name
    : `${site.towns.US === site.towns.CA ? site.towns.US : site.towns.CA} ${name.replace(/^St\. \w+ /, "")}`;
}

/** A university: a named area with faculties in it. */
export function university(site: Site, cell: Cell): void {
  const { sheet } = site;
  sheet.area(inset(cell, 14), {
    amenity: "university",
    name: nameIn(site, "Gauss University"),
    "name:de": "Gauß-Universität",
  });
  const u = Math.round((cell.u0 + cell.u1) / 2);
  const v = Math.round((cell.v0 + cell.v1) / 2);
  const west = cell.west?.attach(v) ?? [cell.u0 + 40, v];
  const east = cell.east?.attach(v) ?? [cell.u1 - 40, v];
  const south = cell.south?.attach(u) ?? [u, cell.v0 + 40];
  const north = cell.north?.attach(u) ?? [u, cell.v1 - 40];
  sheet.road([west, [u, v], east], { highway: "pedestrian", name: "Triangulation Walk", bicycle: "yes" });
  sheet.road([south, [u, v], north], { highway: "cycleway", foot: "yes", name: "Ellipsoid Path" });
  const faculties = [
    "Geodesy",
    "Astronomy",
    "Optics",
    "Hydrography",
    "Mathematics",
    "Navigation",
    "Printing",
    "Botany",
  ];
  faculties.forEach((faculty, i) => {
    const at: PlanPoint = [u + (i % 4 < 2 ? -1 : 1) * (80 + (i % 2) * 150), v + (i < 4 ? -1 : 1) * 90];
    sheet.area(box(at, 100, 44), { building: "university", name: `${faculty} Building` });
    sheet.road(
      [
        [at[0], v],
        [at[0], at[1] - Math.sign(at[1] - v) * 22],
      ],
      { highway: "footway" },
    );
  });
}

/** A mall and big stores around one car park, a filling station at the corner. */
export function retailPark(site: Site, cell: Cell): void {
  const { sheet } = site;
  sheet.area(inset(cell, 12), { landuse: "retail" });
  const u = Math.round((cell.u0 + cell.u1) / 2);
  const v = Math.round((cell.v0 + cell.v1) / 2);
  const gate = cell.south?.attach(u) ?? cell.north?.attach(u) ?? cell.west?.attach(v);
  const width = (cell.u1 - cell.u0) / 2 - 60;
  const aisles: PlanPoint[] = Array.from({ length: 6 }, (_, i) => [u, v - 60 + i * 22] as const);
  if (gate) sheet.road([gate, gate[1] < v ? aisles[0] : aisles[5]], { highway: "service" });
  sheet.road(aisles, { highway: "service", service: "parking_aisle" });
  for (const [, at] of aisles) {
    sheet.road(
      [
        [u - width * 0.8, at],
        [u, at],
        [u + width * 0.8, at],
      ],
      { highway: "service", service: "parking_aisle" },
    );
  }
  sheet.area(box([u, v - 5], width * 1.7, 130), {
    amenity: "parking",
    capacity: "480",
    name: `${site.shops.ownerName()} Square Parking`,
  });
  const mall = `${site.shops.ownerName()} Galleria`;
  sheet.area(box([u, v + 140], width * 1.5, 110), { building: "retail", shop: "mall", name: mall });
  for (let i = 0; i < 14; i++) {
    sheet.fresh([u - width * 0.7 + i * width * 0.1, v + 110 + (i % 3) * 25], {
      ...site.shops.next().tags,
      level: `${i % 2}`,
    });
  }
  const big = ["supermarket", "department", "warehouse", "doItYourself"] as const;
  big.forEach((kind, i) => {
    const at: PlanPoint = [u - width * 0.75 + i * width * 0.5, v - 130];
    sheet.area(box(at, width * 0.42, 60), { building: "retail", ...branchTags(kind), ...corner(site, cell, i) });
  });
  const pump: PlanPoint = [cell.u1 - 60, cell.v0 + 60];
  sheet.area(box(pump, 30, 20), { building: "roof", ...branchTags("fuel"), ...corner(site, cell, 5) });
  sheet.area(box([cell.u0 + 70, cell.v1 - 60], 60, 30), {
    building: "hotel",
    ...branchTags("hotel"),
    ...corner(site, cell, 6),
  });
  sheet.area(box([cell.u1 - 70, cell.v1 - 60], 60, 24), {
    building: "hotel",
    ...branchTags("motel"),
    ...corner(site, cell, 7),
  });
  sheet.fresh([cell.u0 + 60, cell.v0 + 50], { shop: "car", name: `${site.shops.ownerName()} Motors` });
}

function corner(site: Site, cell: Cell, i: number): MutableTags {
  const road = cell.south ?? cell.north ?? cell.west ?? cell.east;
  if (!road) return {};
  return {
    "addr:housenumber": `${2000 + 10 * i + site.draw.below(5)}`,
    "addr:street": road.nameAt((cell.v0 + cell.v1) / 2),
    ...cityTags(site, cell, [cell.u0, cell.v0]),
  };
}

/** Works and warehouses on private yards. */
export function industry(site: Site, cell: Cell): void {
  const { sheet, draw } = site;
  sheet.area(inset(cell, 12), { landuse: "industrial" });
  const u = Math.round((cell.u0 + cell.u1) / 2);
  const south = cell.south?.attach(u) ?? ([u, cell.v0 + 40] as const);
  const north = cell.north?.attach(u) ?? ([u, cell.v1 - 40] as const);
  const points: PlanPoint[] = [south];
  for (let v = cell.v0 + 70; v < cell.v1 - 60; v += 110) {
    points.push([u, v]);
    for (const hand of [-1, 1]) {
      const edge = hand < 0 ? cell.u0 + 60 : cell.u1 - 60;
      sheet.road(
        [
          [u, v],
          [edge, v],
        ],
        { highway: "service", access: draw.chance(0.3) ? "private" : "yes" },
      );
      const depth = Math.abs(edge - u) / 2;
      sheet.area(box([u + hand * (depth + 14), v + 42], depth * 1.5, 50), {
        building: draw.pick(["industrial", "warehouse", "warehouse"]),
      });
      if (draw.chance(0.3))
        sheet.fresh([u + hand * 40, v + 15], { office: "company", name: `${site.shops.ownerName()} Works` });
    }
  }
  points.push(north);
  sheet.road(points, { highway: "unclassified", ...nameTags(site), hgv: "designated", surface: "concrete" });
}

function nameTags(site: Site): MutableTags {
  const { name } = site.book.long();
  return { name };
}

/** An airport with a runway, a terminal and its code. */
export function airport(site: Site, cell: Cell, iata: string): void {
  const { sheet } = site;
  sheet.area(inset(cell, 16), {
    aeroway: "aerodrome",
    name: "Meridale International Airport",
    "name:fr": "Aéroport international de Méridale",
    "name:ja": "メリデール国際空港",
    iata,
    icao: `C${iata}`,
  });
  const v = cell.v0 + 470;
  const runway: PlanPoint[] = [
    [cell.u0 + 70, v],
    [cell.u1 - 70, v],
  ];
  sheet.line(runway, { aeroway: "runway", ref: "09/27", surface: "asphalt", width: "45" });
  sheet.line(
    [
      [cell.u0 + 90, v - 110],
      [cell.u1 - 90, v - 110],
    ],
    { aeroway: "taxiway", ref: "A" },
  );
  for (const u of [cell.u0 + 90, (cell.u0 + cell.u1) / 2, cell.u1 - 90])
    sheet.line(
      [
        [u, v - 110],
        [u, v],
      ],
      { aeroway: "taxiway" },
    );
  const u = Math.round((cell.u0 + cell.u1) / 2);
  sheet.area(box([u, v - 190], 300, 90), { aeroway: "apron" });
  sheet.area(box([u, v - 265], 180, 40), { aeroway: "terminal", building: "terminal", name: "Terminal 1" });
  for (let i = 0; i < 6; i++) sheet.fresh([u - 75 + i * 30, v - 250], { aeroway: "gate", ref: `${i + 1}` });
  const gate = cell.south?.attach(u);
  if (gate) {
    sheet.road([gate, [u, v - 320], [u - 80, v - 300], [u, v - 290], [u + 80, v - 300], [u, v - 320]], {
      highway: "service",
      name: "Departures Road",
    });
  }
  sheet.area(box([u, cell.v0 + 70], 220, 60), {
    amenity: "parking",
    capacity: "900",
    name: "Airport Parking",
    fee: "yes",
  });
}
