import { describe, expect, it } from "vitest";
import { MODES } from "../../../../src/core/routing/graph/modes.ts";
import { accessOf } from "../scenario.ts";

/** Tags of a way, then who may use it: car, truck, foot, bike. ">" along, "<" against, "x" both, "-" neither. */
function table(rows: string): [tags: string, who: string[]][] {
  return rows
    .trim()
    .split("\n")
    .map((row) => {
      const [tags, ...who] = row.split("|").map((cell) => cell.trim());
      return [tags, who];
    });
}

async function check(rows: string, node = false) {
  const expected = table(rows);
  const found = await Promise.all(
    expected.map(async ([tags]) => [
      tags,
      await Promise.all(MODES.map(async (mode) => (await accessOf(node ? "" : tags, mode, node ? tags : "")) || "-")),
    ]),
  );
  expect(found).toEqual(expected);
}

// A bike that may not be ridden against a one-way street is pushed, so its column says "x" where walking is allowed.
describe("who may use a road", () => {
  it("follows the kind of road", () =>
    check(`
      highway=motorway        | > | > | - | -
      highway=motorway_link   | x | x | - | -
      highway=trunk           | x | x | - | -
      highway=trunk_link      | x | x | - | -
      highway=primary         | x | x | x | x
      highway=primary_link    | x | x | x | x
      highway=secondary       | x | x | x | x
      highway=secondary_link  | x | x | x | x
      highway=tertiary        | x | x | x | x
      highway=tertiary_link   | x | x | x | x
      highway=residential     | x | x | x | x
      highway=unclassified    | x | x | x | x
      highway=living_street   | x | x | x | x
      highway=service         | x | x | x | x
      highway=road            | - | - | x | x
      highway=track           | - | - | x | x
      highway=path            | - | - | x | x
      highway=footway         | - | - | x | x
      highway=pedestrian      | - | - | x | x
      highway=steps           | - | - | x | x
      highway=corridor        | - | - | x | -
      highway=elevator        | - | - | x | -
      highway=cycleway        | - | - | - | x
      highway=bridleway       | - | - | - | -
      highway=construction    | - | - | - | -
      highway=proposed        | - | - | - | -
      highway=bogus           | - | - | - | -
    `));

  it("follows how hard a path is", () =>
    check(`
      highway=path sac_scale=hiking                              | - | - | x | x
      highway=path sac_scale=mountain_hiking                     | - | - | x | x
      highway=path sac_scale=mountain_hiking foot=no bicycle=yes | - | - | - | -
      highway=path sac_scale=demanding_mountain_hiking           | - | - | - | -
      highway=path sac_scale=hiking;alpine_hiking                | - | - | - | -
      highway=path mtb:scale=3 foot=no bicycle=yes               | - | - | - | -
      highway=path mtb:scale=1 foot=no bicycle=yes               | - | - | - | x
      highway=path smoothness=horrible                           | - | - | x | x
      highway=path smoothness=impassable                         | - | - | x | -
    `));

  it("follows ways that are no highways", () =>
    check(`
      route=ferry                           | - | - | - | -
      man_made=pier                         | - | - | x | x
      railway=platform                      | - | - | x | x
      public_transport=platform             | - | - | x | x
      railway=rail                          | - | - | - | -
      amenity=parking                       | - | - | x | x
      leisure=track                         | - | - | x | -
      bridge=movable                        | - | - | - | -
      bridge=movable bicycle=yes            | - | - | - | x
      bridge=movable railway=rail           | - | - | - | -
      bridge=movable highway=motorway       | > | > | - | -
      bridge=movable highway=tertiary       | x | x | x | x
      railway=train                         | - | - | - | -
    `));

  it("follows access, the most special tag first", () =>
    check(`
      access=yes                                       | x | x | x | x
      access=permissive                                | x | x | x | x
      access=designated                                | x | x | x | x
      access=no                                        | - | - | - | -
      access=private                                   | x | x | - | -
      access=destination                               | x | x | x | x
      access=delivery                                  | x | x | - | -
      access=customers                                 | x | x | x | x
      access=agricultural                              | - | - | - | -
      access=forestry                                  | - | - | - | -
      access=psv                                       | - | - | x | x
      access=emergency                                 | - | - | x | x
      access=some_nonsense                             | x | x | x | x
      vehicle=no                                       | - | - | x | -
      vehicle=private                                  | x | x | x | -
      motor_vehicle=no                                 | - | - | x | x
      motor_vehicle=destination                        | x | x | x | x
      motorcar=no                                      | - | x | x | x
      hgv=no                                           | x | - | x | x
      hgv=destination                                  | x | x | x | x
      goods=no                                         | x | - | x | x
      hgv=designated motor_vehicle=no                  | - | x | x | x
      bicycle=no                                       | x | x | x | -
      bicycle=use_sidepath                             | x | x | x | -
      foot=no                                          | x | x | - | x
      foot=use_sidepath                                | x | x | - | x
      access=permit                                    | x | x | x | x
      access=residents                                 | x | x | x | x
      access=unknown                                   | x | x | x | x
      access=military                                  | - | - | x | x
      access=official                                  | - | - | x | x
      access=restricted                                | - | - | x | x
      access=bus                                       | - | - | x | x
      access=no;permit                                 | x | x | - | -
      access=no;destination                            | x | x | - | -
      access=agricultural;forestry                     | - | - | - | -
      motor_vehicle=bus                                | - | - | x | x
      motor_vehicle=taxi;emergency                     | - | - | x | x
      motor_vehicle=agricultural;permissive            | x | x | x | x
      bicycle=private                                  | x | x | x | -
      bicycle=dismount                                 | x | x | x | x
      foot=delivery                                    | x | x | - | x
      vehicle=forestry                                 | - | - | x | -
      sidewalk=separate                                | x | x | - | x
      sidewalk:both=separate                           | x | x | - | x
      sidewalk:left=separate                           | x | x | - | x
      sidewalk=separate foot=yes                       | x | x | x | x
      sidewalk:right=separate foot=destination         | x | x | x | x
      sidewalk=both                                    | x | x | x | x
      cycleway=separate                                | x | x | x | -
      cycleway:both=separate                           | x | x | x | -
      cycleway:left=separate                           | x | x | x | -
      cycleway=separate bicycle=yes                    | x | x | x | x
      cycleway:right=separate bicycle=designated       | x | x | x | x
      cycleway=separate vehicle=yes                    | x | x | x | -
      access=no motorcar=yes                           | x | - | - | -
      access=no motor_vehicle=yes                      | x | x | - | -
      access=no vehicle=yes                            | x | x | - | x
      access=no foot=yes                               | - | - | x | -
      access=no bicycle=designated                     | - | - | - | x
      motor_vehicle=no motorcar=permissive             | x | - | x | x
      access=yes motorcar=no                           | - | x | x | x
    `));

  it("opens ways of another kind where a tag says so", () =>
    check(`
      highway=track motorcar=yes                       | x | - | x | x
      highway=track motor_vehicle=yes                  | x | x | x | x
      highway=track access=yes                         | x | x | x | x
      highway=track access=private                     | - | - | - | -
      highway=track motor_vehicle=agricultural         | - | - | x | x
      highway=footway motor_vehicle=designated         | x | x | x | x
      highway=pedestrian access=destination            | - | - | x | x
      highway=cycleway foot=yes                        | - | - | x | x
      highway=cycleway foot=designated                 | - | - | x | x
      highway=footway bicycle=yes                      | - | - | x | x
      highway=motorway bicycle=yes                     | > | > | - | >
      highway=motorway foot=yes                        | > | > | x | >
      highway=trunk bicycle=yes                        | x | x | - | x
      highway=steps bicycle=yes                        | - | - | x | x
      highway=bridleway foot=yes                       | - | - | x | x
      highway=bridleway bicycle=yes                    | - | - | - | x
      highway=cycleway access=no                       | - | - | - | -
    `));

  it("is closed where the way is unfinished, impassable or an area", () =>
    check(`
      construction=yes                                 | - | - | x | -
      construction=no                                  | x | x | x | x
      construction=widening                            | x | x | x | x
      construction=minor                               | x | x | x | x
      proposed=motorway                                | x | x | x | x
      highway=proposed proposed=primary                | - | - | - | -
      highway=residential railway=construction         | - | - | x | -
      impassable=yes                                   | - | - | - | -
      status=impassable                                | - | - | - | -
      area=yes                                         | - | - | x | x
      oneway=reversible                                | - | - | x | x
      smoothness=impassable                            | - | - | x | -
      service=emergency_access highway=service         | - | - | x | x
      motorroad=yes                                    | x | x | - | -
    `));

  it("minds height, width, length and weight", () =>
    check(`
      maxheight=1.8                                    | - | - | x | x
      maxheight=3.5                                    | x | - | x | x
      maxheight=4.5                                    | x | x | x | x
      maxheight=12'6                                   | x | - | x | x
      maxheight="14 ft"                                | x | x | x | x
      maxheight=default                                | x | x | x | x
      maxwidth=1.8                                     | - | - | x | x
      maxwidth=2.3                                     | x | - | x | x
      width=1.5                                        | - | - | x | x
      width=3                                          | x | x | x | x
      maxlength=12                                     | x | - | x | x
      maxweight=3.5                                    | x | - | x | x
      maxweight=1.5                                    | - | - | x | x
      maxweight="7500 kg"                              | x | - | x | x
      maxweight=40                                     | x | x | x | x
      maxweight:hgv=7.5                                | x | - | x | x
      maxweightrating=1.5                              | - | - | x | x
      maxweightrating=12                               | x | - | x | x
      maxheight:forward=3                              | x | < | x | x
    `));
});

describe("one-way roads", () => {
  it("are open in one direction to those the tag speaks of", () =>
    check(`
      oneway=yes                                       | > | > | x | x
      oneway=1                                         | > | > | x | x
      oneway=true                                      | > | > | x | x
      oneway=-1                                        | < | < | x | x
      oneway=no                                        | x | x | x | x
      oneway=alternating                               | x | x | x | x
      oneway=yes foot=no                               | > | > | - | >
      oneway=-1 foot=no                                | < | < | - | <
      highway=motorway oneway=no                       | x | x | - | -
      highway=motorway_link oneway=yes                 | > | > | - | -
      junction=roundabout                              | > | > | x | >
      junction=circular                                | > | > | x | >
      junction=roundabout oneway=no                    | x | x | x | x
      oneway:motorcar=yes                              | > | > | x | x
      oneway:foot=yes                                  | x | x | > | x
      oneway:foot=-1                                   | x | x | < | x
      oneway:bicycle=yes foot=no                       | x | x | - | >
      oneway=yes oneway:bicycle=no                     | > | > | x | x
      oneway=yes oneway:bicycle=no foot=no             | > | > | - | x
      oneway=yes oneway:bicycle=-1 foot=no             | > | > | - | <
      oneway=yes cycleway=opposite foot=no             | > | > | - | x
      oneway=yes cycleway=opposite_lane foot=no        | > | > | - | x
      oneway=yes cycleway:left=opposite_track foot=no  | > | > | - | x
      oneway=yes cycleway=lane foot=no                 | > | > | - | >
      oneway=yes cycleway=track foot=no                | > | > | - | >
      oneway=-1 cycleway=lane foot=no                  | < | < | - | <
      highway=footway oneway=yes                       | - | - | x | x
      highway=cycleway oneway=yes foot=no              | - | - | - | >
      access:backward=no                               | > | > | > | >
      vehicle:forward=agricultural                     | < | < | x | <
      bicycle:backward=no                              | x | x | x | >
      bicycle:forward=no bicycle:backward=no           | x | x | x | -
      motorcar:backward=no                             | > | x | x | x
      access=no motorcar:forward=yes                   | > | - | - | -
      access:forward=yes access=no                     | > | > | > | -
      highway=track motor_vehicle:forward=yes          | > | > | x | x
      oneway:motor_vehicle=-1                          | < | < | x | x
      oneway:vehicle=yes oneway=no                     | > | > | x | x
      highway=steps conveying=forward                  | - | - | > | x
      highway=footway conveying=backward               | - | - | < | x
      highway=steps conveying=forward oneway=no        | - | - | x | x
      highway=steps conveying=reversible               | - | - | x | x
      conveying=forward                                | x | x | x | x
      motor_vehicle:forward=no                         | < | < | x | x
      highway=footway foot:backward=no                 | - | - | > | x
    `));
});

describe("a barrier on a road", () => {
  it("stops those it is made for", () =>
    check(
      `
      barrier=bollard                                  | - | - | x | x
      barrier=bollard bollard=rising                   | x | x | x | x
      barrier=gate                                     | x | x | x | x
      barrier=lift_gate                                | x | x | x | x
      barrier=swing_gate                               | x | x | x | x
      barrier=swing_gate access=no                     | - | - | - | -
      barrier=sliding_gate                             | x | x | x | x
      barrier=cattle_grid                              | x | x | x | x
      barrier=border_control                           | x | x | x | x
      barrier=toll_booth                               | x | x | x | x
      barrier=sally_port                               | x | x | x | x
      barrier=entrance                                 | x | x | x | x
      barrier=no                                       | x | x | x | x
      barrier=kerb                                     | - | - | x | x
      barrier=kerb kerb=lowered                        | x | x | x | x
      barrier=kerb highway=crossing                    | x | x | x | x
      barrier=block                                    | - | - | x | x
      barrier=stile                                    | - | - | x | x
      barrier=cycle_barrier                            | - | - | x | x
      barrier=wall                                     | - | - | - | -
      barrier=fence                                    | - | - | - | -
      barrier=yes                                      | - | - | - | -
      barrier=height_restrictor                        | x | x | x | x
      barrier=height_restrictor maxheight=1.8          | - | - | x | x
      barrier=height_restrictor maxheight=3            | x | - | x | x
      barrier=fence sensory=audible                    | x | x | x | x
      barrier=fence sensory=visual                     | - | - | - | -
      barrier=arch                                     | x | x | x | x
      barrier=kerb kerb=flush                          | x | x | x | x
      barrier=kerb kerb=raised                         | - | - | x | x
      barrier=bollard access=residents                 | x | x | x | x
      barrier=gate access=no;permit                    | x | x | x | x
      barrier=gate motor_vehicle=bus                   | - | - | x | x
      barrier=bollard access=yes                       | x | x | x | x
      barrier=bollard motor_vehicle=yes                | x | x | x | x
      barrier=gate access=no                           | - | - | - | -
      barrier=gate access=private                      | x | x | - | -
      barrier=gate motorcar=no                         | - | x | x | x
      barrier=gate bicycle=no                          | x | x | x | -
      barrier=gate foot=yes access=no                  | - | - | x | -
      barrier=hampshire_gate                           | x | x | x | x
      barrier=bump_gate                                | x | x | x | x
      barrier=coupure                                  | x | x | x | x
      barrier=chain                                    | - | - | x | x
      barrier=debris                                   | - | - | x | x
      barrier=kissing_gate                             | - | - | x | x
      barrier=motorcycle_barrier                       | - | - | x | x
      barrier=full-height_turnstile                    | - | - | x | -
      barrier=full-height_turnstile bicycle=yes        | - | - | x | x
      barrier=gate locked=no                           | x | x | x | x
      barrier=gate locked=yes                          | - | - | - | -
      barrier=lift_gate locked=yes foot=yes bicycle=designated | - | - | x | x
      barrier=gate locked=yes access=private           | - | - | - | -
      barrier=swing_gate locked=yes motor_vehicle=permissive | x | x | - | -
      locked=yes                                       | x | x | x | x
      barrier=swing_gate access=no emergency=yes       | - | - | - | -
      barrier=gate emergency=yes                       | x | x | x | x
      barrier=gate emergency=designated                | - | - | x | x
      barrier=gate emergency=designated motorcar=yes   | x | - | x | x
      highway=crossing bicycle=no                      | x | x | x | x
      highway=crossing foot=no                         | x | x | x | x
      highway=traffic_signals                          | x | x | x | x
    `,
      true,
    ));
});
