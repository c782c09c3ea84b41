import { runScenarios } from "../run-scenarios.ts";

const CIRCLE = `
             a
             |
             b
           /   \\
    h-----g     c-----d
           \\   /
             e
             |
             f`;

const arms = (circle: string) => `
      ab name=North
      cd name=East
      ef name=South
      hg name=West
      ${circle}`;

runScenarios("circles of every kind", [
  {
    title: "a small circle is turned at like a crossing, from every arm",
    grid: 3,
    map: CIRCLE,
    ways: arms("bgecb name=Circle junction=roundabout"),
    routes: `
      a d | North, East, East   | depart, roundabout turn left 3, arrive
      a f | North, South, South | depart, roundabout turn straight 2, arrive
      a h | North, West, West   | depart, roundabout turn right 1, arrive
      h f | West, South, South  | depart, roundabout turn right 1, arrive
      h d | West, East, East    | depart, roundabout turn straight 2, arrive
      h a | West, North, North  | depart, roundabout turn left 3, arrive`,
  },
  {
    title: "a larger circle counts its exits",
    grid: 20,
    map: CIRCLE,
    ways: arms("bgecb name= junction=roundabout"),
    routes: `
      a h | North, West, West, West | depart, roundabout right 1, exit roundabout slight right 1, arrive
      f d | South, East, East, East | depart, roundabout right 1, exit roundabout slight right 1, arrive`,
  },
  {
    title: "where traffic keeps left a small circle is driven the other way round",
    grid: 3,
    drivingSide: "left",
    map: CIRCLE,
    ways: arms("bcegb name=Circle junction=roundabout"),
    routes: `
      a d | North, East, East   | depart, roundabout turn left 1, arrive
      a f | North, South, South | depart, roundabout turn straight 2, arrive
      a h | North, West, West   | depart, roundabout turn right 3, arrive`,
  },
  {
    title: "a bike counts the exits of a circle as a car does",
    grid: 3,
    mode: "cycling",
    map: CIRCLE,
    ways: arms("bgecb name=Circle junction=roundabout highway=tertiary"),
    routes: `
      a h | North, West, West   | depart, roundabout turn right 1, arrive
      a f | North, South, South | depart, roundabout turn straight 2, arrive`,
  },
  {
    title: "a circle with two arms in one direction counts its exits",
    grid: 10,
    map: `
    a----b---c---f
          \\  |
           \\ |
            d---e`,
    ways: `
      ab   name=Lane
      bdcb name= junction=roundabout
      cf   name=Field
      de   name=Dale`,
    routes: `
      a e | Lane, Dale, Dale, Dale | depart, roundabout right 1, exit roundabout left 1, arrive`,
  },
  {
    title: "a leg that ends on the circle says only to enter it",
    grid: 10,
    map: CIRCLE,
    ways: arms("bgecb name= junction=roundabout"),
    routes: `
      a e | North, , | depart, roundabout right, arrive`,
  },
  {
    title: "a leg that stays on the circle has no maneuvers",
    grid: 10,
    map: CIRCLE,
    ways: arms("bgecb name=Plaza junction=roundabout"),
    routes: `
      b c | Plaza, Plaza | depart, arrive
      c g | Plaza, Plaza | depart, arrive`,
  },
  {
    title: "a traffic circle without a name is a one-way street",
    grid: 20,
    map: CIRCLE,
    ways: arms("bgecb name= junction=circular"),
    routes: `
      a h | North, , West, West | depart, turn right, turn slight right, arrive`,
  },
]);
