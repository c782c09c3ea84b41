import { runScenarios } from "../run-scenarios.ts";

runScenarios("junctions of every shape", [
  {
    title: "a crossroads of two avenues",
    grid: 20,
    map: `
          n
          |
    w-----x-----e
          |
          s`,
    ways: `
      wxe name=Harbour_Avenue
      nxs name=Castle_Avenue`,
    routes: `
      w n | Harbour Avenue, Castle Avenue, Castle Avenue   | depart, turn left, arrive
      w e | Harbour Avenue, Harbour Avenue                 | depart, arrive
      w s | Harbour Avenue, Castle Avenue, Castle Avenue   | depart, turn right, arrive
      s w | Castle Avenue, Harbour Avenue, Harbour Avenue  | depart, turn left, arrive
      n w | Castle Avenue, Harbour Avenue, Harbour Avenue  | depart, turn right, arrive`,
  },
  {
    title: "turns at a crooked crossing are ordinary turns",
    grid: 20,
    map: `
    a       c
     \\     /
       \\ /
        x
       / \\
     /     \\
    b       d`,
    ways: `
      axd name=Mill_Road
      bxc name=Church_Road`,
    routes: `
      a c | Mill Road, Church Road, Church Road  | depart, turn left, arrive
      a b | Mill Road, Church Road, Church Road  | depart, turn right, arrive
      a d | Mill Road, Mill Road                 | depart, arrive
      b d | Church Road, Mill Road, Mill Road    | depart, turn right, arrive`,
  },
  {
    title: "five streets meet at one junction",
    grid: 20,
    map: `
          n

    w     x     e

       p     q`,
    ways: `
      nx name=North
      wx name=West
      ex name=East
      px name=Left_Leg
      qx name=Right_Leg`,
    routes: `
      n w | North, West, West           | depart, turn right, arrive
      n e | North, East, East           | depart, turn left, arrive
      w e | West, East, East            | depart, new name straight, arrive
      w n | West, North, North          | depart, turn left, arrive
      e n | East, North, North          | depart, turn right, arrive`,
  },
  {
    title: "of two streets to the right the nearer to backwards is sharp, the other slight",
    grid: 20,
    map: `
    a-----------x-----------b
              /   \\
            c       d`,
    ways: `
      axb name=Long_Street
      xc  name=Back_Lane
      xd  name=Down_Lane`,
    routes: `
      a c | Long Street, Back Lane, Back Lane  | depart, turn sharp right, arrive
      a d | Long Street, Down Lane, Down Lane  | depart, turn slight right, arrive
      b d | Long Street, Down Lane, Down Lane  | depart, turn sharp left, arrive
      b c | Long Street, Back Lane, Back Lane  | depart, turn slight left, arrive`,
  },
  {
    title: "a lane that goes off at a narrow angle is a slight turn",
    grid: 20,
    map: `
                      c
    a-------x-----------------b`,
    ways: `
      axb name=Straight_Road
      xc  name=Side_Road highway=tertiary`,
    routes: `
      a c | Straight Road, Side Road, Side Road         | depart, turn slight left, arrive
      a b | Straight Road, Straight Road                | depart, arrive
      b c | Straight Road, Side Road, Side Road         | depart, turn sharp right, arrive`,
  },
  {
    title: "a T at the end of a long street",
    grid: 20,
    map: `
                  n
                  |
    w---m---------x
        |         |
        k         s`,
    ways: `
      wmx name=Stem
      mk  name=Yard
      nxs name=Bar`,
    routes: `
      w n | Stem, Bar, Bar | depart, end of road left, arrive
      w s | Stem, Bar, Bar | depart, end of road right, arrive
      n w | Bar, Stem, Stem | depart, turn right, arrive
      s w | Bar, Stem, Stem | depart, turn left, arrive`,
  },
  {
    title: "a T reached without passing other junctions is an ordinary turn",
    grid: 20,
    map: `
            n
            |
    w-------x
            |
            s`,
    ways: `
      wx  name=Stem
      nxs name=Bar`,
    routes: `
      w n | Stem, Bar, Bar | depart, turn left, arrive
      w s | Stem, Bar, Bar | depart, turn right, arrive`,
  },
  {
    title: "a street that bends at a junction is continued",
    grid: 20,
    map: `
          c
          |
    a-----x-----d`,
    ways: `
      axc name=River_Road
      xd  name=Quay`,
    routes: `
      a c | River Road, River Road, River Road  | depart, continue left, arrive
      a d | River Road, Quay, Quay              | depart, turn straight, arrive
      d c | Quay, River Road, River Road        | depart, turn right, arrive
      d a | Quay, River Road, River Road        | depart, new name straight, arrive`,
  },
  {
    title: "a main road that bends past a driveway is not announced",
    grid: 20,
    map: `
    a-----x-----d
          |
          c`,
    ways: `
      axc name=Ring highway=secondary
      xd  name=Works highway=service`,
    routes: `
      a c | Ring, Ring         | depart, arrive
      a d | Ring, Works, Works | depart, turn straight, arrive`,
  },
  {
    title: "the only way on through one-way streets is obvious",
    grid: 20,
    map: `
          n
          |
    w-----x-----e
          |
          s`,
    ways: `
      wx name=In
      xe name=In
      nx name=Top oneway=yes
      sx name=Bottom oneway=yes`,
    routes: `
      w e | In, In          | depart, arrive
      n e | Top, In, In     | depart, turn left, arrive
      s w | Bottom, In, In  | depart, turn left, arrive`,
  },
  {
    title: "a turn is announced even where signs close every other road",
    grid: 20,
    map: `
          n
          |
    w-----x-----e
          |
          s`,
    ways: `
      wx name=West
      nx name=North
      ex name=East
      sx name=South`,
    forbidden: `
      w x e
      w x n`,
    routes: `
      w s | West, South, South  | depart, turn right, arrive
      e w | East, West, West    | depart, new name straight, arrive`,
  },
  {
    title: "a sharp bend of the road itself is no maneuver",
    grid: 20,
    map: `
    a---------b
             /
           /
         c----------d`,
    ways: "abcd name=Hairpin",
    routes: `
      a d | Hairpin, Hairpin | depart, arrive
      d a | Hairpin, Hairpin | depart, arrive`,
  },
  {
    title: "a street whose name changes at a bend",
    grid: 60,
    map: `
    a-----b
          |
          |
          c`,
    ways: `
      ab name=Upper
      bc name=Lower`,
    routes: `
      a c | Upper, Lower, Lower | depart, new name right, arrive
      c a | Lower, Upper, Upper | depart, new name left, arrive`,
  },
  {
    title: "turning back at the end of a blind alley",
    grid: 40,
    map: `
    a-----b-----c
          |
          d`,
    ways: `
      ab  name=West
      bc  name=East oneway=yes
      bd  name=Blind`,
    forbidden: "a b c",
    routes: `
      a c | West, Blind, Blind, East, East | depart, turn right, continue uturn, turn right, arrive`,
  },
]);
