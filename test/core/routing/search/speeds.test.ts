import { describe, expect, it } from "vitest";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { speedsOf } from "../scenario.ts";

/** Tags, then speed there and back [km/h]. */
async function check(mode: Mode, rows: string) {
  const expected = rows
    .trim()
    .split("\n")
    .map((row) => {
      const [tags, there, back] = row.split("|").map((cell) => cell.trim());
      return { tags, there: Number(there), back: Number(back ?? there) };
    });
  const found = await Promise.all(
    expected.map(async ({ tags }) => {
      const [there, back] = await speedsOf(tags, mode);
      return { tags, there, back };
    }),
  );
  // Durations are whole tenths of a second, so a speed over some kilometres is right to a tenth.
  for (const [i, row] of expected.entries()) {
    expect(found[i].there, `${row.tags} there`).toBeCloseTo(row.there, 0);
    expect(found[i].back, `${row.tags} back`).toBeCloseTo(row.back, 0);
  }
}

describe("how fast one drives", () => {
  it("follows the kind of road", () =>
    check(
      "car",
      `
      highway=motorway       | 90 | 0
      highway=motorway_link  | 45
      highway=trunk          | 85
      highway=trunk_link     | 40
      highway=primary        | 65
      highway=primary_link   | 30
      highway=secondary      | 55
      highway=secondary_link | 25
      highway=tertiary       | 40
      highway=tertiary_link  | 20
      highway=unclassified   | 25
      highway=motorway_link maxspeed=60 | 48
      highway=motorway_link maxspeed=none | 45
      highway=motorway_link source:maxspeed=DE:motorway | 45
      highway=trunk_link maxspeed:forward=none maxspeed:backward=50 | 40 | 40
      highway=residential    | 25
      highway=living_street  | 10
      highway=service        | 15
      highway=track motorcar=yes | 10
    `,
    ));

  it("follows a speed limit, of which four fifths are really driven", () =>
    check(
      "car",
      `
      maxspeed=60                              | 48
      maxspeed=100                             | 80
      maxspeed="40 mph"                        | 51.5
      maxspeed="30 mph" highway=residential    | 38.6
      maxspeed=60 maxspeed:forward=100         | 80  | 48
      maxspeed:backward=30                     | 65  | 24
      maxspeed:advisory=40 maxspeed=60         | 32
      maxspeed=DE:urban                        | 40
      maxspeed=DE:rural                        | 80
      maxspeed=DE:motorway highway=motorway    | 90  | 0
      maxspeed=CH:motorway highway=motorway    | 96  | 0
      maxspeed=GB:nsl_single                   | 77.2
      maxspeed=none highway=motorway           | 112 | 0
      source:maxspeed=FR:urban                 | 40
      maxspeed=signals                         | 65
      maxspeed=walk                            | 65
    `,
    ));

  it("is slowed by a bad surface", () =>
    check(
      "car",
      `
      surface=asphalt                          | 65
      surface=cobblestone                      | 30
      surface=gravel                           | 40
      surface=mud                              | 10
      surface=paving_stones                    | 60
      surface=sand maxspeed=100                | 20
      surface=compacted maxspeed=120           | 80
      tracktype=grade1                         | 60
      tracktype=grade5                         | 20
      smoothness=bad                           | 40
      smoothness=very_horrible                 | 5
      surface=gravel tracktype=grade4          | 25
    `,
    ));

  it("is that of a truck for a truck", () =>
    check(
      "truck",
      `
      highway=motorway maxspeed=130            | 90 | 0
      highway=motorway                         | 90 | 0
      highway=primary                          | 65
      highway=primary maxspeed=100 maxspeed:hgv=60 | 48
    `,
    ));
});

describe("how fast one walks and cycles", () => {
  it("walks at five kilometres an hour, slower on loose ground", () =>
    check(
      "foot",
      `
      highway=footway                          | 5
      highway=steps                            | 5
      highway=residential                      | 5
      highway=path surface=gravel              | 3.75
      highway=path surface=fine_gravel         | 3.75
      highway=path surface=mud                 | 2.5
      highway=path surface=sand                | 2.5
      highway=residential maxspeed=3           | 5
    `,
    ));

  it("cycles at fifteen, pushes at four", () =>
    check(
      "bike",
      `
      highway=cycleway                         | 15
      highway=primary                          | 15
      highway=track                            | 12
      highway=path                             | 13
      highway=footway                          | 4
      highway=pedestrian                       | 4
      highway=steps                            | 2
      highway=footway bicycle=yes              | 15
      highway=footway bicycle=dismount         | 4
      highway=residential bicycle=dismount     | 4
      highway=residential oneway=yes           | 15 | 4
      highway=residential oneway=-1            | 4 | 15
      highway=residential oneway=yes cycleway=opposite_lane | 15
      highway=residential maxspeed=10          | 10
      highway=residential maxspeed:forward=10  | 10 | 15
      highway=path surface=cobblestone         | 7
      highway=path surface=gravel              | 6
      highway=path surface=mud                 | 3
      highway=path surface=asphalt             | 13
      junction=roundabout                      | 15 | 0
      man_made=pier                            | 4
    `,
    ));
});
