import { runScenarios } from "../run-scenarios.ts";

runScenarios("lesser roads", [
  {
    title: "a driveway is no alternative to the street",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc name=Main highway=residential
      bd name= highway=service service=driveway`,
    routes: `
      a c | Main, Main   | depart, arrive
      a d | Main, ,      | depart, turn right, arrive
      d c | , Main, Main | depart, turn right, arrive`,
  },
  {
    title: "from a driveway onto the street",
    map: `
        d
        |
    a---b---c`,
    ways: `
      abc name=Main highway=residential
      bd name= highway=service service=driveway`,
    routes: `
      d a | , Main, Main | depart, turn right, arrive
      d c | , Main, Main | depart, turn left, arrive`,
  },
  {
    title: "through a car park",
    map: `
    a---b---c---d
        |   |
        e---f`,
    ways: `
      abcd name=Main
      be name= highway=service service=parking_aisle
      cf name= highway=service service=parking_aisle
      ef name= highway=service service=parking_aisle`,
    routes: `
      a e | Main, ,  | depart, turn right, arrive
      a f | Main, ,  | depart, turn right, arrive
      d e | Main, ,  | depart, turn left, arrive`,
  },
  {
    title: "a street becomes a service road",
    map: `a---b---c`,
    ways: `
      ab name=Main highway=residential
      bc name= highway=service`,
    routes: `
      a c | Main,        | depart, arrive
      c a | , Main, Main | depart, new name straight, arrive`,
  },
  {
    title: "a track is turned onto like a road",
    map: `
    a---b---c
       /
      d`,
    ways: `
      abc name=Main
      bd name=Forest_Track highway=track motor_vehicle=yes`,
    routes: `
      a d | Main, Forest Track, Forest Track | depart, turn sharp right, arrive
      c d | Main, Forest Track, Forest Track | depart, turn left, arrive`,
  },
  {
    title: "a living street off a main road",
    map: `
    a---b---c
        |
        d---e`,
    ways: `
      abc name=Main
      bde name=Play_Street highway=living_street`,
    routes: `
      a e | Main, Play Street, Play Street | depart, turn right, arrive
      e a | Play Street, Main, Main        | depart, turn left, arrive
      e c | Play Street, Main, Main        | depart, turn right, arrive`,
  },
  {
    title: "alleys behind houses",
    map: `
    a---b---c
        |
        d---e
        |
        f`,
    ways: `
      abc name=Main
      bdf name=Mews highway=residential
      de name= highway=service service=alley`,
    routes: `
      a e | Main, Mews, ,      | depart, turn right, turn left, arrive
      e a | , Mews, Main, Main | depart, turn right, turn left, arrive
      e f | , Mews, Mews       | depart, turn left, arrive
      a f | Main, Mews, Mews   | depart, turn right, arrive`,
  },
  {
    title: "a nameless street is still turned onto",
    map: `
    a---b---c
        |
        d`,
    ways: `
      abc name=Main
      bd name=`,
    routes: `
      a d | Main, ,      | depart, turn right, arrive
      d a | , Main, Main | depart, turn left, arrive
      d c | , Main, Main | depart, turn right, arrive`,
  },
]);
