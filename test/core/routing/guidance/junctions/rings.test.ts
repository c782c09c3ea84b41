import { runScenarios } from "../run-scenarios.ts";

runScenarios("rings", [
  {
    title: "a small roundabout with three arms is a turn, without counting exits",
    grid: 3,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      abcda name=Ring junction=roundabout`,
    routes: `
      n s | North, South, South | depart, roundabout turn straight 1, arrive
      n e | North, East, East   | depart, roundabout turn left 2, arrive
      s e | South, East, East   | depart, roundabout turn right 1, arrive
      e n | East, North, North  | depart, roundabout turn right 1, arrive
      s n | South, North, North | depart, roundabout turn straight 2, arrive`,
  },
  {
    title: "exits of a roundabout with five arms are counted",
    grid: 10,
    map: `
          n
          |
    w--b--a
       |    \\
       c     f--e
         \\  /
      s---d---t`,
    ways: `
      na     name=North
      wb     name=West
      sd     name=South_West
      td     name=South_East
      ef     name=East
      abcdfa name=Ring junction=roundabout`,
    routes: `
      n w | North, West, West, West | depart, rotary right 1, exit rotary straight 1, arrive
      n e | North, East, East, East | depart, rotary right 3, exit rotary slight right 3, arrive`,
  },
  {
    title: "a great circle with a name of its own",
    grid: 30,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      abcda name=Liberty_Circle junction=roundabout`,
    routes: `
      n s | North, South, South, South | depart, rotary right 1, exit rotary right 1, arrive
      n e | North, East, East, East    | depart, rotary right 2, exit rotary slight right 2, arrive`,
  },
  {
    title: "a great circle without a name is a roundabout",
    grid: 30,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      abcda name= junction=roundabout`,
    routes: `
      n s | North, South, South, South | depart, roundabout right 1, exit roundabout right 1, arrive
      s n | South, North, North, North | depart, roundabout right 2, exit roundabout right 2, arrive`,
  },
  {
    title: "a circle with the name of the street through it is a roundabout, not a rotary",
    grid: 30,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=Main
      sc    name=Main
      de    name=East
      abcda name=Main junction=roundabout`,
    routes: `
      n e | Main, East, East, East | depart, roundabout right 2, exit roundabout slight right 2, arrive
      n s | Main, Main, Main, Main | depart, roundabout right 1, exit roundabout right 1, arrive`,
  },
  {
    title: "where traffic keeps left the ring is driven clockwise",
    grid: 30,
    drivingSide: "left",
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      adcba name=Liberty_Circle junction=roundabout`,
    routes: `
      n e | North, East, East, East | depart, rotary left 1, exit rotary slight left 1, arrive
      n s | North, South, South, South | depart, rotary left 2, exit rotary left 2, arrive`,
  },
  {
    title: "a leg that ends on the ring has no exit",
    grid: 30,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      abcda name=Liberty_Circle junction=roundabout`,
    routes: `
      n b | North, Liberty Circle, Liberty Circle | depart, rotary right, arrive
      s d | South, Liberty Circle, Liberty Circle | depart, rotary right, arrive`,
  },
  {
    title: "a leg that starts on the ring only leaves it",
    grid: 30,
    map: `
        n
        |
        a
      /   \\
    b       d---e
      \\   /
        c
        |
        s`,
    ways: `
      na    name=North
      sc    name=South
      de    name=East
      abcda name=Liberty_Circle junction=roundabout`,
    routes: `
      b s | Liberty Circle, South, South | depart, exit rotary right 1, arrive
      b e | Liberty Circle, East, East | depart, exit rotary slight right 2, arrive`,
  },
  {
    title: "a circle touched at one node is entered and left in one step",
    grid: 10,
    map: `
          n
          |
    w--b--a
       |    \\
       c     f--e
         \\  /
      s---d---t`,
    ways: `
      na     name=North
      wb     name=West
      sd     name=South_West oneway=yes
      dt     name=South_East oneway=yes
      ef     name=East
      abcdfa name=Ring junction=roundabout`,
    routes: `
      s t | South West, South East, South East | depart, rotary straight 1, arrive
      s e | South West, East, East, East       | depart, rotary slight left 2, exit rotary slight right 2, arrive`,
  },
  {
    title: "exits to driveways are not counted",
    grid: 10,
    map: `
         n
         |
         a
       /   \\
    w-b     d---e
       \\   /
         c
         |
         s`,
    ways: `
      na    name=North
      wb    name=Yard highway=service
      sc    name=South
      de    name=East
      abcda name=Ring junction=roundabout`,
    routes: `
      n s | North, South, South, South | depart, rotary right 1, exit rotary right 1, arrive
      n e | North, East, East, East | depart, rotary right 2, exit rotary slight right 2, arrive`,
  },
  {
    title: "two roundabouts one after the other",
    grid: 30,
    map: `
        n           m
        |           |
        a           f
      /   \\       /   \\
    b       d---e       h---z
      \\   /       \\   /
        c           g
        |           |
        s           t`,
    ways: `
      na    name=North
      sc    name=South
      mf    name=Middle
      tg    name=Tower
      de    name=Between
      hz    name=Last
      abcda name=West_Circle junction=roundabout
      fegh  name=East_Circle junction=roundabout
      hf    name=East_Circle junction=roundabout`,
    routes: `
      n z | North, Between, Between, Last, Last, Last | depart, rotary right 2, exit rotary slight right 2, rotary slight right 2, exit rotary slight right 2, arrive`,
  },
]);
