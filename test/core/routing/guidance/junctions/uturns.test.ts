import { runScenarios } from "../run-scenarios.ts";

runScenarios("turning round", [
  {
    title: "a U-turn at a gap in the median of a divided street",
    grid: 10,
    map: `
    d----c----e
         |
    a----b----f`,
    ways: `
      abf name=Avenue oneway=yes
      ecd name=Avenue oneway=yes
      bc name=`,
    routes: `
      a d | Avenue, Avenue, Avenue | depart, continue uturn, arrive
      e f | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "where traffic keeps left one turns round to the right",
    grid: 10,
    drivingSide: "left",
    map: `
    a----b----f
         |
    d----c----e`,
    ways: `
      abf name=Avenue oneway=yes
      ecd name=Avenue oneway=yes
      bc name=`,
    routes: `
      a d | Avenue, Avenue, Avenue | depart, continue uturn, arrive
      e f | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "two turns to the left that lead farther than back are no turn to the right",
    grid: 5,
    map: `
            e-------f
    a
        b
    s
            c-------d`,
    ways: `
      sb name=Avenue oneway=yes
      ba name=Avenue oneway=yes
      bc name=Avenue oneway=yes
      cd name=Avenue oneway=yes
      ce name=Avenue highway=tertiary
      fe name=Avenue oneway=yes
      eb name=Avenue oneway=yes`,
    forbidden: "s b a",
    routes: `
      s a | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "where they cross the median of a divided road, too",
    grid: 5,
    map: `
            e-------f
    a
        b
    s
            c-------d`,
    ways: `
      sb name=Avenue oneway=yes
      ba name=Avenue oneway=yes
      bc name=Avenue oneway=yes
      cd name=Avenue oneway=yes
      ce name=Avenue oneway=yes
      fe name=Avenue oneway=yes
      eb name=Avenue oneway=yes`,
    forbidden: "s b a",
    routes: `
      s a | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "round a block to come back",
    map: `
    a---b---c
        |   |
        d---e`,
    ways: `
      abc name=Main oneway=yes
      ce name=East oneway=yes
      ed name=South oneway=yes
      db name=West oneway=yes`,
    routes: `
      a d | Main, East, South, South | depart, new name right, new name right, arrive
      c b | East, South, West, West  | depart, new name right, new name right, arrive`,
  },
]);
