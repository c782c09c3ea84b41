import { describe, expect, it } from "vitest";
import type { Vehicle } from "../../../../src/core/routing/graph/vehicle.ts";
import type { RouteOptions } from "../../../../src/core/routing/route/router.ts";
import { build, type World } from "../scenario.ts";

/** The straight road `bc` has a limit; the detour is three times as long. */
const MAP = `
  a----b----c----d
       |    |
       |    |
       e----f
`;
const worldWith = (limit: string, others: Record<string, string> = {}): Promise<World> =>
  build({ map: MAP, ways: { ab: "", bc: limit, cd: "", be: "", ef: "", fc: "", ...others } });

const STRAIGHT = "ab,bc,cd";
const DETOUR = "ab,be,ef,fc,cd";

/** The roads from a to d. */
const roads = (world: World, mode: RouteOptions["mode"], vehicle?: Vehicle) => world.names("ab cd", { mode, vehicle });

describe("a vehicle", () => {
  it.each<[tags: string, mode: "car" | "truck", fits: Vehicle, exceeds: Vehicle]>([
    ["maxheight=3.5", "truck", { height: 3.5 }, { height: 3.51 }],
    ["maxheight=3.5", "car", { height: 3.5 }, { height: 3.6 }],
    ["maxheight=13'6", "truck", { height: 4.11 }, { height: 4.12 }],
    ['maxheight="12 ft 6 in"', "truck", { height: 3.81 }, { height: 3.82 }],
    ["maxheight=below_default", "truck", { height: 3.9 }, { height: 4 }],
    ["maxheight=2.2", "car", { height: 2.2 }, { height: 2.3 }],
    ["maxwidth=2.3", "truck", { width: 2.29 }, { width: 2.3 }],
    ["maxwidth=2.2", "car", { width: 2.1 }, { width: 2.2 }],
    ["maxlength=12", "truck", { length: 12 }, { length: 12.5 }],
    ["maxweight=7.5", "truck", { weight: 7.5 }, { weight: 7.6 }],
    ['maxweight="16000 lbs"', "truck", { weight: 7.2 }, { weight: 7.3 }],
    ['maxweight="10 st"', "truck", { weight: 9 }, { weight: 9.1 }],
    ["maxweight:hgv=12", "truck", { weight: 12 }, { weight: 13 }],
    ["maxweightrating=3.5", "car", { weight: 3.5 }, { weight: 3.6 }],
    ["maxweight=20 maxweightrating=12", "truck", { weight: 12 }, { weight: 18 }],
    ["maxaxleload=8", "truck", { axleLoad: 8 }, { axleLoad: 9 }],
    ["maxaxles=3", "truck", { axles: 3 }, { axles: 4 }],
    ["hazmat=no", "truck", {}, { hazmat: 3 }],
    ["hazmat:B=no hazmat:C=no", "truck", { hazmat: 2 }, { hazmat: 1 }],
    ["hazmat:adr_tunnel_code=D", "truck", { hazmat: 3 }, { hazmat: 2 }],
    ["trailer=no", "car", {}, { trailer: true }],
    ['hgv:conditional="no @ (weight>7.5)"', "truck", { weight: 7.5 }, { weight: 8 }],
    ['access:conditional="no @ (length > 10 m)"', "car", { length: 10 }, { length: 11 }],
    ['hgv:forward:conditional="no @ (weight>=7.5)"', "truck", { weight: 7.4 }, { weight: 7.5 }],
  ])("on a road with %s by %s", async (tags, mode, fits, exceeds) => {
    const world = await worldWith(tags);
    expect(await roads(world, mode, fits)).toBe(STRAIGHT);
    expect(await roads(world, mode, exceeds)).toBe(DETOUR);
  });

  it("is the default one without parameters", async () => {
    expect(await roads(await worldWith("maxheight=4"), "truck")).toBe(DETOUR);
    expect(await roads(await worldWith("maxheight=4.2"), "truck")).toBe(STRAIGHT);
    expect(await roads(await worldWith("maxheight=1.9"), "car")).toBe(DETOUR);
    expect(await roads(await worldWith("maxweight=40 maxlength=18 hazmat=no trailer=no"), "truck")).toBe(STRAIGHT);
    expect(await roads(await worldWith("maxweight=35"), "truck")).toBe(DETOUR);
    expect(await roads(await worldWith('hgv:conditional="no @ (weight>7.5)"'), "truck")).toBe(DETOUR);
  });

  it("does not open what its mode may not use", async () => {
    expect(await roads(await worldWith("hgv=no maxheight=3"), "truck", { height: 2 })).toBe(DETOUR);
    // Walkers and riders have no size.
    expect(await roads(await worldWith("maxheight=1"), "foot", { height: 2 })).toBe(STRAIGHT);
  });

  it("may stop on a road that is for stopping only, and not pass it", async () => {
    const world = await worldWith('hgv:conditional="delivery @ (weight>3.5)"');
    expect(await roads(world, "truck", { weight: 3.5 })).toBe(STRAIGHT);
    expect(await roads(world, "truck", { weight: 12 })).toBe(DETOUR);
    expect(await world.names("ab bc", { mode: "truck", vehicle: { weight: 12 } })).toBe("ab,bc");
  });

  it("does not start or end where it may not be, but on the next road", async () => {
    const world = await worldWith("maxheight=3.5");
    expect(await world.names("ab bc", { mode: "truck", vehicle: { height: 3 } })).toBe("ab,bc");
    expect(await world.names("ab bc", { mode: "truck", vehicle: { height: 3.7 } })).not.toContain("bc");
  });

  it("reaches nothing where the only road is closed to it", async () => {
    const world = await build({ map: "a----b----c----d", ways: { ab: "", bc: "maxweight=20", cd: "" } });
    const distance = (vehicle?: Vehicle) =>
      world.router.distance(world.at("ab"), world.at("cd"), { mode: "truck", vehicle });
    expect(await distance({ weight: 20 })).toBeDefined();
    expect(await distance({ weight: 21 })).toBeUndefined();
    expect(await distance()).toBeUndefined();
  });

  it("drives no faster than its own speed, and than is allowed at its weight or with its trailer", async () => {
    const world = await build({
      map: "a----b----c----d",
      grid: 1000,
      ways: { abcd: 'highway=motorway maxspeed=120 maxspeed:trailer=80 maxspeed:hgv:conditional="60 @ (weight>7.5)"' },
    });
    const speed = async (mode: "car" | "truck", vehicle: Vehicle) => {
      const route = (await world.router.distance(world.at("ab"), world.at("cd"), { mode, vehicle }))!;
      return Math.round((route.distance / route.duration) * 3.6);
    };
    expect(await speed("car", {})).toBe(96);
    expect(await speed("car", { maxSpeed: 45 })).toBe(45);
    expect(await speed("car", { trailer: true })).toBe(64);
    expect(await speed("car", { trailer: true, maxSpeed: 50 })).toBe(50);
    expect(await speed("truck", { weight: 5 })).toBe(90);
    expect(await speed("truck", { weight: 12 })).toBe(48);
    expect(await speed("truck", {})).toBe(48);
  });

  it("chooses another route where its speed makes that one faster", async () => {
    const world = await worldWith("", {
      bc: "highway=residential maxspeed=30",
      be: "highway=motorway",
      ef: "highway=motorway",
      fc: "highway=motorway",
    });
    expect(await roads(world, "car")).toBe(DETOUR);
    expect(await roads(world, "car", { maxSpeed: 25 })).toBe(STRAIGHT);
  });
});

describe("a low-emission zone", () => {
  // Zone North is around the upper road from b to c, zone South around the lower one, of which a part has no zone.
  const town = () =>
    build({
      map: `
      g---------h
      |         |
 a----b---------c----d
 |    |         |    |
 |    j---------i    |
 |                   |
 |    k---------l    |
 |    |         |    |
 e-------------------f
 |    |         |    |
 |    n---------m    |
 |                   |
 o-------------------p
`,
      ways: {
        ab: "",
        bc: "",
        cd: "",
        ae: "",
        ef: "",
        fd: "",
        eo: "",
        op: "",
        pf: "",
        ghijg: 'highway="" boundary=low_emission_zone name=North',
        klmnk: 'highway="" boundary=low_emission_zone name=South',
      },
    });
  // A zone's own corners are junctions of no road; its lines run between streets.
  it("is avoided where another road leads on, all of them or some by name", async () => {
    const world = await town();
    expect(await world.router.zones()).toEqual(["North", "South"]);
    const names = (zones?: RouteOptions["zones"], mode: RouteOptions["mode"] = "car") =>
      world.names("ab cd", { mode, zones });
    expect(await names()).toBe("ab,bc,cd");
    expect(await names([1])).toBe("ab,ae,ef,fd,cd");
    expect(await names([2])).toBe("ab,bc,cd");
    expect(await names("all")).toBe("ab,ae,eo,op,pf,fd,cd");
    expect(await names("all", "truck")).toBe("ab,ae,eo,op,pf,fd,cd");
    expect(await names("all", "bike")).toBe("ab,bc,cd");
    // A journey into the zone is possible.
    expect(await world.names("ab bc", { mode: "car", zones: "all" })).toBe("ab,bc");
  });
});
