import { describe, expect, it } from "vitest";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { build, type Scenario, TUESDAY_AT_TEN } from "../scenario.ts";

/** A crossroads: whoever may not turn at x must go round a block. */
const CROSS = `
        a
        |
     b--x--c
     |  |  |
     e--d--f
     |     |
     g-----h
`;
const CROSS_WAYS = { ax: "", bx: "", xc: "", xd: "", be: "", ed: "", df: "", cf: "", eg: "", gh: "", hf: "" };

async function check(scenario: Scenario, rows: string) {
  const world = await build(scenario);
  const expected = rows
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
  const found: string[][] = [];
  for (const [from, to, , mode] of expected) {
    const options = { mode: (mode as Mode) ?? "car", departure: TUESDAY_AT_TEN };
    const names = (await world.names(`${from} ${to}`, options)) || "-";
    found.push(mode ? [from, to, names, mode] : [from, to, names]);
  }
  expect(found).toEqual(expected);
}

describe("a turn restriction at a junction", () => {
  it("keeps motor vehicles from the turn, and them alone", () =>
    check(
      { map: CROSS, ways: CROSS_WAYS, turns: { "ax x xc": "no_left_turn" } },
      `
      ax | xc | ax,xd,df,cf,xc
      ax | xd | ax,xd
      ax | bx | ax,bx
      xd | xc | xd,xc
      ax | xc | ax,xd,df,cf,xc | truck
      ax | xc | ax,xc          | bike
      ax | xc | ax,xc          | foot
    `,
    ));

  it("leaves only one turn when it says so", () =>
    check(
      { map: CROSS, ways: CROSS_WAYS, turns: { "ax x xd": "only_straight_on" } },
      `
      ax | xc | ax,xd,df,cf,xc
      ax | bx | ax,xd,ed,be,bx
      ax | xd | ax,xd
      bx | xc | bx,xc
    `,
    ));

  it("allows both turns that two such signs name", () =>
    check(
      { map: CROSS, ways: CROSS_WAYS, turns: { "ax x xd": "only_straight_on", "ax x xc": "only_left_turn" } },
      `
      ax | xc | ax,xc
      ax | xd | ax,xd
      ax | bx | ax,xd,ed,be,bx
    `,
    ));

  for (const kind of ["no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "no_entry", "no_exit"]) {
    it(`forbids what its members say, also as ${kind}`, () =>
      check(
        { map: CROSS, ways: CROSS_WAYS, turns: { "bx x xd": kind } },
        `
        bx | xd | bx,be,ed,xd
        ax | xd | ax,xd
      `,
      ));
  }

  it("binds by its first word, whatever turn a mapper invents", async () => {
    await check({ map: CROSS, ways: CROSS_WAYS, turns: { "ax x xc": "no_left_on" } }, "ax | xc | ax,xd,df,cf,xc");
    await check(
      { map: CROSS, ways: CROSS_WAYS, turns: { "ax x xd": "only_straight" } },
      `
      ax | xc | ax,xd,df,cf,xc
      ax | xd | ax,xd
    `,
    );
  });

  for (const kind of ["yield", "turn", "none", "no_left_turn_on_red"]) {
    it(`means nothing as ${kind}`, () =>
      check({ map: CROSS, ways: CROSS_WAYS, turns: { "ax x xc": kind } }, "ax | xc | ax,xc"));
  }

  it("binds whom it names and spares whom it excepts", () =>
    check(
      {
        map: CROSS,
        ways: CROSS_WAYS,
        turns: {
          "ax x xc": "restriction=no_left_turn except=motorcar",
          "xd x bx": "restriction:hgv=no_left_turn",
          "bx x ax": "restriction:bicycle=no_left_turn",
          "xc x ax": "restriction=no_right_turn except=bicycle;psv",
        },
      },
      `
      ax | xc | ax,xc          | car
      ax | xc | ax,xd,df,cf,xc | truck
      xd | bx | xd,bx          | car
      xd | bx | xd,ed,be,bx    | truck
      bx | ax | bx,ax          | car
      bx | ax | bx,be,ed,xd,ax | bike
      xc | ax | xc,cf,df,xd,ax | car
      xc | ax | xc,ax          | bike
    `,
    ));

  it("counts when its hours hold on a working day at ten", () =>
    check(
      {
        map: CROSS,
        ways: CROSS_WAYS,
        turns: {
          "ax x xc": `restriction:conditional="no_left_turn @ (Mo-Fr 07:00-19:00)"`,
          "ax x bx": `restriction:conditional="no_right_turn @ (Mo-Fr 07:00-09:00,16:00-18:00)"`,
          "xd x bx": `restriction:conditional="no_left_turn @ (Sa-Su)"`,
          "xd x xc": `restriction:conditional="no_right_turn @ (weight>7.5)"`,
        },
      },
      `
      ax | xc | ax,xd,df,cf,xc | car
      ax | bx | ax,bx          | car
      xd | bx | xd,bx          | car
      xd | xc | xd,xc          | car
      xd | xc | xd,df,cf,xc    | truck
    `,
    ));
});

describe("a turn restriction over a road", () => {
  const LADDER = `
     a--b--c--d
        |  |
     e--f--g--h
        |  |
     i--j--k--l
  `;
  const WAYS = {
    ab: "",
    bc: "",
    cd: "",
    bf: "oneway=yes",
    cg: "",
    ef: "",
    fg: "",
    gh: "",
    fj: "",
    gk: "",
    ij: "",
    jk: "",
    kl: "",
  };

  it("binds only those who come from its beginning", () =>
    check(
      { map: LADDER, ways: WAYS, turns: { "ef fg cg": "no_left_turn" } },
      `
      ef | cg | ef,fj,jk,gk,cg
      ef | gh | ef,fg,gh
      ef | gk | ef,fg,gk
      fj | cg | fj,fg,cg
      fg | cg | fg,cg
    `,
    ));

  it("may leave only one way on", () =>
    check(
      { map: LADDER, ways: WAYS, turns: { "ef fg gh": "only_straight_on" } },
      `
      ef | gh | ef,fg,gh
      ef | gk | ef,fg,gh,gk
      ef | fj | ef,fg,gh,fg,fj
      fj | gk | fj,fg,gk
      ef | gk | ef,fg,gk | bike
    `,
    ));

  it("binds only vehicles that can follow it", () =>
    check(
      { map: LADDER, ways: { ...WAYS, gh: "maxheight=3" }, turns: { "ef fg gh": "only_straight_on" } },
      `
      ef | gk | ef,fg,gh,gk | car
      ef | gk | ef,fg,gk    | truck
    `,
    ));

  // After the rows of GraphHopper's and Valhalla's tests of such restrictions.
  it("closes the other roads at each junction on the way", () =>
    check(
      {
        map: `
             1     3--5
             |     |
          a--b--c--d--e--f
                |  |
                2  4
        `,
        ways: { ab: "", bc: "", cd: "", de: "oneway=yes", ef: "", b1: "", c2: "", d3: "", d4: "", "35": "" },
        turns: { "ab bc+cd de": "only_straight_on" },
      },
      `
      ab | ef | ab,bc,cd,de,ef
      ab | b1 | -
      ab | d4 | -
      ab | 35 | -
      bc | d4 | bc,cd,d4
      ab | c2 | ab,bc,c2
    `,
    ));

  it("holds while another one begins on its way", () =>
    check(
      {
        map: `
          a   f   j
          |   |   |
          b-d-e-i-k-m
          |   |   |
          c   g   l
        `,
        ways: {
          ...{ ab: "oneway=yes", cb: "oneway=yes", bd: "oneway=yes", de: "oneway=yes", ef: "oneway=yes" },
          ...{ eg: "oneway=yes", ei: "oneway=yes", ik: "oneway=yes", kj: "oneway=yes", kl: "oneway=yes" },
          km: "oneway=yes",
        },
        turns: { "ab bd+de ei": "only_straight_on", "de ei+ik km": "only_straight_on" },
      },
      `
      a | f | -
      a | l | -
      a | m | ab,bd,de,ei,ik,km
      c | j | -
      c | m | cb,bd,de,ei,ik,km
      e | l | ei,ik,kl
    `,
    ));

  it("leaves open both ways on where two begin on the same road", () =>
    check(
      {
        map: LADDER,
        ways: WAYS,
        turns: { "ef fg gh": "only_straight_on", "ef fg gk": "only_right_turn" },
      },
      `
      ef | gh | ef,fg,gh
      ef | gk | ef,fg,gk
      ef | cg | ef,fg,gh,cg
    `,
    ));

  describe("is not shaken off by turning in a side road that ends blind", () => {
    // The way round by j and k is some 4 km: longer than turning back at y, whatever that costs.
    const withSide = (side: string) => `
          e--f--x--g--h
             |  |  |
             |  ${side}
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             |     |
             j-----k
        `;
    const ways = { ef: "", fxg: "", gh: "oneway=yes", gk: "", fj: "", jk: "" };

    it("where it leaves only one way on", () =>
      check(
        { map: withSide("y  |"), ways: { ...ways, xy: "" }, turns: { "ef fxg gh": "only_straight_on" } },
        `
        ef | gh | ef,fxg,gh
        ef | xy | ef,fxg,xy
        ef | gk | -
        fj | gk | fj,jk,gk
        xy | gk | xy,fxg,gk
        xy | gh | xy,fxg,gh
      `,
      ));

    it("where it closes one", () =>
      check(
        { map: withSide("y  |"), ways: { ...ways, xy: "" }, turns: { "ef fxg gk": "no_right_turn" } },
        `
        ef | gh | ef,fxg,gh
        ef | xy | ef,fxg,xy
        ef | gk | ef,fj,jk,gk
        xy | gk | xy,fxg,gk
      `,
      ));

    it("however the blind road branches, and where a bollard makes it blind", async () => {
      await check(
        {
          map: withSide("y-z|"),
          ways: { ...ways, xyz: "", zk: "" },
          nodes: { z: "barrier=bollard" },
          turns: { "ef fxg gh": "only_straight_on" },
        },
        "ef | gk | -",
      );
      await check(
        {
          map: withSide("ypz|").replace("\n             |     |\n", "\n             | qw  |\n"),
          ways: { ...ways, xy: "", ypz: "", pq: "", qw: "", wy: "" },
          turns: { "ef fxg gh": "only_straight_on" },
        },
        "ef | gk | -",
      );
    });

    it("but a prohibition ends on a side road that leads on, and an order closes that road", async () => {
      const map = withSide("y--z");
      const withExit = { ef: "", fxg: "", gh: "oneway=yes", fj: "", jk: "", xyz: "", gzk: "" };
      await check({ map, ways: withExit, turns: { "ef fxg gzk": "no_right_turn" } }, "ef | gzk | ef,fxg,xyz,gzk");
      await check({ map, ways: withExit, turns: { "ef fxg gh": "only_straight_on" } }, "ef | kkz | -");
    });

    it("over several via ways", () =>
      check(
        {
          map: withSide("y  |"),
          ways: { ef: "", fx: "", xg: "", gh: "oneway=yes", gk: "", fj: "", jk: "", xy: "" },
          turns: { "ef fx+xg gh": "only_straight_on" },
        },
        `
        ef | gh | ef,fx,xg,gh
        ef | gk | -
        xy | gk | xy,xg,gk
      `,
      ));
  });

  it("may lead over several roads", () =>
    check(
      { map: LADDER, ways: WAYS, turns: { "ef fj+jk gk": "no_u_turn" } },
      `
      ef | jk | ef,fj,jk
      ef | kl | ef,fj,jk,kl
      ij | gk | ij,jk,gk
    `,
    ));

  it("still allows to stop on the road in between", () =>
    check(
      { map: LADDER, ways: WAYS, turns: { "ef fg cg": "no_left_turn" } },
      `
      ef | fg | ef,fg
      ef | ggf | ef,fg
    `,
    ));

  it("does not bind walkers", () =>
    check(
      { map: LADDER, ways: WAYS, turns: { "ef fg cg": "no_left_turn" } },
      `
      ef | cg | ef,fg,cg | foot
      ef | cg | ef,fg,cg | bike
    `,
    ));
});

describe("turning back", () => {
  it("is done at a dead end", () =>
    check(
      { map: "a--b--c", ways: { ab: "oneway=yes", bc: "" } },
      `
      ab | cb | ab,bc
    `,
    ));

  it("is not done at a junction that leads on", async () => {
    const world = await build({
      map: `
        a--b--c
           |
           d
      `,
      ways: { ab: "", bc: "", bd: "" },
    });
    // Eastward by its heading; the way back west leads over a dead end.
    const route = await world.find(["aab", "aaab"], { mode: "car", heading: 90 });
    expect(Math.round(route?.distance ?? 0)).toBeGreaterThan(500);
  });

  it("is done before a barrier", () =>
    check(
      { map: "a--b--c\n   |  \n   d  ", ways: { abc: "", bd: "" }, nodes: { b: "barrier=bollard" } },
      `
      ab | bc | -
      ab | bd | -
      ab | bc | abc | foot
    `,
    ));
});

describe("the cost of a turn", () => {
  const duration = async (scenario: Scenario, from: string, to: string, mode: Mode = "car") => {
    const world = await build(scenario);
    const route = await world.find([from, to], { mode });
    return route?.duration ?? Number.NaN;
  };
  const cross = { map: CROSS, ways: CROSS_WAYS };

  it("is least straight on, and less along the kerb than across the traffic", async () => {
    const straight = await duration(cross, "ax", "xd");
    const right = await duration(cross, "ax", "bx");
    const left = await duration(cross, "ax", "xc");
    expect(straight).toBeLessThan(right);
    expect(right).toBeLessThan(left);
    // OSRM's sigmoid at 90°: 2.1 s right, 5.4 s left.
    expect(left - right).toBeCloseTo(3.3, 0);
  });

  it("is mirrored where traffic keeps left", async () => {
    const right = await duration({ ...cross, leftHand: true }, "ax", "bx");
    const left = await duration({ ...cross, leftHand: true }, "ax", "xc");
    expect(right - left).toBeCloseTo(3.3, 0);
  });

  it("is nothing for a bend in a road without a junction", async () => {
    const bend = await duration({ map: "a--b\n\n\n   c", ways: { ab: "", bc: "" }, grid: 1000 }, "a", "c");
    const straight = await duration({ map: "a--b--c", ways: { ab: "", bc: "" }, grid: 1000 }, "a", "c");
    expect(bend).toBeCloseTo(straight, 0);
  });

  it("is nothing for walkers", async () => {
    const right = await duration(cross, "ax", "bx", "foot");
    const straight = await duration(cross, "ax", "xc", "foot");
    expect(right).toBeCloseTo(straight, 0);
  });

  it("is two seconds more at a traffic light, and only in its direction", async () => {
    const plain = await duration({ map: "a--b--c", ways: { abc: "" } }, "ab", "bc");
    const light = { map: "a--b--c", ways: { abc: "" }, nodes: { b: "highway=traffic_signals" } };
    expect((await duration(light, "ab", "bc")) - plain).toBeCloseTo(2, 0);
    const directed = {
      ...light,
      nodes: { b: "highway=traffic_signals traffic_signals:direction=backward" },
    };
    expect((await duration(directed, "ab", "bc")) - plain).toBeCloseTo(0, 0);
    expect((await duration(directed, "bc", "ab")) - plain).toBeCloseTo(2, 0);
  });
});
