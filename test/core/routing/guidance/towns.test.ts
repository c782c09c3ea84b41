import { runScenarios } from "./run-scenarios.ts";

runScenarios("towns", [
  {
    title: "two divided avenues cross",
    grid: 10,
    map: `
          n  m
          |  |
    d-----p--q-----c
          |  |
    a-----r--s-----b
          |  |
          l  k`,
    ways: `
      arsb name=Long_Avenue oneway=yes
      cqpd name=Long_Avenue oneway=yes
      nprl name=Broad_Avenue oneway=yes
      ksqm name=Broad_Avenue oneway=yes`,
    routes: `
      a b | Long Avenue, Long Avenue                    | depart, arrive
      a l | Long Avenue, Broad Avenue, Broad Avenue     | depart, turn right, arrive
      a m | Long Avenue, Broad Avenue, Broad Avenue     | depart, turn left, arrive
      a d | Long Avenue, Long Avenue, Long Avenue       | depart, continue uturn, arrive
      k d | Broad Avenue, Long Avenue, Long Avenue      | depart, turn left, arrive
      k l | Broad Avenue, Broad Avenue, Broad Avenue    | depart, continue uturn, arrive
      n b | Broad Avenue, Long Avenue, Long Avenue      | depart, turn left, arrive`,
  },
  {
    title: "a street meets a divided avenue",
    grid: 10,
    map: `
    d------q------c
           |
    a------r------b
           |
           s`,
    ways: `
      arb name=Avenue oneway=yes
      cqd name=Avenue oneway=yes
      rq  name=Street
      sr  name=Street`,
    routes: `
      s b | Street, Avenue, Avenue | depart, turn right, arrive
      s d | Street, Avenue, Avenue | depart, turn left, arrive
      a s | Avenue, Street, Street | depart, turn right, arrive
      c s | Avenue, Street, Street | depart, turn left, arrive
      a d | Avenue, Avenue, Avenue | depart, continue uturn, arrive`,
  },
  {
    title: "a bridge with a name of its own",
    grid: 50,
    map: "a----b-c----d",
    ways: `
      ab name=Station_Road
      bc name=Iron_Bridge bridge=yes
      cd name=Station_Road`,
    routes: `
      a d | Station Road, Station Road | depart, arrive
      d a | Station Road, Station Road | depart, arrive`,
  },
  {
    title: "a long bridge with a name of its own",
    grid: 100,
    map: "a----b--------c----d",
    ways: `
      ab name=Station_Road
      bc name=Iron_Bridge bridge=yes
      cd name=Station_Road`,
    routes: `
      a d | Station Road, Station Road | depart, arrive`,
  },
  {
    title: "a short nameless piece between two streets",
    grid: 20,
    map: "a--------b-c--------d",
    ways: `
      ab name=Old_Road
      bc name=
      cd name=New_Road`,
    routes: `
      a d | Old Road, New Road, New Road | depart, new name straight, arrive`,
  },
  {
    title: "a street that keeps its name on the far side of a crossing",
    grid: 20,
    map: `
          n
          |
    a-----x-----b
          |
          s`,
    ways: `
      ax name=High_Street
      xb name=High_Street_East
      nxs name=Low_Street`,
    routes: `
      a b | High Street, High Street East         | depart, arrive
      a n | High Street, Low Street, Low Street   | depart, turn left, arrive
      n b | Low Street, High Street East, High Street East | depart, turn left, arrive`,
  },
  {
    title: "staggered lanes are crossed as one",
    grid: 1,
    map: `
              n
              |
    a---------x
              |
              y---------b
              |
              s`,
    ways: `
      ax   name=Farm_Lane highway=residential
      yb   name=Farm_Lane highway=residential
      nxys name=Post_Road highway=residential`,
    routes: `
      a b | Farm Lane, Farm Lane | depart, arrive
      b a | Farm Lane, Farm Lane | depart, arrive`,
  },
  {
    title: "lanes too far apart are two turns",
    grid: 10,
    map: `
              n
              |
    a---------x
              |
              |
              y---------b
              |
              s`,
    ways: `
      ax   name=Farm_Lane highway=residential
      yb   name=Farm_Lane highway=residential
      nxys name=Post_Road highway=residential`,
    routes: `
      a b | Farm Lane, Post Road, Farm Lane, Farm Lane | depart, turn right, turn left, arrive`,
  },
  {
    title: "a slip road around a signalled corner",
    grid: 5,
    map: `
                 n
                 |
    a------b-----c------d
             \\   |
               \\ |
                \\|
                 e
                 |
                 |
                 s`,
    ways: `
      abcd name=Market_Street
      nc   name=Tower_Street
      ce   name=Tower_Street
      es   name=Tower_Street
      be   name= highway=primary_link oneway=yes`,
    nodes: "c highway=traffic_signals",
    forbidden: "b c e",
    routes: `
      a s | Market Street, Tower Street, Tower Street | depart, turn right, arrive
      a d | Market Street, Market Street              | depart, arrive`,
  },
  {
    title: "around a block of one-way streets",
    grid: 60,
    map: `
    a---b---c
    |   |   |
    d---e---f
    |   |   |
    g---h---i`,
    ways: `
      abc name=First oneway=yes
      fed name=Second oneway=yes
      ghi name=Third oneway=yes
      gda name=Left oneway=yes
      beh name=Middle oneway=yes
      ifc name=Right oneway=yes`,
    routes: `
      d h | Left, First, Middle, Middle  | depart, new name right, turn right, arrive
      h d | Third, Right, Second, Second | depart, new name left, turn left, arrive
      e a | Second, Left, Left           | depart, turn right, arrive`,
  },
  {
    title: "a service street through a yard",
    grid: 20,
    map: `
    a-------b-------c
            |
            d
            |
            e-------f`,
    ways: `
      abc name=Dock_Street
      bd  name= highway=service
      de  name= highway=service
      ef  name=Quay highway=residential`,
    routes: `
      a f | Dock Street, , Quay, Quay | depart, turn right, new name left, arrive
      f c | Quay, Dock Street, Dock Street | depart, turn right, arrive`,
  },
  {
    title: "a street splits around a traffic island and is one again",
    grid: 4,
    map: `
                 c
               /   \\
    a---------b     d---------e
               \\   /
                 f`,
    ways: `
      ab  name=Main
      bfd name=Main oneway=yes
      dcb name=Main oneway=yes
      de  name=Main`,
    routes: `
      a e | Main, Main | depart, arrive
      e a | Main, Main | depart, arrive`,
  },
  {
    title: "the name of a street comes and goes with its number",
    grid: 100,
    map: "a---b---c---d",
    ways: `
      ab name=Coast_Road ref=N_1
      bc name= ref=N_1
      cd name=Coast_Road ref=N_1`,
    routes: `
      a d | Coast Road, Coast Road | depart, arrive`,
  },
  {
    title: "a crossing of a main street and a lane, from the lane",
    grid: 20,
    map: `
          n
          |
    a-----x-----b
          |
          s`,
    ways: `
      axb name=Ring highway=primary
      nx  name=Lane highway=residential
      xs  name=Lane highway=residential`,
    routes: `
      n s | Lane, Lane        | depart, arrive
      n a | Lane, Ring, Ring  | depart, turn right, arrive
      s a | Lane, Ring, Ring  | depart, turn left, arrive`,
  },
]);
