import { runScenarios } from "./run-scenarios.ts";

runScenarios("on foot and by bike", [
  {
    title: "a path leaves a street",
    mode: "walking",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc name=Main highway=residential
      bd name=Garden_Path highway=path`,
    routes: `
      a d | Main, Garden Path, Garden Path | depart, turn right, arrive
      c d | Main, Garden Path, Garden Path | depart, turn left, arrive
      d a | Garden Path, Main, Main        | depart, turn left, arrive`,
  },
  {
    title: "a bike follows a cycleway across a street",
    mode: "cycling",
    map: `
        c
        |
    a---b---d
        |
        e`,
    ways: `
      abd name=Main
      cbe name=Green_Way highway=cycleway`,
    routes: `
      c e | Green Way, Green Way       | depart, arrive
      a e | Main, Green Way, Green Way | depart, turn right, arrive
      e d | Green Way, Main, Main      | depart, turn right, arrive`,
  },
  {
    title: "a bike turns from a track onto a street",
    mode: "cycling",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc name=Main
      db name=Field highway=track`,
    routes: `
      d a | Field, Main, Main | depart, turn left, arrive
      d c | Field, Main, Main | depart, turn right, arrive`,
  },
  {
    title: "a bike is pushed through a walkers street and ridden behind it",
    mode: "cycling",
    map: `a---b---c---d`,
    ways: `
      ab name=In
      bc name=Mall highway=pedestrian mode=pushing
      cd name=Out`,
    routes: `
      a d | In, Mall, Out, Out | depart, notification straight, notification straight, arrive
      d a | Out, Mall, In, In  | depart, notification straight, notification straight, arrive`,
  },
  {
    title: "walkers board a ferry",
    mode: "walking",
    map: `a---b---c---d`,
    ways: `
      ab name=Pier_Road
      bc name=Harbour_Ferry route=ferry mode=ferry highway=
      cd name=Island_Road`,
    routes: `
      a d | Pier Road, Harbour Ferry, Island Road, Island Road | depart, notification straight, notification straight, arrive
      d a | Island Road, Harbour Ferry, Pier Road, Pier Road   | depart, notification straight, notification straight, arrive`,
  },
  {
    title: "exits of a roundabout on which a bike would be pushed are not counted",
    mode: "cycling",
    grid: 10,
    map: `
          n
          |
    w--b--a
       |    \\
       c     f--e
         \\  /
          d---t`,
    ways: `
      na     name=North
      wb     name=West oneway=yes
      td     name=South_East
      ef     name=East
      abcdfa name=Ring junction=roundabout`,
    routes: `
      n t | North, South East, South East, South East | depart, rotary right 1, exit rotary slight left 1, arrive
      n e | North, East, East, East                   | depart, rotary right 2, exit rotary slight right 2, arrive`,
  },
  {
    title: "exits of a roundabout to paths that a cyclist rides are counted, those to service roads are not",
    mode: "cycling",
    grid: 10,
    map: `
          n
          |
    w--b--a
       |    \\
    s--c     f--e
         \\  /
          d---t`,
    ways: `
      na     name=North
      bw     name=West highway=cycleway
      cs     name=Yard highway=service
      dt     name=South_East highway=path bicycle=designated
      fe     name=East
      abcdfa name=Ring junction=roundabout`,
    routes: `
      n t | North, South East, South East, South East | depart, rotary right 2, exit rotary slight left 2, arrive
      n e | North, East, East, East                   | depart, rotary right 3, exit rotary slight right 3, arrive`,
  },
  {
    title: "a footway through a park forks",
    mode: "walking",
    map: `
              c
    a----b
              d`,
    ways: `
      ab name= highway=footway
      bc name=Pond_Walk highway=footway
      bd name=Rose_Walk highway=footway`,
    routes: `
      a c | , Pond Walk, Pond Walk          | depart, fork slight left, arrive
      a d | , Rose Walk, Rose Walk          | depart, fork slight right, arrive
      c d | Pond Walk, Rose Walk, Rose Walk | depart, turn sharp left, arrive`,
  },
]);
