import { runScenarios } from "../run-scenarios.ts";

runScenarios("where traffic keeps left", [
  {
    title: "a crossing of two streets",
    drivingSide: "left",
    grid: 50,
    map: `
            n
            |
      w-----x-----e
            |
            s`,
    ways: `
      wxe name=High_Street
      nxs name=Mill_Lane`,
    routes: `
      w n | High Street, Mill Lane, Mill Lane | depart, turn left, arrive
      w s | High Street, Mill Lane, Mill Lane | depart, turn right, arrive
      w e | High Street, High Street | depart, arrive
      s w | Mill Lane, High Street, High Street | depart, turn left, arrive`,
  },
  {
    title: "a street ends",
    drivingSide: "left",
    grid: 50,
    map: `
            n
            |
      w-----x
            |
            s`,
    ways: `
      wx  name=High_Street
      nxs name=Mill_Lane`,
    routes: `
      w n | High Street, Mill Lane, Mill Lane | depart, turn left, arrive
      w s | High Street, Mill Lane, Mill Lane | depart, turn right, arrive
      n w | Mill Lane, High Street, High Street | depart, turn right, arrive
      s w | Mill Lane, High Street, High Street | depart, turn left, arrive`,
  },
  {
    title: "a roundabout goes the other way round",
    drivingSide: "left",
    grid: 5,
    map: `
            n
            |
            a
          /   \\
    w---b       d---e
          \\   /
            c
            |
            s`,
    ways: `
      na    name=North
      sc    name=South
      wb    name=West
      de    name=East
      adcba name= junction=roundabout highway=primary`,
    routes: `
      n e | North, East, East | depart, roundabout turn left 1, arrive
      n s | North, South, South | depart, roundabout turn straight 2, arrive
      n w | North, West, West | depart, roundabout turn right 3, arrive
      w e | West, East, East | depart, roundabout turn straight 2, arrive`,
  },
  {
    title: "an exit of the motorway",
    drivingSide: "left",
    grid: 40,
    map: `
            _____d
           /
      a---b-----------c`,
    ways: `
      abc highway=motorway oneway=yes name=M1
      bd  highway=motorway_link oneway=yes name=`,
    routes: `
      a d | M1, ,  | depart, off ramp slight left, arrive
      a c | M1, M1 | depart, arrive`,
  },
  {
    title: "onto the motorway",
    drivingSide: "left",
    grid: 40,
    map: `
      d_____
            \\
      a------b--------c`,
    ways: `
      abc highway=motorway oneway=yes name=M1
      db  highway=motorway_link oneway=yes name=`,
    routes: `
      d c | , M1, M1 | depart, merge slight right, arrive
      a c | M1, M1 | depart, arrive`,
  },
  {
    title: "a motorway divides",
    drivingSide: "left",
    grid: 40,
    map: `
                  ____c
             ____/
      a-----b
             \\____
                  \\___d`,
    ways: `
      ab highway=motorway oneway=yes name=M1
      bc highway=motorway oneway=yes name=M2
      bd highway=motorway oneway=yes name=M3`,
    routes: `
      a c | M1, M2, M2 | depart, fork slight left, arrive
      a d | M1, M3, M3 | depart, fork slight right, arrive`,
  },
  {
    title: "turning round on a divided road",
    drivingSide: "left",
    grid: 10,
    map: `
      a--------b--------c
               |
      f--------e--------d`,
    ways: `
      abc oneway=yes name=Ring_Road
      def oneway=yes name=Ring_Road
      be  name=Ring_Road`,
    routes: `
      a f | Ring Road, Ring Road, Ring Road | depart, continue uturn, arrive
      a c | Ring Road, Ring Road | depart, arrive`,
  },
  {
    title: "across both halves of a divided road",
    drivingSide: "left",
    grid: 10,
    map: `
               n
               |
      a--------b--------c
               |
      f--------e--------d
               |
               s`,
    ways: `
      abc  oneway=yes name=Ring_Road
      def  oneway=yes name=Ring_Road
      nbes name=Mill_Lane`,
    routes: `
      n s | Mill Lane, Mill Lane | depart, arrive
      s c | Mill Lane, Ring Road, Ring Road | depart, turn right, arrive
      n c | Mill Lane, Ring Road, Ring Road | depart, turn left, arrive
      n f | Mill Lane, Ring Road, Ring Road | depart, turn right, arrive
      a s | Ring Road, Mill Lane, Mill Lane | depart, turn right, arrive
      a n | Ring Road, Mill Lane, Mill Lane | depart, turn left, arrive`,
  },
  {
    title: "a staggered crossing",
    drivingSide: "left",
    grid: 5,
    map: `
              n
              |
      w-------x-y-------e
                |
                s`,
    ways: `
      wxye name=High_Street
      nx   name=Mill_Lane
      ys   name=Mill_Lane`,
    routes: `
      n s | Mill Lane, High Street, Mill Lane, Mill Lane | depart, turn left, turn right, arrive
      n w | Mill Lane, High Street, High Street | depart, turn right, arrive
      s e | Mill Lane, High Street, High Street | depart, turn right, arrive`,
  },
  {
    title: "a fork of two equal streets",
    drivingSide: "left",
    grid: 50,
    map: `
                  c
               /
      a-----b
               \\
                  d`,
    ways: `
      ab name=High_Street
      bc name=Upper_Street
      bd name=Lower_Street`,
    routes: `
      a c | High Street, Upper Street, Upper Street | depart, fork slight left, arrive
      a d | High Street, Lower Street, Lower Street | depart, fork slight right, arrive
      c a | Upper Street, High Street, High Street | depart, new name straight, arrive
      c d | Upper Street, Lower Street, Lower Street | depart, turn sharp left, arrive`,
  },
]);
