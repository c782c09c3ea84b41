import { runScenarios } from "./run-scenarios.ts";

runScenarios("highways", [
  {
    title: "an exit on the right, and past it",
    grid: 20,
    map: `
    a-------b------------c
              \`-----d-----e`,
    ways: `
      abc name=A_1 highway=motorway
      bde name=Exit highway=motorway_link oneway=yes`,
    routes: `
      a c | A 1, A 1        | depart, arrive
      a e | A 1, Exit, Exit | depart, off ramp slight right, arrive`,
  },
  {
    title: "an exit on the left",
    grid: 20,
    map: `
              ,-----d-----e
    a-------b------------c`,
    ways: `
      abc name=A_1 highway=motorway
      bde name=Exit highway=motorway_link oneway=yes`,
    routes: `
      a e | A 1, Exit, Exit | depart, off ramp slight left, arrive`,
  },
  {
    title: "two exits one behind the other",
    grid: 20,
    map: `
    a-------b---------c---------d
              \`---e     \`---f`,
    ways: `
      abcd name=A_1 highway=motorway
      be   name=North_Exit highway=motorway_link oneway=yes
      cf   name=South_Exit highway=motorway_link oneway=yes`,
    routes: `
      a e | A 1, North Exit, North Exit | depart, off ramp slight right, arrive
      a f | A 1, South Exit, South Exit | depart, off ramp slight right, arrive
      a d | A 1, A 1                    | depart, arrive`,
  },
  {
    title: "a ramp that parts for two directions",
    grid: 20,
    map: `
                        ,-------d
    a------b------c
                        \`-------e`,
    ways: `
      ab name=A_1 highway=motorway
      bc name= highway=motorway_link oneway=yes
      cd name= highway=motorway_link oneway=yes destination=City
      ce name= highway=motorway_link oneway=yes destination=Harbour`,
    routes: `
      b d | , , | depart, fork slight left, arrive
      b e | , , | depart, fork slight right, arrive`,
  },
  {
    title: "the ramp onto a motorway merges from the right",
    grid: 20,
    map: `
    a-----------b-----------c
    d------e---'`,
    ways: `
      abc name=A_1 highway=motorway
      deb name=Entry highway=motorway_link oneway=yes`,
    routes: `
      d c | Entry, A 1, A 1 | depart, merge slight left, arrive`,
  },
  {
    title: "and from the left",
    grid: 20,
    map: `
    d------e---,
    a-----------b-----------c`,
    ways: `
      abc name=A_1 highway=motorway
      deb name=Entry highway=motorway_link oneway=yes`,
    routes: `
      d c | Entry, A 1, A 1 | depart, merge slight right, arrive`,
  },
  {
    title: "a motorway that parts into two",
    grid: 20,
    map: `
                      ,----------c
    a----------b
                      \`----------d`,
    ways: `
      ab name=A_1 highway=motorway
      bc name=A_2 highway=motorway
      bd name=A_3 highway=motorway`,
    routes: `
      a c | A 1, A 2, A 2 | depart, fork slight left, arrive
      a d | A 1, A 3, A 3 | depart, fork slight right, arrive`,
  },
  {
    title: "two motorways that become a third",
    grid: 20,
    map: `
    a----------,
                      c-----------d
    b----------'`,
    ways: `
      ac name=A_2 highway=motorway
      bc name=A_3 highway=motorway
      cd name=A_1 highway=motorway`,
    routes: `
      a d | A 2, A 1, A 1 | depart, new name straight, arrive
      b d | A 3, A 1, A 1 | depart, new name straight, arrive`,
  },
  {
    title: "from a street onto a ramp, to either side",
    grid: 20,
    map: `
            r
            |
    a-------x-------b
            |
            q`,
    ways: `
      axb name=Link_Street highway=secondary
      xr  name=North highway=motorway_link oneway=yes
      xq  name=South highway=motorway_link oneway=yes`,
    routes: `
      a r | Link Street, North, North | depart, on ramp left, arrive
      a q | Link Street, South, South | depart, on ramp right, arrive
      b r | Link Street, North, North | depart, on ramp right, arrive
      a b | Link Street, Link Street  | depart, arrive`,
  },
  {
    title: "a ramp that ends at a street",
    grid: 20,
    map: `
            n
            |
    r-------x
            |
            s`,
    ways: `
      rx  name=Exit highway=motorway_link oneway=yes
      nxs name=Ring_Road highway=secondary`,
    routes: `
      r n | Exit, Ring Road, Ring Road | depart, turn left, arrive
      r s | Exit, Ring Road, Ring Road | depart, turn right, arrive`,
  },
  {
    title: "a motorway with an exit number at its junction",
    grid: 20,
    map: `
    a-------b------------c
              \`-----d-----e`,
    ways: `
      abc name=A_1 highway=motorway ref=A_1
      bde name= highway=motorway_link oneway=yes destination=Airport`,
    nodes: "b highway=motorway_junction ref=12",
    routes: `
      a e | A 1, , | depart, off ramp slight right, arrive`,
  },
  {
    title: "a trunk road whose junctions are plain",
    grid: 20,
    map: `
          c
          |
    a-----x-----b
          |
          d`,
    ways: `
      axb name=Trunk highway=trunk
      cxd name=Lane highway=tertiary`,
    routes: `
      a c | Trunk, Lane, Lane  | depart, turn left, arrive
      c b | Lane, Trunk, Trunk | depart, turn left, arrive
      a b | Trunk, Trunk       | depart, arrive`,
  },
  {
    title: "on a motorway and off it again at the next exit",
    grid: 20,
    map: `
    d-----,             ,-----e
    a-------b---------c-------f`,
    ways: `
      abcf name=A_1 highway=motorway
      db   name=Entry highway=motorway_link oneway=yes
      ce   name=Exit highway=motorway_link oneway=yes`,
    routes: `
      d e | Entry, A 1, Exit, Exit | depart, merge slight right, off ramp slight left, arrive
      d f | Entry, A 1, A 1        | depart, merge slight right, arrive`,
  },
  {
    title: "a motorway that changes its name but not its number",
    grid: 100,
    map: "a----b----c",
    ways: `
      ab name=West_Expressway ref=I_90 highway=motorway
      bc name=Expressway ref=I_90 highway=motorway`,
    routes: `
      a c | West Expressway, Expressway | depart, arrive`,
  },
]);
