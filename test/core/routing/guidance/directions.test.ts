import { runScenarios } from "./run-scenarios.ts";

runScenarios("directions of roads that bend at the junction", [
  {
    title: "the first metres of a carriageway drawn from the middle of a wide road are left out",
    grid: 1,
    map: `
                                                    .p--------------------------------------------------------------q
                                                  ..
                                                ..
                                              ..
                                            ..
                                          ..
                                        ..
                                      ..
      a-----------------------------b.
                                    | ..
                                    |   ..
                                    |     ..
                                    |       ..
                                    |         ..
                                    |           ..
                                    |             ..
                                    |               .c--------------------------------------------------------------d
                                    |
                                    y`,
    ways: `
      ab  name=Broadway highway=secondary lanes=6
      bcd name=Broadway highway=secondary lanes=3 oneway=yes
      qpb name=Broadway highway=secondary lanes=3 oneway=yes
      by  name= highway=service`,
    routes: `
      a d | Broadway, Broadway | depart, arrive
      q a | Broadway, Broadway | depart, arrive
      a y | Broadway, ,  | depart, turn right, arrive`,
  },
  {
    title: "traffic lights near a junction do not change the direction of its roads",
    grid: 2,
    nodes: `
      b highway=traffic_signals`,
    map: `
      h.
        ....
            ...
               ....
                   .x-------------------r

                      b
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      a`,
    ways: `
      abx name=Station_Road highway=secondary
      xh  name=Hill_Street
      xr  name=River_Street`,
    routes: `
      a h | Station Road, Hill Street, Hill Street | depart, turn left, arrive
      a r | Station Road, River Street, River Street | depart, turn right, arrive
      h a | Hill Street, Station Road, Station Road | depart, turn right, arrive`,
  },
  {
    title: "a road that bends away after ten metres is a turn",
    grid: 2,
    map: `
      a-------------------b---------------------------------c
                               d
                                 .
                                  .
                                    .
                                      .
                                       .
                                         .
                                           .
                                            .
                                              e`,
    ways: `
      abc  name=High_Street
      bde  name=Park_Street`,
    routes: `
      a e | High Street, Park Street, Park Street | depart, turn slight right, arrive
      c e | High Street, Park Street, Park Street | depart, turn sharp left, arrive
      e a | Park Street, High Street, High Street | depart, turn slight left, arrive`,
  },
  {
    title: "an exit that runs beside the motorway is a slight turn",
    grid: 5,
    map: `
      a-------------b---------------------------------------------c

                        k-----------------------------------------d`,
    ways: `
      abc  highway=motorway oneway=yes name=M1
      bkd  highway=motorway_link oneway=yes name=`,
    routes: `
      a d | M1, ,  | depart, off ramp slight right, arrive
      a c | M1, M1 | depart, arrive`,
  },
  {
    title: "a footpath is judged by its first metres",
    grid: 2,
    mode: "walking",
    map: `
      a---------------b---------------------------c
                      |
                      |
                      |
                      |
                      |
                      d---------------------------e`,
    ways: `
      abc highway=residential name=High_Street
      bde highway=footway name=Park_Walk`,
    routes: `
      a e | High Street, Park Walk, Park Walk | depart, turn right, arrive
      c e | High Street, Park Walk, Park Walk | depart, turn left, arrive
      e a | Park Walk, High Street, High Street | depart, turn left, arrive`,
  },
  {
    title: "a kink right at a crossing is ignored",
    grid: 2,
    map: `
                          n
                          |
                          |
                          |
                          |
                          |
      w-------------------x-------------------e


                        k
                        |
                        |
                        |
                        |
                        |
                        |
                        |
                        |
                        |
                        |
                        s`,
    ways: `
      wxe name=High_Street
      nx  name=Mill_Lane
      xks name=Bank_Street`,
    routes: `
      w s | High Street, Bank Street, Bank Street | depart, turn right, arrive
      e s | High Street, Bank Street, Bank Street | depart, turn left, arrive
      s w | Bank Street, High Street, High Street | depart, turn left, arrive
      n s | Mill Lane, Bank Street | depart, arrive`,
  },
]);
