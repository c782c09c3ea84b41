import { runScenarios } from "../run-scenarios.ts";

const GRID_OF_TWO = `
        i   l
        |   |
    d---c---b---a
        |   |
    e---f---g---h
        |   |
        j   k`;

const carriageways = (cf: string, gb: string, bc: string, fg: string) => `
      ab name=First oneway=yes
      bc name=${bc} oneway=yes
      cd name=First oneway=yes
      ef name=First oneway=yes
      fg name=${fg} oneway=yes
      gh name=First oneway=yes
      ic name=Second oneway=yes
      cf name=${cf} oneway=yes
      fj name=Second oneway=yes
      kg name=Second oneway=yes
      gb name=${gb} oneway=yes
      bl name=Second oneway=yes`;

const CROSSING = `
      a d | First, First           | depart, arrive
      a l | First, Second, Second  | depart, turn right, arrive
      a j | First, Second, Second  | depart, turn left, arrive
      a h | First, First, First    | depart, continue uturn, arrive
      e h | First, First           | depart, arrive
      e j | First, Second, Second  | depart, turn right, arrive
      e l | First, Second, Second  | depart, turn left, arrive
      i j | Second, Second         | depart, arrive
      i d | Second, First, First   | depart, turn right, arrive
      i h | Second, First, First   | depart, turn left, arrive
      k l | Second, Second         | depart, arrive
      k h | Second, First, First   | depart, turn right, arrive
      k d | Second, First, First   | depart, turn left, arrive
      k j | Second, Second, Second | depart, continue uturn, arrive`;

runScenarios("divided roads", [
  {
    title: "where two divided roads cross, every turn is one turn",
    grid: 6,
    map: GRID_OF_TWO,
    ways: carriageways("First", "First", "First", "First"),
    routes: CROSSING,
  },
  {
    title: "it does not matter which street's name the middle of a big crossing has",
    grid: 6,
    map: GRID_OF_TWO,
    ways: carriageways("Second", "Second", "First", "First"),
    routes: CROSSING,
  },
  {
    title: "nor does it when the middle has both names",
    grid: 6,
    map: GRID_OF_TWO,
    ways: carriageways("Second", "First", "Second", "First"),
    routes: CROSSING,
  },
  {
    title: "where the halves of a divided road meet, it goes on in silence",
    grid: 10,
    map: `
    a------b
             \\
              c------d
             /
    f------e`,
    ways: `
      cba name=Ring oneway=yes
      fec name=Ring oneway=yes
      cd  name=Ring`,
    routes: `
      f d | Ring, Ring       | depart, arrive
      d a | Ring, Ring       | depart, arrive`,
  },
  {
    title: "the far half of a divided road is reached over the gap in its middle",
    grid: 10,
    map: `
    a----b----c
         |
    d----e----f
         |
         g`,
    ways: `
      cba name=Avenue oneway=yes
      def name=Avenue oneway=yes
      be  name=
      eg  name=Yard`,
    routes: `
      g a | Yard, Avenue, Avenue | depart, turn left, arrive
      g f | Yard, Avenue, Avenue | depart, turn right, arrive
      d g | Avenue, Yard, Yard   | depart, turn right, arrive
      d a | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "a traffic island at a pedestrian crossing does not divide a street",
    grid: 5,
    map: `
              c------d
    a-----b              g-----h
              e------f`,
    ways: `
      ab    name=Station
      gdcb  name=Station oneway=yes
      befg  name=Station oneway=yes
      gh    name=Station`,
    routes: `
      a h | Station, Station | depart, arrive
      h a | Station, Station | depart, arrive`,
  },
  {
    title: "joining a divided road just before its halves meet, the driver steers for the middle",
    grid: 5,
    map: `
      a
      |
      b
     / \\
    c   d
    |   |\\
    |   | e
    |   |
    |   |
    g   f`,
    ways: `
      ab  name=Mill_Road
      bcg name=Mill_Road oneway=yes
      fdb name=Mill_Road oneway=yes
      ed  name=Weir_Lane oneway=yes`,
    routes: `
      f a | Mill Road, Mill Road            | depart, arrive
      e a | Weir Lane, Mill Road, Mill Road | depart, turn right, arrive`,
  },
]);
