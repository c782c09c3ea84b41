import type { PlanPoint } from "./plane.ts";
import type { Draft, MutableTags } from "./sheet.ts";
import { type Cell, cityTags, type Site } from "./site.ts";
import type { Street } from "./streets.ts";

/** How the addresses of a street are written into the map. All of these are in use in the real one. */
export type AddressStyle =
  /** On the building. */
  | "building"
  /** On its own node, in front of the building. */
  | "node"
  /** Number on the building, the street through an associatedStreet relation. */
  | "associated"
  /** Only at the ends of each side of the street, with an addr:interpolation way between. */
  | "interpolation"
  /** "14-09": number of the block, number in the block. */
  | "hyphenated"
  /** Apartment houses with a node per unit. */
  | "units";

export interface LotStyle {
  addresses: AddressStyle;
  /** Width of a lot along the street [metres]. */
  frontage: number;
  /** From the middle of the street to the front of the house [metres]. */
  setback: number;
  depth: number;
  /** Share of the lot's width that the house takes, least and most. */
  fill: readonly [number, number];
  buildings: readonly string[];
  /** Share of the houses that have their own driveway in the map. */
  driveways?: number;
  /** Called for every front on a shopping street. */
  shopFront?: (at: PlanPoint, address: MutableTags, building: Draft) => void;
}

const HOUSES = ["house", "house", "detached", "house", "semidetached_house"];

export const RESIDENTIAL: LotStyle = {
  addresses: "building",
  frontage: 17,
  setback: 14,
  depth: 10,
  fill: [0.55, 0.72],
  driveways: 0.05,
  buildings: HOUSES,
};
export const SUBURBAN: LotStyle = {
  addresses: "building",
  frontage: 22,
  setback: 16,
  depth: 12,
  fill: [0.55, 0.72],
  driveways: 0.12,
  buildings: HOUSES,
};
export const APARTMENTS: LotStyle = {
  addresses: "units",
  frontage: 34,
  setback: 15,
  depth: 15,
  fill: [0.6, 0.8],
  buildings: ["apartments"],
};

/** Houses with gardens along both sides of a street, numbered as you walk: odd to the left, even to the right. */
export function buildLots(site: Site, cell: Cell, street: Street, style: LotStyle): void {
  const { draw, sheet } = site;
  const length = lengthOf(street.points);
  if (length < 40) return;
  const base = street.base ?? 100 * (1 + draw.below(40));
  const members: Draft[] = [];
  const driveways: { d: number; at: PlanPoint; to: PlanPoint }[] = [];
  for (const hand of street.hands ?? ([1, -1] as const)) {
    const ends: { number: number; at: PlanPoint }[] = [];
    let last = 0;
    for (let d = 12; d < length - 10; d += style.frontage * draw.between(0.95, 1.1)) {
      const { at, along } = positionAt(street.points, d);
      const out: PlanPoint = [along[1] * hand, -along[0] * hand];
      const width = style.frontage * draw.between(...style.fill);
      const depth = style.depth * draw.between(0.85, 1.15);
      const setback = style.setback + draw.between(-1, 3);
      const corners = box(at, along, out, width, setback, depth);
      if (!site.ground.claim(corners)) continue;
      let number = base + 2 * Math.floor(d / 10) + (hand === 1 ? 0 : 1);
      if (number <= last) number = last + 2;
      last = number;
      const address: MutableTags = {
        "addr:housenumber": style.addresses === "hyphenated" ? hyphenated(base, number) : `${number}`,
        "addr:street": street.name,
        ...cityTags(site, cell, at),
      };
      if (style.addresses === "associated") delete address["addr:street"];
      const front: PlanPoint = [at[0] + out[0] * setback, at[1] + out[1] * setback];
      const own = style.addresses === "node" || style.addresses === "interpolation" ? {} : address;
      const kind = draw.pick(style.buildings);
      const building = sheet.area(outline(site, corners), { building: kind, ...levels(site, kind), ...own });
      members.push(building);
      if (style.addresses === "node") sheet.fresh(front, address);
      if (style.addresses === "interpolation") ends.push({ number, at: front });
      if (style.addresses === "units") unitNodes(site, corners, address);
      style.shopFront?.(front, address, building);
      if (street.draft && style.driveways && draw.chance(style.driveways)) driveways.push({ d, at, to: front });
      if (style.frontage > 20 && draw.chance(0.25)) shed(site, at, along, out, setback + depth + 6);
    }
    if (style.addresses === "interpolation" && ends.length > 1) interpolate(site, cell, street, ends);
  }
  if (street.draft) joinDriveways(site, street.points, street.draft, driveways);
  if (style.addresses === "associated" && street.draft && members.length > 0) {
    sheet.relation([{ draft: street.draft, role: "street" }, ...members.map((draft) => ({ draft, role: "house" }))], {
      type: "associatedStreet",
      name: street.name,
    });
  }
}

/** Puts the ends of driveways into the street, where they leave it, and draws them. */
function joinDriveways(
  site: Site,
  points: readonly PlanPoint[],
  draft: Draft,
  driveways: readonly { d: number; at: PlanPoint; to: PlanPoint }[],
): void {
  // Both sides of the street were walked one after the other.
  const sorted = [...driveways].sort((a, b) => b.d - a.d);
  let passed = 0;
  for (let i = 1; i < points.length && sorted.length > 0; i++) {
    passed += Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
    while (sorted.length > 0 && sorted[sorted.length - 1].d < passed - 1) {
      const { at, to } = sorted.pop()!;
      const before = site.sheet.node(points[i]);
      const foot = site.sheet.node(at);
      if (!draft.refs.includes(foot)) draft.refs.splice(draft.refs.indexOf(before), 0, foot);
      site.sheet.road([at, to], { highway: "service", service: "driveway" });
    }
  }
}

/** 1418 on a street whose first block is 14 → "14-19" style numbers, as on Queens' corners. */
function hyphenated(base: number, number: number): string {
  const block = Math.floor(base / 100) + Math.floor((number - base) / 50);
  return `${block}-${String(((number - base) % 50) + 1).padStart(2, "0")}`;
}

function levels(site: Site, kind: string): MutableTags {
  if (kind === "apartments") return { "building:levels": `${3 + site.draw.below(6)}` };
  if (kind === "retail" || kind === "commercial") return { "building:levels": `${1 + site.draw.below(4)}` };
  return site.draw.chance(0.3) ? { "building:levels": "2" } : {};
}

/** The first and last house of a side carry numbers, a line between them says how to count. */
function interpolate(site: Site, cell: Cell, street: Street, ends: { number: number; at: PlanPoint }[]): void {
  const numbered = [ends[0], ends[ends.length - 1]].map(({ number, at }) =>
    site.sheet.fresh(at, { "addr:housenumber": `${number}`, "addr:street": street.name, ...cityTags(site, cell, at) }),
  );
  const between = ends.slice(1, -1).filter((_, i) => i % 4 === 3);
  const refs = [numbered[0], ...between.map(({ at }) => site.sheet.fresh(at)), numbered[1]];
  site.sheet.draft(refs, { "addr:interpolation": ends[0].number % 2 === 0 ? "even" : "odd" });
}

function unitNodes(site: Site, corners: readonly PlanPoint[], address: MutableTags): void {
  const [a, , c] = corners;
  const floors = 2 + site.draw.below(3);
  for (let floor = 1; floor <= floors; floor++) {
    for (const [door, letter] of ["A", "B"].entries()) {
      const t = (floor + door * 0.5) / (floors + 2);
      const at: PlanPoint = [a[0] + (c[0] - a[0]) * t, a[1] + (c[1] - a[1]) * t];
      site.sheet.fresh(at, { ...address, "addr:unit": `${floor}${letter}` });
    }
  }
}

function shed(site: Site, at: PlanPoint, along: PlanPoint, out: PlanPoint, behind: number): void {
  const corners = box(at, along, out, 5, behind, 4);
  if (site.ground.claim(corners)) site.sheet.area(corners, { building: site.draw.chance(0.6) ? "garage" : "shed" });
}

/** Corners of a house: front left, front right, back right, back left, seen from the street. */
function box(
  at: PlanPoint,
  along: PlanPoint,
  out: PlanPoint,
  width: number,
  setback: number,
  depth: number,
): PlanPoint[] {
  const corner = (a: number, o: number): PlanPoint => [
    at[0] + along[0] * a + out[0] * o,
    at[1] + along[1] * a + out[1] * o,
  ];
  const half = width / 2;
  return [corner(-half, setback), corner(half, setback), corner(half, setback + depth), corner(-half, setback + depth)];
}

/** Some houses are L-shaped: a corner of the back is cut out. */
function outline(site: Site, corners: readonly PlanPoint[]): readonly PlanPoint[] {
  if (!site.draw.chance(0.35)) return corners;
  const [a, b, , d] = corners;
  const at = (s: number, t: number): PlanPoint => [
    a[0] + (b[0] - a[0]) * s + (d[0] - a[0]) * t,
    a[1] + (b[1] - a[1]) * s + (d[1] - a[1]) * t,
  ];
  const s = site.draw.between(0.4, 0.65);
  const t = site.draw.between(0.45, 0.7);
  return [a, b, at(1, t), at(s, t), at(s, 1), d];
}

function lengthOf(points: readonly PlanPoint[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++)
    sum += Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  return sum;
}

/** Where you are after `d` metres, and the direction you walk in (a unit vector). */
function positionAt(points: readonly PlanPoint[], d: number): { at: PlanPoint; along: PlanPoint } {
  let rest = d;
  for (let i = 1; i < points.length; i++) {
    const du = points[i][0] - points[i - 1][0];
    const dv = points[i][1] - points[i - 1][1];
    const length = Math.hypot(du, dv);
    if (length > 0 && (rest <= length || i === points.length - 1)) {
      const t = Math.min(1, rest / length);
      return { at: [points[i - 1][0] + du * t, points[i - 1][1] + dv * t], along: [du / length, dv / length] };
    }
    rest -= length;
  }
  return { at: points[0], along: [1, 0] };
}
