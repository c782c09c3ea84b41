import { runScenarios } from "../run-scenarios.ts";

runScenarios("slip lanes", [
  {
    title: "a lane that cuts the corner before the lights is a right turn",
    grid: 10,
    map: `
            e
            |
    a---b---c---d
         \`-h|
           ||
            f
            |
            g`,
    ways: `
      abcd name=First
      ec   name=Second
      cfg  name=Second oneway=yes
      bhf  name= oneway=yes highway=primary_link`,
    forbidden: "b c f",
    routes: `
      a g | First, Second, Second | depart, turn right, arrive
      a d | First, First          | depart, arrive
      a e | First, Second, Second | depart, turn left, arrive`,
  },
  {
    title: "a lane that must turn at its end, away from the crossing, is one turn",
    grid: 20,
    map: `
       g
       |
       c
    ab-de
       f`,
    ways: `
      ab  name=Road oneway=yes
      bd  name=Road oneway=yes
      bc  name=Road oneway=yes
      de  name=Road oneway=yes
      fd  name=Cross highway=secondary
      dc  name=Cross highway=secondary
      cg  name=Cross highway=secondary`,
    forbidden: `
      b d c
      b c d`,
    routes: `
      a g | Road, Cross, Cross | depart, turn left, arrive
      a e | Road, Road         | depart, arrive`,
  },
  {
    title: "a lane with the name of its street, and a turn at its end, is no bend of the street",
    grid: 3,
    map: `
           e
    a--b---ch
           d
           f`,
    ways: `
      abc name=In oneway=yes
      bd  name=In oneway=yes
      ec  name=Cross
      cd  name=Cross
      df  name=Cross
      ch  name=Ahead`,
    forbidden: `
      b d c
      b c d`,
    routes: `
      a f | In, Cross, Cross | depart, turn right, arrive`,
  },
  {
    title: "two slip lanes serve two corners",
    grid: 10,
    map: `
           .f---g
          / |
    a---b---c---d
         \`. |
           \`h---i`,
    ways: `
      abcd name=Quay
      fch  name=Dock
      fg   name=North_Yard
      hi   name=South_Yard
      bh   name= oneway=yes highway=primary_link
      bf   name= oneway=yes highway=primary_link`,
    forbidden: `
      b c h
      b c f`,
    routes: `
      a d | Quay, Quay | depart, arrive`,
  },
  {
    title: "a slip lane as long as a road is announced as a road",
    grid: 60,
    map: `
            e
            |
    a---b---c---d
         \\  |
          \\ |
           \\|
            f
            |
            g`,
    ways: `
      abcd name=First
      ecfg name=Second
      bf   name=Link_Lane oneway=yes`,
    forbidden: "b c f",
    routes: "a g | First, Link Lane, Second, Second | depart, turn right, turn right, arrive",
  },
  {
    title: "where traffic keeps left the lane cuts the left corner",
    grid: 10,
    drivingSide: "left",
    map: `
            g
            |
            f
           ||
         .-h|
    a---b---c---d
            |
            e`,
    ways: `
      abcd name=First
      ec   name=Second
      cfg  name=Second oneway=yes
      bhf  name= oneway=yes highway=primary_link`,
    forbidden: "b c f",
    routes: `
      a g | First, Second, Second | depart, turn left, arrive
      a e | First, Second, Second | depart, turn right, arrive`,
  },
]);
