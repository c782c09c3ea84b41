import { runScenarios } from "../run-scenarios.ts";

const map = `
      j
  a---b
      c---d
      |
      f`;

runScenarios("a street that continues a few meters aside", [
  {
    title: "is ridden straight on by bike",
    map,
    grid: 2,
    mode: "cycling",
    ways: `
      ab highway=residential name=Oak_Street
      cd highway=residential name=Oak_Street
      fcbj highway=residential name=Cedar_Drive`,
    routes: `
      a d | Oak Street, Oak Street | depart, arrive
      d a | Oak Street, Oak Street | depart, arrive`,
  },
  {
    title: "is two turns where the bike is pushed in between",
    map,
    grid: 2,
    mode: "cycling",
    ways: `
      ab highway=residential name=Oak_Street
      cd highway=residential name=Oak_Street
      fcbj highway=residential name=Cedar_Drive mode=pushing`,
    routes: `
      a d | Oak Street, Cedar Drive, Oak Street, Oak Street | depart, turn right, turn left, arrive`,
  },
  {
    title: "is two turns where the bike is pushed before",
    map,
    grid: 2,
    mode: "cycling",
    ways: `
      ab highway=residential name=Oak_Street mode=pushing
      cd highway=residential name=Oak_Street
      fcbj highway=residential name=Cedar_Drive`,
    routes: `
      a d | Oak Street, Cedar Drive, Oak Street, Oak Street | depart, turn right, turn left, arrive`,
  },
]);

runScenarios("two streets of other names with an offset", [
  {
    title: "are never told by the first turn alone, where the second turns back",
    map: `
                                  e
                                  |
      a---------------------------b
                                  c
                                  |\`
                                  | \`
                                  f   ---------------------------d`,
    grid: 4,
    mode: "cycling",
    ways: `
      ab highway=cycleway name=Mill_Path
      cd highway=cycleway name=Lake_Path
      ebcf highway=residential name=Street`,
    routes: `
      a d | Mill Path, Lake Path, Lake Path | depart, new name straight, arrive`,
  },
]);

const harbor = `
              d
              |
    e--a------b
              |
              c
              |
              f`;

runScenarios("ferries", [
  {
    title: "are changed in a harbor",
    map: harbor,
    ways: `
      ea name=Melee
      ab route=ferry name=Melee_Line
      cf name=Monkey
      bd name=Scabb
      bc route=ferry name=Monkey_Line`,
    routes: `
      e f | Melee, Melee Line, Monkey Line, Monkey, Monkey | depart, notification straight, turn right, notification straight, arrive`,
  },
  {
    title: "part at sea without an announcement",
    map: `
    a--b------c------d--e
              |
              |
              f
              |
              g`,
    ways: `
      ab name=West
      de name=East
      gf name=South
      bcd route=ferry name=Line
      fc route=ferry name=Line`,
    routes: `
      g e | South, Line, East, East | depart, notification straight, notification straight, arrive`,
  },
]);

runScenarios("motorways", [
  {
    title: "that join from both sides are merges",
    map: `
    e.
      \`
    a--b------c
      /
    d'`,
    ways: `
      abc highway=motorway
      db highway=motorway
      eb highway=motorway`,
    routes: `
      d c | db, abc, abc | depart, merge slight left, arrive
      e c | eb, abc, abc | depart, merge slight right, arrive`,
  },
  {
    title: "that join under both numbers are not announced",
    map: `
    a-----.
           c---d
    b-----'`,
    ways: `
      ac highway=motorway name= ref=US_50
      bc highway=motorway name= ref=I_66
      cd highway=motorway name= ref=US_50;I_66`,
    routes: `
      a d | US 50, US 50;I 66 | depart, arrive
      b d | I 66, US 50;I 66 | depart, arrive`,
  },
  {
    title: "are entered and left at one place",
    map: `
    a--b---c---d--e
          / \`
    f--g-'   \`-h--i`,
    grid: 30,
    ways: `
      abcde highway=motorway
      fgc highway=motorway_link oneway=yes
      chi highway=motorway_link oneway=yes`,
    routes: `
      a e | abcde, abcde | depart, arrive
      f e | fgc, abcde, abcde | depart, merge slight left, arrive
      a i | abcde, chi, chi | depart, off ramp slight right, arrive`,
  },
  {
    title: "begin behind a ramp that parts",
    map: `
            ,---d--e
    a---b--c
            \`---f--g`,
    ways: `
      abc highway=motorway_link oneway=yes
      cde highway=motorway
      cfg highway=motorway`,
    routes: `
      a e | abc, cde, cde | depart, fork slight left, arrive
      a g | abc, cfg, cfg | depart, fork slight right, arrive`,
  },
]);
