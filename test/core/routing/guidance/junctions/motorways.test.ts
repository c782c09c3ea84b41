import { runScenarios } from "../run-scenarios.ts";

runScenarios("motorways", [
  {
    title: "an exit on the right is an off ramp, staying is silent",
    map: `
    a---b---c
          \`-d`,
    ways: `
      abc highway=motorway name= ref=A_1
      bd  highway=motorway_link name=`,
    routes: `
      a c | A 1, A 1 | depart, arrive
      a d | A 1, ,   | depart, off ramp slight right, arrive`,
  },
  {
    title: "an exit on the left says so",
    map: `
          /-d
    a---b---c`,
    ways: `
      abc highway=motorway name= ref=A_1
      bd  highway=motorway_link name=`,
    routes: `
      a c | A 1, A 1 | depart, arrive
      a d | A 1, ,   | depart, off ramp slight left, arrive`,
  },
  {
    title: "a ramp merges from the right onto a motorway that lies to its left",
    map: `
    a---b---c
     d-/`,
    ways: `
      abc highway=motorway name=A1
      db  highway=motorway_link name=`,
    routes: `
      d c | , A1, A1 | depart, merge slight left, arrive
      a c | A1, A1   | depart, arrive`,
  },
  {
    title: "a ramp merges from the left onto a motorway that lies to its right",
    map: `
     d-\`
    a---b---c`,
    ways: `
      abc highway=motorway name=A1
      db  highway=motorway_link name=`,
    routes: `
      d c | , A1, A1 | depart, merge slight right, arrive`,
  },
  {
    title: "a motorway that divides in two is a fork",
    map: `
          /-c
    a---b
          \`-d`,
    ways: `
      ab highway=motorway name=A1
      bc highway=motorway name=A2
      bd highway=motorway name=A3`,
    routes: `
      a c | A1, A2, A2 | depart, fork slight left, arrive
      a d | A1, A3, A3 | depart, fork slight right, arrive`,
  },
  {
    title: "a motorway that divides in three",
    map: `
            c
          /
    a---b---d
          \`
            e`,
    ways: `
      ab highway=motorway name=A1
      bc highway=motorway name=A2
      bd highway=motorway name=A3
      be highway=motorway name=A4`,
    routes: `
      a c | A1, A2, A2 | depart, fork slight left, arrive
      a d | A1, A3, A3 | depart, fork straight, arrive
      a e | A1, A4, A4 | depart, fork slight right, arrive`,
  },
  {
    title: "a ramp that divides is a fork",
    map: `
              /-e
    a---b   d
         \`-/ \`-f
        -----c`,
    ways: `
      abc highway=motorway name=A1
      bd  highway=motorway_link name=
      de  highway=motorway_link name= destination=North
      df  highway=motorway_link name= destination=South`,
    routes: `
      a e | A1, , , | depart, off ramp slight left, fork slight left, arrive
      a f | A1, , , | depart, off ramp slight left, fork slight right, arrive`,
  },
  {
    title: "from a street onto a ramp and up",
    map: `
    a---b---c
        |
        d
         \`
    e-----f---g`,
    ways: `
      abc highway=secondary name=Street
      bdf highway=motorway_link name=
      efg highway=motorway name=A1`,
    routes: `
      a g | Street, , A1, A1 | depart, on ramp right, merge slight right, arrive
      a c | Street, Street   | depart, arrive`,
  },
  {
    title: "a ramp that ends on a street is turned off",
    map: `
    a---b---c
         \`
          d
          |
       e--f--g`,
    ways: `
      abc highway=motorway name=A1
      bdf highway=motorway_link name=
      efg highway=secondary name=Street`,
    routes: `
      a g | A1, , Street, Street | depart, off ramp right, turn left, arrive
      a e | A1, , Street, Street | depart, off ramp right, turn right, arrive`,
  },
  {
    title: "the end of a motorway in a ramp is no maneuver",
    map: `
    a---b---c`,
    ways: `
      ab highway=motorway name=A1
      bc highway=motorway_link name=`,
    routes: `
      a c | A1, | depart, arrive`,
  },
  {
    title: "where two motorways meet, the one that ends merges into the other",
    map: `
    a---b---c
     d-/`,
    ways: `
      abc highway=motorway name=A1
      db  highway=motorway name=A2`,
    routes: `
      d c | A2, A1, A1 | depart, merge slight left, arrive
      a c | A1, A1     | depart, arrive`,
  },
  {
    title: "trunk roads count as motorways",
    map: `
    a---b---c
          \`-d`,
    ways: `
      abc highway=trunk name=N1 oneway=yes
      bd  highway=trunk_link name= oneway=yes`,
    routes: `
      a c | N1, N1 | depart, arrive
      a d | N1, ,  | depart, off ramp slight right, arrive`,
  },
  {
    title: "a link of a primary road is no ramp",
    map: `
    a---b---c
          \`-d`,
    ways: `
      abc name=Main oneway=yes
      bd  highway=primary_link name= oneway=yes`,
    routes: `
      a c | Main, Main | depart, arrive
      a d | Main, ,    | depart, turn slight right, arrive`,
  },
  {
    title: "an exit and an entry at one place",
    map: `
    a----b----c
     d-/ \`-e`,
    ways: `
      abc highway=motorway name=A1
      db  highway=motorway_link name=
      be  highway=motorway_link name=`,
    routes: `
      a c | A1, A1   | depart, arrive
      a e | A1, ,    | depart, off ramp slight right, arrive
      d c | , A1, A1 | depart, merge slight left, arrive`,
  },
]);
