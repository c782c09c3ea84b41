import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { haversine } from "../../src/core/geo/distance.ts";
import { ringContains } from "../../src/core/geo/shapes/polygon.ts";
import { demoBounds, demoWorld, MAX_WORLD_TOWNSHIPS } from "../../src/demo/world/demo-world.ts";
import { drawFrame } from "../../src/demo/world/frame.ts";
import { townships } from "../../src/demo/world/layout.ts";
import { postalArea } from "../../src/demo/world/names.ts";
import { Plane } from "../../src/demo/world/plane.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay, Tags } from "../../src/importer/osm/pbf/element.ts";
import { assemblePolygons } from "../../src/importer/osm/polygons/multipolygon.ts";
import { isNight } from "../support/night.ts";

const world = [...demoWorld()];
const nodes = new Map(world.filter((e): e is OsmNode => e.type === "node").map((node) => [node.id, node]));
const ways = new Map(world.filter((e): e is OsmWay => e.type === "way").map((way) => [way.id, way]));
const relations = world.filter((e): e is OsmRelation => e.type === "relation");
const roads = [...ways.values()].filter(({ tags }) => tags.highway);

const some = (test: (tags: Tags) => boolean, among: Iterable<OsmElement> = world) => {
  for (const element of among) if (test(element.tags)) return true;
  return false;
};
const fingerprint = (elements: Iterable<OsmElement>) => {
  const hash = createHash("sha256");
  for (const element of elements) hash.update(JSON.stringify(element));
  return hash.digest("hex");
};

describe("the demo world as data", () => {
  it("is the same every time, and another one for another seed", () => {
    expect(fingerprint(demoWorld())).toBe(fingerprint(world));
    expect(fingerprint(demoWorld({ seed: 50 }))).not.toBe(fingerprint(world));
  });

  it("comes as nodes, ways, relations, by ascending id", () => {
    const order = { node: 0, way: 1, relation: 2 };
    for (let i = 1; i < world.length; i++) {
      const [a, b] = [world[i - 1], world[i]];
      const ascending = a.type === b.type ? a.id < b.id : order[a.type] < order[b.type];
      if (!ascending) expect.fail(`${b.type} ${b.id} follows ${a.type} ${a.id}`);
    }
  });

  it.runIf(isNight)("keeps every township as it is when the world grows", () => {
    const key = ({ type, id }: OsmElement) => `${type} ${id}`;
    const larger = new Map<string, string>();
    for (const element of demoWorld({ size: 3 })) larger.set(key(element), JSON.stringify(element));
    const ours = world.filter(({ id }) => id >= 1_000_000);
    expect(ours.length).toBeGreaterThan(90_000);
    expect(ours.filter((element) => larger.get(key(element)) !== JSON.stringify(element))).toEqual([]);
    expect(larger.size).toBeGreaterThan(3 * world.length);
  });

  it("refuses sizes it cannot be", () => {
    for (const size of [0, MAX_WORLD_TOWNSHIPS + 1, 1.5, Number.NaN])
      expect(() => [...demoWorld({ size })]).toThrow(RangeError);
  });

  it("has room for the largest world: no two things of its frame share an id, no two areas a postal code", () => {
    const list = townships(MAX_WORLD_TOWNSHIPS);
    const { nodes, ways, relations } = drawFrame(49, new Plane(49), list);
    for (const elements of [nodes, ways, relations]) {
      expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length);
      expect(elements.at(-1)?.id).toBeLessThan(1_000_000);
    }
    expect(relations.filter(({ tags }) => tags.admin_level === "8")).toHaveLength(MAX_WORLD_TOWNSHIPS + 27);
    const counties = relations.filter(({ tags }) => tags.admin_level === "6");
    expect(counties).toHaveLength(9 * 9 + 9);
    for (const side of ["US", "CA"] as const) {
      expect(new Set(list.flatMap(({ index: k }) => [postalArea(side, 2 * k), postalArea(side, 2 * k + 1)])).size).toBe(
        2 * MAX_WORLD_TOWNSHIPS,
      );
    }
  });

  it("refers only to what it holds, but for the countries, which go on beyond it", () => {
    const missing: string[] = [];
    for (const { id, refs } of ways.values()) {
      if (refs.length < 2) missing.push(`way ${id} has ${refs.length} nodes`);
      for (const ref of refs) if (!nodes.has(ref)) missing.push(`way ${id}: node ${ref}`);
    }
    for (const { members, tags } of relations) {
      if (tags.admin_level === "2") continue;
      for (const { type, ref } of members) {
        if (!(type === "node" ? nodes.has(ref) : ways.has(ref)))
          missing.push(`${tags.type} ${tags.name}: ${type} ${ref}`);
      }
    }
    expect(missing).toEqual([]);
    const countries = relations.filter(({ tags }) => tags.admin_level === "2");
    expect(countries.map(({ tags, members }) => [tags.name, members.every(({ ref }) => ways.has(ref))])).toEqual([
      ["United States", false],
      ["Canada", false],
    ]);
  });

  it("has no node twice in a row, and every used node is somewhere else than its neighbour", () => {
    let zeroLength = 0;
    for (const { refs } of ways.values()) {
      for (let i = 1; i < refs.length; i++) {
        const [a, b] = [nodes.get(refs[i - 1])!, nodes.get(refs[i])!];
        if (a.latitude === b.latitude && a.longitude === b.longitude) zeroLength++;
      }
    }
    expect(zeroLength).toBe(0);
  });

  it("lies within its bounds, in both countries", () => {
    const [west, south, east, north] = demoBounds();
    for (const { latitude, longitude } of nodes.values()) {
      if (latitude < south || latitude > north || longitude < west || longitude > east) {
        expect.fail(`${latitude}, ${longitude} lies outside`);
      }
    }
    expect(south).toBeLessThan(49);
    expect(north).toBeGreaterThan(49);
  });
});

describe("the demo world has something to show", () => {
  const road = (test: (tags: Tags) => boolean) => some(test, roads);
  const relation = (test: (tags: Tags) => boolean) => some(test, relations);
  const cases: [what: string, there: () => boolean][] = [
    ...["motorway", "motorway_link", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential"]
      .concat(["service", "pedestrian", "track", "cycleway", "footway", "path", "steps"])
      .map((kind): [string, () => boolean] => [`highway=${kind}`, () => road(({ highway }) => highway === kind)]),
    ["numbered exits with destinations", () => some((t) => t.highway === "motorway_junction" && t.ref !== undefined)],
    ["signs at ramps", () => road((t) => t.highway === "motorway_link" && t.destination !== undefined)],
    [
      "streets one-way with and against their drawing",
      () => road((t) => t.oneway === "yes") && road((t) => t.oneway === "-1"),
    ],
    ["one-ways that bicycles may ride both ways", () => road((t) => t["oneway:bicycle"] === "no")],
    ["roundabouts", () => road((t) => t.junction === "roundabout")],
    ["traffic signals", () => some((t) => t.highway === "traffic_signals")],
    [
      "a toll bridge with a booth",
      () => road((t) => t.toll === "yes" && t.bridge === "yes") && some((t) => t.barrier === "toll_booth"),
    ],
    ["a ferry", () => some((t) => t.route === "ferry" && t.duration !== undefined)],
    ["border crossings", () => some((t) => t.barrier === "border_control")],
    [
      "low, weak and closed roads for trucks",
      () => road((t) => !!t.maxheight) && road((t) => !!t.maxweight) && road((t) => t.hgv === "no"),
    ],
    [
      "lanes and arrows on them",
      () => road((t) => !!t.lanes && !!t["turn:lanes"]) && road((t) => !!t["turn:lanes:forward"]),
    ],
    [
      "speed limits in miles and in kilometres",
      () => road((t) => /mph$/.test(t.maxspeed ?? "")) && road((t) => /^\d+$/.test(t.maxspeed ?? "")),
    ],
    ...["no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "only_straight_on", "only_right_turn"].map(
      (kind): [string, () => boolean] => [`restriction ${kind}`, () => relation((t) => t.restriction === kind)],
    ),
    ["a restriction by the hour", () => relation((t) => t["restriction:conditional"] !== undefined)],
    ["a restriction with an exception", () => relation((t) => t.type === "restriction" && t.except !== undefined)],
    [
      "a restriction via a way",
      () => relations.some(({ members }) => members.some(({ type, role }) => type === "way" && role === "via")),
    ],
    ["hyphenated numbers", () => some((t) => /^\d+-\d\d$/.test(t["addr:housenumber"] ?? ""))],
    ["units", () => some((t) => t["addr:unit"] !== undefined)],
    [
      "interpolation, even and odd",
      () => some((t) => t["addr:interpolation"] === "even") && some((t) => t["addr:interpolation"] === "odd"),
    ],
    ["streets with their houses in a relation", () => relation((t) => t.type === "associatedStreet")],
    [
      "postal areas",
      () =>
        relation((t) => t.boundary === "postal_code" && /^5\d{4}$/.test(t.postal_code)) &&
        relation((t) => /^T\d[A-Z]$/.test(t.postal_code ?? "")),
    ],
    ...["2", "4", "6", "8"].map((level): [string, () => boolean] => [
      `boundaries of level ${level}`,
      () => relation((t) => t.admin_level === level),
    ]),
    [
      "a lake with an island",
      () =>
        relations.some(({ tags, members }) => tags.water === "lake" && members.some(({ role }) => role === "inner")),
    ],
    ["a river as a line and as an area", () => some((t) => t.waterway === "river") && some((t) => t.water === "river")],
    ["rails that cross roads", () => some((t) => t.railway === "rail") && some((t) => t.railway === "level_crossing")],
    ["an airport with a code", () => some((t) => t.aeroway === "aerodrome" && /^[A-Z]{3}$/.test(t.iata ?? ""))],
    [
      "names in all ten languages",
      () =>
        ["ar", "de", "es", "fr", "ja", "ko", "pt", "ru", "zh"].every((lang) =>
          some((t) => t[`name:${lang}`] !== undefined),
        ),
    ],
  ];
  for (const [what, there] of cases) it(what, () => expect(there()).toBe(true));
});

describe("the demo world as a place to live", () => {
  it("gives American addresses south of the parallel and Canadian ones north of it", () => {
    const wrong: string[] = [];
    for (const element of world) {
      const { tags } = element;
      if (!tags["addr:postcode"]) continue;
      const at = element.type === "way" ? nodes.get(element.refs[0])! : (element as OsmNode);
      const south = at.latitude < 49;
      const fits = south
        ? tags["addr:state"] === "MT" && /^\d{5}$/.test(tags["addr:postcode"]) && tags["addr:city"] === "Meridale"
        : tags["addr:province"] === "AB" &&
          /^[A-Z]\d[A-Z] \d[A-Z]\d$/.test(tags["addr:postcode"]) &&
          tags["addr:city"] === "North Meridale";
      if (!fits) wrong.push(JSON.stringify(tags));
    }
    expect(wrong).toEqual([]);
  });

  it("has boundaries that close, around their towns and around the houses that name them", () => {
    const areas = relations
      .filter(({ tags }) => tags.type === "boundary" && tags.admin_level !== "2")
      .map((relation) => {
        const { polygons, open } = assemblePolygons(
          relation.members.filter(({ type }) => type === "way").map(({ ref }) => ways.get(ref)!.refs),
          (id) => [nodes.get(id)!.longitude, nodes.get(id)!.latitude],
        );
        expect(open, relation.tags.name).toBe(0);
        expect(polygons.length, relation.tags.name).toBe(1);
        return { ...relation, holds: (at: OsmNode) => ringContains(polygons[0].outer, at.latitude, at.longitude) };
      });
    // Two each of states, counties and towns; two postal areas on each side.
    expect(areas.length).toBe(10);
    for (const { members, holds, tags } of areas) {
      for (const { ref, role } of members) if (role === "label") expect(holds(nodes.get(ref)!), tags.name).toBe(true);
    }
    const postal = new Map(
      areas.flatMap((area) => (area.tags.postal_code ? [[area.tags.postal_code, area] as const] : [])),
    );
    const towns = new Map(
      areas.flatMap((area) => (area.tags.admin_level === "8" ? [[area.tags.name, area] as const] : [])),
    );
    let houses = 0;
    let astray = 0;
    for (const { refs, tags } of ways.values()) {
      if (!tags.building || !tags["addr:postcode"]) continue;
      const at = nodes.get(refs[0])!;
      houses++;
      if (!towns.get(tags["addr:city"])?.holds(at))
        expect.fail(`${tags["addr:city"]} does not hold its house at ${at.latitude}`);
      if (!postal.get(tags["addr:postcode"].split(" ")[0])?.holds(at)) astray++;
    }
    expect(houses).toBeGreaterThan(8000);
    // A house goes by the point of the street in front of it; on a postal area's edge its corner may lie beyond.
    expect(astray).toBeLessThan(0.005 * houses);
  });

  it("gives no address to two houses", () => {
    const seen = new Set<string>();
    const twice: string[] = [];
    for (const { tags } of ways.values()) {
      if (!tags.building || !tags["addr:street"] || !tags["addr:housenumber"]) continue;
      const address = `${tags["addr:housenumber"]} ${tags["addr:street"]}, ${tags["addr:city"]}`;
      if (seen.has(address)) twice.push(address);
      seen.add(address);
    }
    expect(seen.size).toBeGreaterThan(8000);
    expect(twice).toEqual([]);
  });

  it("has roads that all hang together", () => {
    const parent = new Map<number, number>();
    const root = (id: number): number => {
      let at = id;
      while (parent.get(at) !== undefined && parent.get(at) !== at) at = parent.get(at)!;
      parent.set(id, at);
      return at;
    };
    for (const { refs } of roads) for (let i = 1; i < refs.length; i++) parent.set(root(refs[i]), root(refs[0]));
    const sizes = new Map<number, { ways: number; kinds: Set<string> }>();
    for (const { refs, tags } of roads) {
      const own = sizes.get(root(refs[0])) ?? { ways: 0, kinds: new Set() };
      own.ways++;
      own.kinds.add(tags.highway);
      sizes.set(root(refs[0]), own);
    }
    const [main, ...rest] = [...sizes.values()].sort((a, b) => b.ways - a.ways);
    expect(main.ways).toBeGreaterThan(roads.length * 0.99);
    // What is apart: tracks and paths, no street where somebody lives.
    expect(rest.flatMap(({ kinds }) => [...kinds]).filter((kind) => !/^(path|footway|track)$/.test(kind))).toEqual([]);
  });

  it("lets turn restrictions begin and end where their ways meet", () => {
    const broken: string[] = [];
    for (const { id, tags, members } of relations) {
      if (tags.type !== "restriction") continue;
      const chain = ["from", "via", "to"].flatMap((role) => members.filter((member) => member.role === role));
      const endsOf = ({ type, ref }: (typeof members)[number]) => {
        const refs = type === "node" ? [ref] : ways.get(ref)!.refs;
        return [refs[0], refs[refs.length - 1]];
      };
      for (let i = 1; i < chain.length; i++) {
        const [a, b] = [endsOf(chain[i - 1]), endsOf(chain[i])];
        if (!a.some((end) => b.includes(end))) broken.push(`${id} ${tags.restriction}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("has streets with bends: the land bends whatever was planned straight", () => {
    const main = roads.filter(({ tags }) => tags.name === "Main Street");
    const line = main.flatMap(({ refs }) => refs.map((ref) => nodes.get(ref)!)).sort((a, b) => a.latitude - b.latitude);
    const [first, last] = [line[0], line[line.length - 1]];
    const bend = line.map(({ latitude, longitude }) => {
      const t = (latitude - first.latitude) / (last.latitude - first.latitude);
      return haversine(latitude, longitude, latitude, first.longitude + t * (last.longitude - first.longitude));
    });
    expect(Math.max(...bend)).toBeGreaterThan(15);
  });
});
