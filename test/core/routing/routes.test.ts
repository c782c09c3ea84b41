import { describe, expect, it, vi } from "vitest";
import { NoRoad } from "../../../src/core/routing/route/router.ts";
import { build } from "./scenario.ts";

const SQUARE = `
  a-----b
  |     |
  |     |
  c-----d
`;

describe("a route", () => {
  it("takes the faster road, not the shorter one", async () => {
    const world = await build({
      map: SQUARE,
      ways: {
        ab: "highway=motorway oneway=no",
        bd: "highway=motorway oneway=no",
        ac: "highway=service",
        cd: "highway=service",
      },
    });
    expect(await world.names("a d")).toBe("ab,bd");
    expect(await world.names("a d", { mode: "foot" })).toBe("ac,cd");
  });

  it("goes through its locations in order", async () => {
    const world = await build({ map: SQUARE, ways: { ab: "", bd: "", ac: "", cd: "" } });
    const route = await world.find(["ab", "cd", "bd"], { mode: "car" });
    expect(route?.legs).toHaveLength(2);
    expect(route?.distance).toBeCloseTo(route!.legs[0].distance + route!.legs[1].distance, 6);
  });

  it("is found leg by leg, each when it is asked for", async () => {
    const world = await build({ map: SQUARE, ways: { ab: "", bd: "", ac: "", cd: "" } });
    const places = ["ab", "cd", "bd", "a"].map((name) => world.at(name));
    const whole = await world.router.route(places, { mode: "car" });
    const legs: unknown[] = [];
    const found = vi.spyOn(world.router.store, "view");
    let before = 0;
    for await (const leg of world.router.legs(places, { mode: "car" })) {
      legs.push(leg);
      expect(found.mock.calls.length).toBeGreaterThan(before);
      before = found.mock.calls.length;
    }
    expect(legs).toEqual(whole!.legs);
  });

  it("ends at the first leg that leads nowhere", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    const legs: unknown[] = [];
    const places = ["a", "b", "c", "d"].map((name) => world.at(name));
    for await (const leg of world.router.legs(places, { mode: "car" })) legs.push(leg);
    expect(legs).toHaveLength(2);
    expect(legs[1]).toBeUndefined();
    expect(await world.router.route(places, { mode: "car" })).toBeUndefined();
  });

  it("has no length when it ends where it begins", async () => {
    const world = await build({ map: "a--b", ways: { ab: "" } });
    const route = await world.find(["ab", "ab"], { mode: "car" });
    expect(route?.distance).toBe(0);
    expect(route?.duration).toBe(0);
    expect(world.router.view(route!.legs[0]).path.pieces[0].geometry).toHaveLength(2);
  });

  it("goes round the block to a point behind on a one-way street", async () => {
    const world = await build({
      map: SQUARE,
      ways: { ab: "oneway=yes", bd: "oneway=yes", dc: "oneway=yes", ca: "oneway=yes" },
    });
    expect(await world.names("abb aab")).toBe("ab,bd,dc,ca,ab");
  });

  it("does not exist between two parts of a network", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    expect(await world.names("a d")).toBe("");
  });

  it("throws when a point has no road within reach, naming the point", async () => {
    const world = await build({ map: "a--b", ways: { ab: "" } });
    const far = { latitude: 40, longitude: 10 };
    const route = world.router.route([world.at("a"), far], { mode: "car" });
    await expect(route).rejects.toBeInstanceOf(NoRoad);
    await expect(route).rejects.toMatchObject({ index: 1 });
    await expect(
      world.router.route([world.at("a+0,3"), world.at("b")], { mode: "car", reach: 200 }),
    ).rejects.toMatchObject({ index: 0 });
  });

  it("starts on any of the roads that meet where it begins", async () => {
    const world = await build({ map: "a--b--c", ways: { ba: "oneway=yes", bc: "oneway=yes" } });
    expect(await world.names("b c")).toBe("bc");
    expect(await world.names("b a")).toBe("ba");
  });

  it("starts in the direction of its heading", async () => {
    const world = await build({ map: SQUARE, ways: { ab: "", bd: "", ac: "", cd: "" } });
    const there = await world.names("ab cd", { heading: 90 });
    const back = await world.names("ab cd", { heading: 270 });
    expect(there).toBe("ab,bd,cd");
    expect(back).toBe("ab,ac,cd");
    // North fits no road here: it is as if none had been given.
    expect(await world.names("ab cd", { heading: 0 })).not.toBe("");
  });

  it("uses the roads of a private estate only where it begins or ends there", async () => {
    const world = await build({
      map: `
        a-----b-----c
        |           |
        d-----e-----f
      `,
      ways: { abc: "access=private", ad: "", def: "highway=service", fc: "" },
    });
    expect(await world.names("ad fc")).toBe("ad,def,fc");
    expect(await world.names("ad ab")).toBe("ad,abc");
    expect(await world.names("ab bc")).toBe("abc");
  });

  it("prefers a through road to a car park of the same length", async () => {
    const world = await build({
      map: SQUARE,
      ways: { ab: "highway=service service=parking_aisle", bd: "", ac: "highway=service", cd: "" },
    });
    expect(await world.names("a d")).toBe("ac,cd");
  });
});

describe("a ferry", () => {
  const CROSSING = {
    map: "a--b---------c--d",
    ways: { ab: "", bc: "route=ferry", cd: "" },
  };

  it("is taken at its own pace, after a wait of half the crossing and five minutes to board", async () => {
    const world = await build({ ...CROSSING, ways: { ...CROSSING.ways, bc: "route=ferry duration=00:20" } });
    const route = await world.find(["ab", "cd"], { mode: "car" });
    expect(route!.duration / 60).toBeCloseTo(20 + 10 + 5, 0);
    expect(await world.names("ab cd")).toBe("ab,bc,cd");
    const modes = world.router.view(route!.legs[0]).path.pieces.map(({ road }) => road.mode);
    expect(modes).toEqual(["driving", "ferry", "driving"]);
  });

  it.each([
    ["20 km/h if it carries cars", "route=ferry", 20, 5 + 5],
    ["10 km/h if it carries none", "route=ferry motor_vehicle=no", 10, 9 + 2],
    ["its own if it has a duration", "route=ferry duration=00:10", 18, 5 + 5],
    ["20 km/h, and a wait of half its interval", "route=ferry interval=00:40", 20, 20 + 5],
  ])("has a speed of %s", async (_, tags, speedKmh, boarding) => {
    const world = await build({ ...CROSSING, grid: 300, ways: { ...CROSSING.ways, bc: tags } });
    const route = await world.find(["b", "c"], { mode: "foot" });
    expect(route!.duration).toBeCloseTo((route!.distance / speedKmh) * 3.6 + boarding * 60, -1);
  });

  it("is boarded once on a line of several ways, and again after a walk between two lines", async () => {
    const world = await build({
      map: "a--b----c----d--e----f--g",
      ways: { ab: "", bc: "route=ferry", cd: "route=ferry", de: "", ef: "route=ferry", fg: "" },
    });
    const duration = async (from: string, to: string) => (await world.find([from, to], { mode: "foot" }))!.duration;
    expect(await duration("b", "d")).toBeLessThan(12 * 60 + 200);
    expect((await duration("b", "f")) - (await duration("b", "d"))).toBeGreaterThan(10 * 60);
  });

  it.each([
    ["a cruise by its tag", "route=ferry ferry=tourist foot=yes"],
    ["a cruise by its name", 'route=ferry foot=yes name="Harbour Cruise"'],
    ["a boat closed to everyone without a schedule", "route=ferry access=no motor_vehicle=private"],
  ])("is no road if it is %s", async (_, tags) => {
    const world = await build({ ...CROSSING, ways: { ...CROSSING.ways, bc: tags } });
    for (const mode of ["foot", "bike", "car"] as const) expect(await world.names("ab cd", { mode })).toBe("");
  });

  it.each([
    ["access=no foot=yes interval=00:30", "foot"],
    ["access=no foot=yes", "foot"],
    ["access=private motor_vehicle=yes", "car truck"],
    ["access=no bicycle=yes foot=designated duration=00:10", "foot bike"],
    ["access=no hgv=yes", "truck"],
    ["access=no vehicle=permissive", "car truck bike"],
  ])("is one for those whom %s admits (%s)", async (tags, admitted) => {
    const world = await build({ ...CROSSING, ways: { ...CROSSING.ways, bc: `route=ferry ${tags}` } });
    for (const mode of ["car", "truck", "foot", "bike"] as const)
      expect(await world.names("ab cd", { mode }), mode).toBe(admitted.split(" ").includes(mode) ? "ab,bc,cd" : "");
  });

  it("is no road if it is a round trip", async () => {
    const map = "a--b---------c--d\n   |         |\n   e---------f";
    const world = await build({ map, ways: { ab: "", bcfeb: "route=ferry foot=yes", cd: "" } });
    expect(await world.names("ab cd", { mode: "foot" })).toBe("");
  });

  it("carries only the modes its tags allow", async () => {
    const world = await build({ ...CROSSING, ways: { ...CROSSING.ways, bc: "route=ferry motor_vehicle=no" } });
    expect(await world.names("ab cd")).toBe("");
    expect(await world.names("ab cd", { mode: "foot" })).toBe("ab,bc,cd");
  });

  it("is never where a journey begins", async () => {
    const world = await build(CROSSING);
    const route = await world.find(["bc", "d"], { mode: "car" });
    expect(route!.legs[0].start.distance).toBeGreaterThan(300);
  });
});

describe("what is avoided", () => {
  const DETOUR = `
    a-----b-----c-----d
          |     |
          |     |
          |     |
          e-----f
  `;
  const plain = { ab: "", cd: "", be: "", ef: "", fc: "" };
  const cases = [
    ["tolls", "toll=yes", {}],
    ["tolls", "", { t: "barrier=toll_booth" }],
    ["highways", "highway=motorway oneway=no", {}],
    ["ferries", "route=ferry", {}],
    ["borderCrossings", "", { t: "barrier=border_control" }],
  ] as const;
  const map = DETOUR.replace("b-----c", "b--t--c");

  for (const [name, tags, nodes] of cases) {
    it(`is left for a longer way: ${name} by ${tags || JSON.stringify(nodes)}`, async () => {
      const isFerry = tags.includes("ferry");
      const ways = { ...plain, btc: isFerry ? `${tags} duration=00:01` : tags };
      // A ferry must save more time than it takes to board it.
      const world = await build({ map, ways, nodes, grid: isFerry ? 2000 : 100 });
      expect(await world.names("ab cd")).toBe("ab,btc,cd");
      expect(await world.names("ab cd", { avoid: [name] })).toBe("ab,be,ef,fc,cd");
    });

    it(`is taken where nothing else leads there, at its real duration: ${name} by ${tags || JSON.stringify(nodes)}`, async () => {
      const world = await build({ map: "a--b--t--c--d", ways: { ab: "", btc: tags, cd: "" }, nodes });
      const route = await world.find(["ab", "cd"], { mode: "car" });
      const avoiding = await world.find(["ab", "cd"], { mode: "car", avoid: [name] });
      expect(avoiding?.duration).toBe(route?.duration);
    });
  }

  it("can be combined", async () => {
    const world = await build({
      map: `
        a--b-----c--d
           |     |
           e-----f
           |     |
           g-----h
      `,
      ways: {
        ab: "",
        cd: "",
        bc: "highway=motorway oneway=no",
        be: "",
        cf: "",
        ef: "toll=yes",
        eg: "",
        gh: "",
        hf: "",
      },
    });
    expect(await world.names("ab cd")).toBe("ab,bc,cd");
    expect(await world.names("ab cd", { avoid: ["highways"] })).toBe("ab,be,ef,cf,cd");
    expect(await world.names("ab cd", { avoid: ["highways", "tolls"] })).toBe("ab,be,eg,gh,hf,cf,cd");
  });

  it("may hold the start", async () => {
    const world = await build({ map: "a--b--c", ways: { ab: "toll=yes", bc: "" } });
    expect(await world.names("ab bc", { avoid: ["tolls"] })).toBe("ab,bc");
  });

  it("is avoided by a truck where the toll is for trucks alone", async () => {
    const world = await build({ map, ways: { ...plain, btc: "toll:hgv=yes" } });
    expect(await world.names("ab cd", { avoid: ["tolls"] })).toBe("ab,btc,cd");
    expect(await world.names("ab cd", { mode: "truck", avoid: ["tolls"] })).toBe("ab,be,ef,fc,cd");
  });
});

describe("a matrix", () => {
  it("holds what single routes say", async () => {
    const world = await build({ map: SQUARE, ways: { ab: "oneway=yes", bd: "", ac: "highway=service", cd: "" } });
    const places = ["aab", "bd", "cdd", "ac"];
    const points = places.map((place) => world.at(place));
    const matrix = await world.router.matrix(points, points, { mode: "car" });
    for (const [i, row] of matrix.entries()) {
      for (const [j, cell] of row.entries()) {
        const route = await world.find([places[i], places[j]], { mode: "car" });
        expect(cell?.duration, `${places[i]} to ${places[j]}`).toBeCloseTo(route!.duration, 1);
      }
    }
  });

  it("leaves out what is not connected, or lies too far from any road", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    const far = { latitude: 40, longitude: 10 };
    const matrix = await world.router.matrix([world.at("a"), far], [world.at("b"), world.at("d"), far], {
      mode: "car",
    });
    expect(matrix.map((row) => row.map((cell) => cell !== undefined))).toEqual([
      [true, false, false],
      [false, false, false],
    ]);
  });
});
