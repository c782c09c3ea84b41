import { runScenarios } from "../run-scenarios.ts";

const arms = `
      ab name=North
      cd name=West
      ef name=South
      gh name=East`;
const map = `
          a
          |
          b

     d--c   g--h

          e
          |
          f`;

runScenarios("roundabouts", [
  {
    title: "exits are counted from the entry",
    map,
    ways: `${arms}
      bcegb junction=roundabout name=`,
    routes: `
      a d | North, West, West, West     | depart, roundabout right 1, exit roundabout right 1, arrive
      a f | North, South, South, South  | depart, roundabout right 2, exit roundabout right 2, arrive
      a h | North, East, East, East     | depart, roundabout right 3, exit roundabout right 3, arrive
      d f | West, South, South, South   | depart, roundabout right 1, exit roundabout right 1, arrive
      d h | West, East, East, East      | depart, roundabout right 2, exit roundabout right 2, arrive
      d a | West, North, North, North   | depart, roundabout right 3, exit roundabout right 3, arrive
      h a | East, North, North, North   | depart, roundabout right 1, exit roundabout right 1, arrive`,
  },
  {
    title: "where traffic keeps left, roundabouts are driven clockwise",
    map,
    drivingSide: "left",
    ways: `${arms}
      bgecb junction=roundabout name=`,
    routes: `
      a h | North, East, East, East    | depart, roundabout left 1, exit roundabout left 1, arrive
      a f | North, South, South, South | depart, roundabout left 2, exit roundabout left 2, arrive
      a d | North, West, West, West    | depart, roundabout left 3, exit roundabout left 3, arrive`,
  },
  {
    title: "a leg that starts on a roundabout counts its exits from there",
    map,
    ways: `${arms}
      bcegb junction=roundabout name=`,
    routes: `
      b d | , West, West   | depart, exit roundabout right 1, arrive
      b f | , South, South | depart, exit roundabout right 2, arrive
      b h | , East, East   | depart, exit roundabout right 3, arrive`,
  },
  {
    title: "a leg that ends on a roundabout has no exit",
    map,
    ways: `${arms}
      bcegb junction=roundabout name=Ring`,
    routes: `
      a c | North, Ring, Ring | depart, rotary right, arrive
      a e | North, Ring, Ring | depart, rotary right, arrive`,
  },
  {
    title: "a large circle with a name of its own is a rotary",
    map,
    ways: `${arms}
      bcegb junction=roundabout name=Place_de_l'Étoile`,
    routes: `
      a d | North, West, West, West    | depart, rotary right 1, exit rotary right 1, arrive
      a h | North, East, East, East    | depart, rotary right 3, exit rotary right 3, arrive`,
  },
  {
    title: "a circle with the same name as a street at it is a roundabout, not a rotary",
    map,
    ways: `
      ab name=North
      cd name=Ring
      ef name=South
      gh name=East
      bcegb junction=roundabout name=Ring`,
    routes: `
      a d | North, Ring, Ring, Ring | depart, roundabout right 1, exit roundabout right 1, arrive`,
  },
  {
    title: "junction=circular with a name is a rotary, without one a street",
    map,
    ways: `${arms}
      bcegb junction=circular name=Circle`,
    routes: `
      a f | North, South, South, South | depart, rotary right 2, exit rotary right 2, arrive`,
  },
  {
    title: "a small plain roundabout is a turn, without counting exits",
    map,
    grid: 5,
    ways: `${arms}
      bcegb junction=roundabout name=`,
    routes: `
      a d | North, West, West   | depart, roundabout turn right 1, arrive
      a f | North, South, South | depart, roundabout turn straight 2, arrive
      a h | North, East, East   | depart, roundabout turn left 3, arrive`,
  },
  {
    title: "exits to service roads are not counted",
    map,
    ways: `
      ab name=North
      cd name=West highway=service
      ef name=South
      gh name=East
      bcegb junction=roundabout name=`,
    routes: `
      a f | North, South, South, South | depart, roundabout right 1, exit roundabout right 1, arrive
      a h | North, East, East, East    | depart, roundabout right 2, exit roundabout right 2, arrive`,
  },
  {
    title: "arms that only lead in are no exits",
    map,
    ways: `
      ab name=North
      dc name=West oneway=yes
      ef name=South
      gh name=East
      bcegb junction=roundabout name=`,
    routes: `
      a f | North, South, South, South | depart, roundabout right 1, exit roundabout right 1, arrive
      d f | West, South, South, South  | depart, roundabout right 1, exit roundabout right 1, arrive`,
  },
  {
    title: "a small roundabout that is mapped for both directions is one, too",
    map,
    grid: 5,
    ways: `${arms}
      bcegb junction=roundabout name= oneway=no`,
    routes: `
      a d | North, West, West   | depart, roundabout turn right 1, arrive
      a h | North, East, East   | depart, roundabout turn left 1, arrive`,
  },
  {
    title: "people who walk use it as a street",
    map,
    grid: 5,
    mode: "walking",
    ways: `${arms}
      bcegb highway=residential junction=roundabout name= oneway=no`,
    routes: `
      a d | North, , West, West | depart, turn right, turn right, arrive`,
  },
]);
