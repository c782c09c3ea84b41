import { runScenarios } from "../run-scenarios.ts";

runScenarios("more of motorways", [
  {
    title: "an exit with a number and a name on its sign",
    map: `
    a---b-----c
         \`----d---e`,
    ways: `
      abc highway=motorway name=A_1
      bde highway=motorway_link name= destination=Aveiro`,
    nodes: "b highway=motorway_junction ref=17 name=Norte",
    routes: `
      a e | A 1, ,   | depart, off ramp slight right, arrive
      a c | A 1, A 1 | depart, arrive`,
  },
  {
    title: "three lanes of motorway become two and two",
    map: `
             c----d
    a------b
             e----f`,
    ways: `
      ab highway=motorway name=A_2 lanes=4
      bcd highway=motorway name=A_2 lanes=2
      bef highway=motorway name=A_9 lanes=2`,
    routes: `
      a d | A 2, A 2, A 2 | depart, fork slight left, arrive
      a f | A 2, A 9, A 9 | depart, fork slight right, arrive`,
  },
  {
    title: "an exit of as many lanes leads straight on, and the motorway aside",
    map: `
    a------b-----c----d
              e
                 f`,
    ways: `
      ab highway=motorway name=A_2 lanes=3
      bcd highway=motorway_link name=A_9 lanes=2 oneway=yes
      bef highway=motorway name=A_2 lanes=2`,
    routes: `
      a f | A 2, A 2, A 2 | depart, fork slight right, arrive
      a d | A 2, A 9, A 9 | depart, off ramp slight left, arrive`,
  },
  {
    title: "the motorway leads straight on, and an exit of as many lanes aside",
    map: `
    a------b-----c----d
              e
                 f`,
    ways: `
      ab highway=motorway name=A_2 lanes=3
      bcd highway=motorway name=A_2 lanes=2
      bef highway=motorway_link name=A_9 lanes=2 oneway=yes`,
    routes: `
      a d | A 2, A 2      | depart, arrive
      a f | A 2, A 9, A 9 | depart, off ramp slight right, arrive`,
  },
  {
    title: "a trunk road ends at a crossing",
    map: `
            c
            |
    a---e---b
            |
            d`,
    ways: `
      aeb highway=trunk name=Express
      cbd highway=secondary name=Town`,
    routes: `
      a c | Express, Town, Town    | depart, turn left, arrive
      a d | Express, Town, Town    | depart, turn right, arrive
      c a | Town, Express, Express | depart, turn right, arrive`,
  },
  {
    title: "a ramp loops under the motorway",
    grid: 40,
    map: `
    a----b------c
         |\\
         | \\
    f----d--e`,
    ways: `
      abc highway=motorway name=A_4
      be highway=motorway_link name=
      ed highway=motorway_link name=
      fd highway=secondary name=Under`,
    routes: `
      a f | A 4, , Under, Under | depart, off ramp right, new name straight, arrive`,
  },
  {
    title: "two motorways cross with a ramp between them",
    map: `
           g
           |
    a---b--+----c
         \` |
          \`d
           |
           e`,
    ways: `
      abc highway=motorway name=A_5
      gde highway=motorway name=A_6
      bd highway=motorway_link name=`,
    routes: `
      a e | A 5, , A 6, A 6 | depart, off ramp slight right, merge slight left, arrive
      g e | A 6, A 6        | depart, arrive`,
  },
  {
    title: "a ramp that carries the name of the road it leads to",
    map: `
    a---b-----c
         \`----d---e`,
    ways: `
      abc highway=motorway name=A_7
      bd highway=motorway_link name=Rua_do_Porto
      de highway=primary name=Rua_do_Porto`,
    routes: `
      a e | A 7, Rua do Porto, Rua do Porto | depart, off ramp slight right, arrive`,
  },
]);
