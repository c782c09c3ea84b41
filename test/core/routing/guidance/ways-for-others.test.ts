import { runScenarios } from "./run-scenarios.ts";

runScenarios("ferries, paths and pushing", [
  {
    title: "onto a ferry and off it",
    grid: 100,
    map: "a---b-----c---d",
    ways: `
      ab name=Pier_Road
      bc route=ferry name=Island_Ferry
      cd name=Island_Road`,
    routes: `
      a d | Pier Road, Island Ferry, Island Road, Island Road | depart, notification straight, notification straight, arrive`,
  },
  {
    title: "a ferry that leaves across the quay",
    grid: 100,
    map: `
    a---b---e
        |
        |
        c---d`,
    ways: `
      abe name=Quay
      bc  route=ferry name=Harbour_Ferry
      cd  name=South_Quay`,
    routes: `
      a d | Quay, Harbour Ferry, South Quay, South Quay | depart, turn right, notification left, arrive
      d e | South Quay, Harbour Ferry, Quay, Quay       | depart, notification right, turn right, arrive`,
  },
  {
    title: "on foot through a park",
    mode: "walking",
    grid: 60,
    map: `
    a-----b-----c
          |
          d-----e`,
    ways: `
      abc name=Elm_Street highway=residential
      bd  name=Park_Path highway=path
      de  name=Pond_Walk highway=footway`,
    routes: `
      a e | Elm Street, Park Path, Pond Walk, Pond Walk | depart, turn right, new name left, arrive
      e c | Pond Walk, Park Path, Elm Street, Elm Street | depart, new name right, turn right, arrive`,
  },
  {
    title: "on foot up the steps",
    mode: "walking",
    grid: 20,
    map: `
    a-----b-----c
          |
          d`,
    ways: `
      abc name=Hill_Street highway=residential
      bd  name=Old_Steps highway=steps`,
    routes: `
      a d | Hill Street, Old Steps, Old Steps | depart, turn right, arrive
      a c | Hill Street, Hill Street          | depart, arrive`,
  },
  {
    title: "by bike off a street onto a cycleway",
    mode: "cycling",
    grid: 20,
    map: `
            d
           /
    a-----b-----c`,
    ways: `
      abc name=Mill_Street
      bd  name=River_Trail highway=cycleway`,
    routes: `
      a d | Mill Street, River Trail, River Trail | depart, turn left, arrive
      c d | Mill Street, River Trail, River Trail | depart, turn sharp right, arrive
      a c | Mill Street, Mill Street              | depart, arrive`,
  },
  {
    title: "pushing a bike over a footway",
    mode: "cycling",
    grid: 40,
    map: `
    a-----b
          |
          c-----d`,
    ways: `
      ab name=West_Street
      bc name=Arcade mode=pushing highway=footway
      cd name=East_Street`,
    routes: `
      a d | West Street, Arcade, East Street, East Street | depart, notification right, notification left, arrive`,
  },
  {
    title: "by bike along a street whose sidewalk is drawn beside it",
    mode: "cycling",
    grid: 20,
    map: `
    p-----------q
    a-----b-----c
          |
          d`,
    ways: `
      abc name=Main
      pq  name= highway=footway mode=pushing
      bd  name=Side`,
    routes: `
      a c | Main, Main       | depart, arrive
      a d | Main, Side, Side | depart, turn right, arrive`,
  },
  {
    title: "a car passes a cycleway without a word",
    grid: 20,
    map: `
          d
          |
    a-----b-----c`,
    ways: `
      abc name=Main
      bd  name=Trail highway=residential`,
    routes: `
      a c | Main, Main         | depart, arrive
      a d | Main, Trail, Trail | depart, turn left, arrive`,
  },
  {
    title: "a fork of two paths in the wood",
    mode: "walking",
    grid: 20,
    map: `
                  c
    a------b
                  d`,
    ways: `
      ab name= highway=path
      bc name=Upper_Trail highway=path
      bd name=Lower_Trail highway=path`,
    routes: `
      a c | , Upper Trail, Upper Trail | depart, fork slight left, arrive
      a d | , Lower Trail, Lower Trail | depart, fork slight right, arrive`,
  },
  {
    title: "walkers turn where one-way streets end for cars",
    mode: "walking",
    grid: 20,
    map: `
          c
          |
    a-----b-----d`,
    ways: `
      abd name=Oak_Street highway=residential
      bc  name=Elm_Street highway=residential`,
    routes: `
      a c | Oak Street, Elm Street, Elm Street | depart, turn left, arrive
      c d | Elm Street, Oak Street, Oak Street | depart, turn left, arrive`,
  },
]);
