import { runScenarios } from "../run-scenarios.ts";

runScenarios("ramps", [
  {
    title: "a ramp leaves a through street to the right",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc highway=secondary
      bd  highway=motorway_link`,
    routes: `
      a d | abc, bd, bd | depart, on ramp right, arrive
      c d | abc, bd, bd | depart, on ramp left, arrive
      a c | abc, abc    | depart, arrive`,
  },
  {
    title: "two ramps leave a street at one place",
    map: `
        e
        |
    a---b---c
        |
        d`,
    ways: `
      abc highway=tertiary
      be  highway=trunk_link
      bd  highway=trunk_link`,
    routes: `
      a e | abc, be, be | depart, on ramp left, arrive
      a d | abc, bd, bd | depart, on ramp right, arrive
      c e | abc, be, be | depart, on ramp right, arrive`,
  },
  {
    title: "a ramp goes straight on where the street bends away",
    map: `
            c
           /
    a---b---d`,
    ways: `
      abc highway=tertiary
      bd  highway=motorway_link`,
    routes: `
      a d | abc, bd, bd | depart, on ramp straight, arrive
      a c | abc, abc    | depart, arrive`,
  },
  {
    title: "a ramp beside the street it leaves is a slight turn",
    grid: 10,
    map: `
                c
    a----b
                d`,
    ways: `
      abc highway=primary
      bd  highway=motorway_link`,
    routes: `
      a d | abc, bd, bd | depart, on ramp slight right, arrive
      a c | abc, abc    | depart, arrive`,
  },
  {
    title: "two ramps that join become a motorway without a word",
    map: `
    a
      \\
        c----d
      /
    b`,
    ways: `
      ac highway=motorway_link name=
      bc highway=motorway_link name=
      cd highway=motorway name=`,
    routes: `
      a d | , | depart, arrive
      b d | , | depart, arrive`,
  },
  {
    title: "two exits follow each other",
    map: `
    a---b-------c-------d
         \`--e    \`--f`,
    ways: `
      abcd highway=motorway name=A_5
      be   highway=motorway_link name=
      cf   highway=motorway_link name=`,
    routes: `
      a d | A 5, A 5    | depart, arrive
      a e | A 5, ,      | depart, off ramp slight right, arrive
      a f | A 5, ,      | depart, off ramp slight right, arrive`,
  },
  {
    title: "onto the motorway by one ramp and off by the next",
    map: `
    a---b-------c---d
    e--'         \`--f`,
    ways: `
      abcd highway=motorway name=A_6
      eb   highway=motorway_link name=
      cf   highway=motorway_link name=`,
    routes: "e f | , A 6, , | depart, merge slight left, off ramp slight right, arrive",
  },
  {
    title: "a trunk road without links is left like any street",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc highway=trunk
      bd  highway=secondary`,
    routes: `
      a d | abc, bd, bd   | depart, turn right, arrive
      d c | bd, abc, abc  | depart, turn right, arrive`,
  },
  {
    title: "an exit that splits towards two towns",
    map: `
    a---b-----------c
         \`         g
          \`-d-----e
              \`---f`,
    ways: `
      abc highway=motorway name=A_7
      bd  highway=motorway_link name=
      de  highway=motorway_link name= destination=Aveiro
      df  highway=motorway_link name= destination=Braga
      eg  highway=motorway_link name=`,
    routes: `
      a e | A 7, , , | depart, off ramp slight right, fork slight left, arrive
      a f | A 7, , , | depart, off ramp slight right, fork slight right, arrive`,
  },
  {
    title: "where traffic keeps left the exit is on the left",
    drivingSide: "left",
    map: `
          ,-e---f
    a---b---c---d`,
    ways: `
      abcd highway=motorway name=M_1
      bef  highway=motorway_link name=`,
    routes: `
      a d | M 1, M 1 | depart, arrive
      a f | M 1, ,   | depart, off ramp slight left, arrive`,
  },
]);
