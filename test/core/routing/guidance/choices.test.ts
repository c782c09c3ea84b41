import { runScenarios } from "./run-scenarios.ts";

const split = `
    a-----b--------c
           \`
            \`------d`;

runScenarios("a motorway whose lanes part in halves", [
  {
    title: "is a fork for both with one lane each",
    map: split,
    ways: `
      ab highway=motorway name= ref=A_1 lanes=2
      bc highway=motorway name= ref=A_1 lanes=1
      bd highway=motorway_link name= ref=A_3 oneway=yes lanes=1`,
    routes: `
      a c | A 1, A 1, A 1 | depart, fork slight left, arrive
      a d | A 1, A 3, A 3 | depart, off ramp slight right, arrive`,
  },
  {
    title: "is a fork for both with two lanes each",
    map: split,
    ways: `
      ab highway=motorway name= ref=A_1 lanes=4
      bc highway=motorway name= ref=A_1 lanes=2
      bd highway=motorway_link name= ref=A_3 oneway=yes lanes=2`,
    routes: `
      a c | A 1, A 1, A 1 | depart, fork slight left, arrive
      a d | A 1, A 3, A 3 | depart, off ramp slight right, arrive`,
  },
  {
    title: "is not a fork where the motorway keeps more lanes than the exit has, or all of them",
    map: split,
    ways: `
      ab highway=motorway name= ref=A_1 lanes=3
      bc highway=motorway name= ref=A_1 lanes=2
      bd highway=motorway_link name= ref=A_3 oneway=yes lanes=1`,
    routes: `
      a c | A 1, A 1      | depart, arrive
      a d | A 1, A 3, A 3 | depart, off ramp slight right, arrive`,
  },
]);

runScenarios("a ramp that parts just before a motorway", [
  {
    title: "is a merge on the one side and a fork on the other",
    map: `
               ,---c
    a------b--<
               \`---d`,
    ways: `
      bc highway=motorway_link name= ref=A_3 oneway=yes
      bd highway=motorway name= ref=A_1
      ab highway=motorway_link name= oneway=yes`,
    routes: `
      a c | , A 3, A 3 | depart, fork slight left, arrive
      a d | , A 1, A 1 | depart, merge slight right, arrive`,
  },
  {
    title: "announces the merge onto a motorway that has a number only",
    map: `
    x-----b--------c
         /
        /
       a`,
    ways: `
      xbc highway=motorway name= ref=A_1
      ab highway=motorway_link name= ref=A_1 oneway=yes`,
    routes: `
      a c | A 1, A 1, A 1 | depart, merge slight left, arrive`,
  },
]);

runScenarios("a street with a number", [
  {
    title: "is announced once, although its names change",
    map: `
    a---b---c---d---e
        |
        f`,
    grid: 200,
    ways: `
      fb name=Side
      ab name=First ref=B_3
      bc name=First ref=B_3
      cd name=Second ref=B_3;B_37
      de name=Third ref=B_3`,
    routes: `
      f e | Side, First, Third | depart, turn right, arrive`,
  },
  {
    title: "is announced again where its number changes",
    map: `
    a---b---c---d---e
        |
        f`,
    grid: 200,
    ways: `
      fb name=Side
      ab name=First ref=B_3
      bc name=First ref=B_3
      cd name=Second ref=B_4
      de name=Third ref=B_4`,
    routes: `
      f e | Side, First, Second, Third | depart, turn right, new name straight, arrive`,
  },
]);

const offset = `
                                  e
                                  |
      a---------------------------b
                                  c---------------------------d
                                  |
                                  f`;

runScenarios("a street that a path crosses with an offset", [
  {
    title: "is crossed straight on by bike, whatever the names",
    map: offset,
    grid: 4,
    mode: "cycling",
    ways: `
      ab highway=cycleway name=Mill_Path
      cd highway=cycleway name=Lake_Path
      ebcf highway=residential name=Street`,
    routes: `
      a d | Mill Path, Lake Path, Lake Path | depart, new name straight, arrive
      d a | Lake Path, Mill Path, Mill Path | depart, new name straight, arrive`,
  },
  {
    title: "is crossed silently where the paths have no names",
    map: offset,
    grid: 4,
    mode: "cycling",
    ways: `
      ab highway=cycleway name=
      cd highway=cycleway name=
      ebcf highway=residential name=Street`,
    routes: `
      a d | , | depart, arrive`,
  },
  {
    title: "is two turns by car",
    map: offset,
    grid: 4,
    ways: `
      ab highway=residential name=North_Road
      cd highway=residential name=South_Road
      ebcf highway=residential name=Street`,
    routes: `
      a d | North Road, Street, South Road, South Road | depart, turn right, turn left, arrive`,
  },
]);

const forced = `
      a---------------------------b--------------------y
                                  |
      e---------------------------c-----------------------------d
                                  |
                                  g`;
const forcedWays = `
      ab name=Mill
      yb name=Mill oneway=yes
      bc name=Down oneway=yes
      cg name=Down
      ecd name=Lake`;

runScenarios("a turn where only one road is open", [
  {
    title: "is not announced if another turn follows at once",
    map: forced,
    grid: 4,
    ways: forcedWays,
    routes: `
      a d | Mill, Lake, Lake | depart, turn left, arrive
      a e | Mill, Lake, Lake | depart, turn right, arrive
      a g | Mill, Down, Down | depart, turn right, arrive`,
  },
  {
    title: "is announced if the road after it is long enough to be seen",
    map: forced,
    grid: 10,
    ways: forcedWays,
    routes: `
      a d | Mill, Down, Lake, Lake | depart, turn right, turn left, arrive
      a e | Mill, Down, Lake, Lake | depart, turn right, turn right, arrive`,
  },
]);
