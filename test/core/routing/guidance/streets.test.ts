import { runScenarios } from "./run-scenarios.ts";

runScenarios("streets of a city", [
  {
    title: "a street that divides into two carriageways is followed in silence",
    grid: 20,
    map: `
                c----------e
            ---/
    a-------b
            ---\`
                d----------f`,
    ways: `
      ab  name=Main
      bdf name=Main oneway=yes
      ecb name=Main oneway=yes`,
    routes: `
      a f | Main, Main       | depart, arrive
      e a | Main, Main       | depart, arrive
      e f | Main, Main, Main | depart, continue uturn, arrive`,
  },
  {
    title: "the only road that may be entered is not announced when it goes straight on",
    map: `
        c
        |
    a---b---d
        |
        e`,
    ways: `
      abd name=Main
      cb  name=Cross oneway=yes
      eb  name=Cross oneway=yes`,
    routes: `
      a d | Main, Main         | depart, arrive
      c d | Cross, Main, Main  | depart, turn left, arrive
      e a | Cross, Main, Main  | depart, turn left, arrive`,
  },
  {
    title: "from a minor street onto a major one",
    map: `
    a---b---c
        |
        d
        |
    e---f---g`,
    ways: `
      abc name=Main
      bd  name=Lane highway=residential
      df  name=Alley highway=service
      efg name=Yard highway=service`,
    routes: `
      d a | Lane, Main, Main          | depart, turn left, arrive
      d c | Lane, Main, Main          | depart, turn right, arrive
      f a | Alley, Lane, Main, Main   | depart, new name straight, turn left, arrive
      e b | Yard, Alley, Lane, Lane   | depart, turn left, new name straight, arrive`,
  },
  {
    title: "crossing a major street is no maneuver",
    map: `
        c
        |
    a---b---d
        |
        e
        |
    f---g---h`,
    ways: `
      abd name=Main
      cbe name=Lane highway=residential
      eg  name=Lane highway=residential
      fgh name=Main_Two`,
    routes: `
      c e | Lane, Lane               | depart, arrive
      c g | Lane, Lane               | depart, arrive
      c f | Lane, Main Two, Main Two | depart, end of road right, arrive
      c h | Lane, Main Two, Main Two | depart, end of road left, arrive`,
  },
  {
    title: "the street ahead has another name on the far side of a crossing",
    map: `
        c
        |
    a---b---d
        |
        e`,
    ways: `
      ab  name=West
      bd  name=East_Road
      cbe name=Cross`,
    routes: `
      a d | West, East Road, East Road | depart, new name straight, arrive
      a c | West, Cross, Cross         | depart, turn left, arrive
      d c | East Road, Cross, Cross    | depart, turn right, arrive`,
  },
  {
    title: "five roads at one junction get different modifiers",
    map: `
      c   d
       \` /
    a---b---e
         \`
          f`,
    ways: `
      ab name=A
      cb name=C
      db name=D
      eb name=E
      fb name=F`,
    routes: `
      a c | A, C, C | depart, turn sharp left, arrive
      a d | A, D, D | depart, turn left, arrive
      a e | A, E, E | depart, new name straight, arrive
      a f | A, F, F | depart, turn right, arrive
      e a | E, A, A | depart, new name straight, arrive`,
  },
  {
    title: "two turns in nearly the same direction are both plain right turns",
    map: `
    a---b
        |\`
        | \`
        | c
        d`,
    ways: `
      ab name=A
      bc name=C
      bd name=D`,
    routes: `
      a c | A, C, C | depart, turn right, arrive
      a d | A, D, D | depart, turn right, arrive`,
  },
  {
    title: "a start on the junction itself is no turn",
    grid: 1,
    map: `
    a1b----------------------------------c
     |
     |
     d`,
    ways: `
      abc name=Main
      ad  name=Side`,
    routes: `
      1 c | Main, Main | depart, arrive`,
  },
  {
    title: "a slip road without a class of its own is a turn onto the street behind it",
    grid: 10,
    map: `
                        e
                        |
                        |
    a---------------b---c------f
                     \` |
                      \`d
                        |
                        |
                        g`,
    ways: `
      abcf name=Main
      ecdg name=Cross
      bd   name= oneway=yes`,
    routes: `
      a g | Main, Cross, Cross | depart, turn right, arrive
      a f | Main, Main         | depart, arrive`,
  },
  {
    title: "a slip road that leaves like the arm of a fork is no fork",
    grid: 10,
    map: `
                          e
                       ---c------f
                       /  |
    a----------b----      |
                  \`      |
                      x   |
                       \` |
                        \`|
                         |
                          |
                          |
                          d
                          |
                          g`,
    ways: `
      abcf name=Main
      ecdg name=Cross oneway=yes
      bxd  name= oneway=yes`,
    routes: `
      a f | Main, Main, Main   | depart, continue straight, arrive
      a g | Main, Cross, Cross | depart, turn right, arrive`,
  },
  {
    title: "on foot, paths in a park are turned onto like streets",
    mode: "walking",
    map: `
        c
        |
    a---b---d`,
    ways: `
      ab name=Lane highway=residential
      bc name=Path highway=footway
      bd name=Way highway=footway`,
    routes: `
      a c | Lane, Path, Path | depart, turn left, arrive
      a d | Lane, Way, Way   | depart, turn straight, arrive
      c d | Path, Way, Way   | depart, turn left, arrive`,
  },
  {
    title: "where traffic keeps left, U-turns are made to the right",
    drivingSide: "left",
    grid: 10,
    map: `
    a---------b---------c
              |
    d---------e---------f`,
    ways: `
      abc name=Main oneway=yes
      fed name=Main oneway=yes
      be  name=`,
    routes: `
      a d | Main, Main, Main | depart, continue uturn, arrive`,
  },
  {
    title: "a link between two streets is passed in silence",
    map: `
    a-------b-------c
             \`
              d
               \`
    e-----------f----------g`,
    ways: `
      abc highway=secondary name=Upper
      bdf highway=secondary_link name=
      efg highway=secondary name=Lower`,
    routes: `
      a g | Upper, , Lower, Lower | depart, turn right, turn left, arrive
      a e | Upper, , Lower, Lower | depart, turn right, turn sharp right, arrive`,
  },
]);
