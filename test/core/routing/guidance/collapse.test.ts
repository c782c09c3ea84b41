import { runScenarios } from "./run-scenarios.ts";

runScenarios("maneuvers that are one", [
  {
    title: "crossing a divided road is silent, turning at it is one turn",
    grid: 10,
    map: `
              c d
              | |
              | |
    a---------b-e--------f
              | |
              | |
              g h`,
    ways: `
      abef name=Main
      cbg  name=Avenue oneway=yes
      hed  name=Avenue oneway=yes`,
    routes: `
      a f | Main, Main           | depart, arrive
      a g | Main, Avenue, Avenue | depart, turn right, arrive
      a d | Main, Avenue, Avenue | depart, turn left, arrive
      c f | Avenue, Main, Main   | depart, turn left, arrive
      c a | Avenue, Main, Main   | depart, turn right, arrive
      h a | Avenue, Main, Main   | depart, turn left, arrive
      h d | Avenue, Avenue       | depart, arrive`,
  },
  {
    title: "turning back at a gap in the median is a U-turn",
    grid: 10,
    map: `
    a---------b---------c
              |
    d---------e---------f`,
    ways: `
      cba name=Main oneway=yes
      def name=Main oneway=yes
      be  name=`,
    routes: `
      d a | Main, Main, Main | depart, continue uturn, arrive
      c f | Main, Main, Main | depart, continue uturn, arrive`,
  },
  {
    title: "a gap with a name of its own is a U-turn all the same",
    grid: 10,
    map: `
    a---------b---------c
              |
              |
    d---------e---------f`,
    ways: `
      cba name=Main oneway=yes
      def name=Main oneway=yes
      be  name=Gap`,
    routes: `
      d a | Main, Main, Main | depart, continue uturn, arrive`,
  },
  {
    title: "two turns onto streets with a choice, far apart, are no U-turn",
    grid: 50,
    map: `
    a---------b---------c
              |
              |
    d---------e---------f`,
    ways: `
      cba name=Main
      def name=Main
      be  name=Gap`,
    routes: `
      d a | Main, Gap, Main, Main | depart, turn left, turn left, arrive`,
  },
  {
    title: "a staggered crossing is passed straight on",
    grid: 1,
    map: `
                     c
                     |
    a----------------b
                     d----------------e
                     |
                     f`,
    ways: `
      ab  name=Lane highway=residential
      de  name=Lane highway=residential
      cbdf name=Main`,
    routes: `
      a e | Lane, Lane | depart, arrive
      e a | Lane, Lane | depart, arrive`,
  },
  {
    title: "streets that meet a road far apart are two turns",
    grid: 20,
    map: `
                     c
                     |
    a----------------b
                     |
                     |
                     d----------------e
                     |
                     f`,
    ways: `
      ab  name=Lane highway=residential
      de  name=Lane highway=residential
      cbdf name=Main`,
    routes: `
      a e | Lane, Main, Lane, Lane | depart, turn right, turn left, arrive`,
  },
  {
    title: "a bridge with its own name is not announced",
    map: `
    a---b---c---d`,
    ways: `
      ab name=Main
      bc name=Old_Bridge bridge=yes
      cd name=Main`,
    routes: `
      a d | Main, Main | depart, arrive`,
  },
  {
    title: "a name that lasts for less than 105 m is not announced",
    grid: 20,
    map: `
    a-------------------b--c-------------------d`,
    ways: `
      ab name=First
      bc name=Second
      cd name=Third`,
    routes: `
      a d | First, Third, Third | depart, new name straight, arrive`,
  },
  {
    title: "a turn just behind a change of name is one turn",
    grid: 10,
    map: `
                       d
                       |
    a----------------b-c
                       |
                       e`,
    ways: `
      ab  name=First
      bc  name=Second
      dce name=Cross`,
    routes: `
      a d | First, Cross, Cross | depart, end of road left, arrive
      a e | First, Cross, Cross | depart, end of road right, arrive`,
  },
  {
    title: "a change of name just behind a turn belongs to it",
    grid: 10,
    map: `
    a----------------b----------------f
                     |
                     c
                     |
                     |
                     |
                     d`,
    ways: `
      abf name=Main
      bc  name=First
      cd  name=Second`,
    routes: `
      a d | Main, Second, Second | depart, turn right, arrive`,
  },
  {
    title: "a slip road is one turn, not two",
    grid: 10,
    map: `
                      e
                      |
                      |
    a---------------b-c------f
                     \`|
                      d
                      |
                      |
                      g`,
    ways: `
      abcf name=Main
      ecdg name=Cross
      bd   name= highway=primary_link oneway=yes`,
    forbidden: `
      b c d`,
    routes: `
      a g | Main, Cross, Cross | depart, turn right, arrive
      a f | Main, Main         | depart, arrive
      a e | Main, Cross, Cross | depart, turn left, arrive`,
  },
]);

runScenarios("U-turns, ferries and feet", [
  {
    title: "turning back at the end of a dead end",
    map: `
    a---b---c
        |
        d`,
    ways: `
      ab name=Main
      bc name=Main
      bd name=Side`,
    forbidden: `
      a b d`,
    routes: `
      a d | Main, Main, Side, Side | depart, continue uturn, turn left, arrive`,
  },
  {
    title: "a ferry is boarded and left",
    map: `
    a---b-------c---d`,
    ways: `
      ab name=Pier
      bc name=Line_1 route=ferry
      cd name=Quay`,
    routes: `
      a d | Pier, Line 1, Quay, Quay | depart, notification straight, notification straight, arrive`,
  },
  {
    title: "where ferry lines part there is no maneuver",
    map: `
            e
            |
    a---b---c---d---f`,
    ways: `
      ab name=Pier
      bc name=Line_1 route=ferry
      cd name=Line_2 route=ferry
      ce name=Line_3 route=ferry
      df name=Quay`,
    routes: `
      a f | Pier, Line 1, Quay, Quay | depart, notification straight, notification straight, arrive`,
  },
  {
    title: "a bike is pushed where riding is forbidden",
    mode: "cycling",
    map: `
    a---b---c---d`,
    ways: `
      ab name=Lane
      bc name=Mall highway=pedestrian mode=pushing
      cd name=Path highway=cycleway`,
    routes: `
      a d | Lane, Mall, Path, Path | depart, notification straight, notification straight, arrive`,
  },
]);
